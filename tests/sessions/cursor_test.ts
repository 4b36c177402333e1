import assert from "node:assert/strict";
import { MemoryStore } from "../../sessions/memory_store.ts";
import type { Session } from "../../sessions/session.ts";
import { stateOf, temporaryStore } from "./session_support.ts";

async function started(): Promise<Session> {
  const session = await new MemoryStore({ root: "/project" }).create();
  session.appendSystemMessage("system");
  session.appendUserMessage("one");
  session.appendAssistantMessage({ content: "answer one", finishReason: "stop" });
  return session;
}

Deno.test("Cursor appends under its leaf and returns the entry", async () => {
  const session = await started();
  const before = session.leaf;
  const entry = session.appendUserMessage("two");
  assert.equal(entry.parentId, before);
  assert.equal(session.leaf, entry.id);
  assert.deepEqual(session.children(before), [entry]);
  assert.deepEqual(session.pathToRoot(), session.entries);
  assert.match(entry.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
});

Deno.test("Cursor keeps everything of an assistant message and of a tool result", async () => {
  const session = await started();
  const reply = session.appendAssistantMessage({
    content: "let me see",
    toolCalls: [{ id: "c", name: "read_file", arguments: "{" }],
    finishReason: null,
    reasoning: { text: "hm", field: "reasoning_content", model: "m", items: [{ id: 1 }] },
    partial: "cancelled",
  });
  assert.deepEqual(reply.payload, {
    type: "Message",
    message: {
      role: "assistant",
      content: "let me see",
      tool_calls: [{ id: "c", type: "function", function: { name: "read_file", arguments: "{" } }],
      finish_reason: null,
      reasoning: { text: "hm", field: "reasoning_content", model: "m", items: [{ id: 1 }] },
      partial: "cancelled",
    },
  });
  const result = session.appendToolResult({ toolCallId: "c", content: "text", isError: true });
  assert.deepEqual(result.payload, {
    type: "Message",
    message: { role: "tool", tool_call_id: "c", content: "text", is_error: true },
  });
});

Deno.test("Cursor mends lone surrogates in everything that enters (B55)", async () => {
  const session = await started();
  const half = "x\ud83d";
  session.appendUserMessage(half);
  session.appendAssistantMessage({
    content: half,
    toolCalls: [{ id: half, name: half, arguments: half }],
    reasoning: { text: half },
  });
  session.appendToolResult({ toolCallId: half, content: half, isError: false });
  session.appendCustom(half, half);
  session.appendCustomMessage(half, half);
  session.setResolution(session.leaf ?? "", { level: "Outlined", outline: half });
  const text = JSON.stringify([session.entries, [...session.stamps]]);
  assert.equal(text.includes("\\ud83d"), false);
});

Deno.test("Cursor.branchTo() keeps the old branch and notes a far move", async () => {
  const session = await started();
  const [system, user, answer] = session.entries;
  session.branchTo(system?.id ?? "");
  assert.equal(session.leaf, system?.id);
  const moved = session.entries.at(-1);
  assert.deepEqual(moved?.payload, { type: "LeafMoved", from: answer?.id, to: system?.id });
  assert.equal(moved?.parentId, system?.id);
  const other = session.appendUserMessage("another one");
  assert.deepEqual(session.pathToRoot().map(({ id }) => id), [system?.id, other.id]);
  session.branchTo(system?.id ?? "");
  assert.equal(session.entries.at(-1), other);
  session.branchTo(user?.id ?? "");
  assert.equal(session.leaf, user?.id);
  assert.throws(() => session.branchTo("nowhere"), { code: "entry_not_found" });
});

Deno.test("Session.clear() goes back to the system message", async () => {
  const session = await started();
  session.clear();
  assert.deepEqual(session.pathMessages().map(({ message }) => message.content), ["system"]);
  assert.equal(session.messageCount, 1);
});

Deno.test("Cursor.branchWithSummary() puts a summary of the left branch there", async () => {
  const session = await started();
  const [system, , answer] = session.entries;
  const summary = session.branchWithSummary(system?.id ?? "", "we tried one");
  assert.deepEqual(summary.payload, {
    type: "BranchSummary",
    summary: "we tried one",
    from_id: answer?.id,
  });
  assert.match(session.pathMessages()[1]?.message.content ?? "", /we tried one/);
});

Deno.test("Session.fork() makes an active cursor with the same stamps", async () => {
  const session = await started();
  const [, user] = session.entries;
  session.pinEntry(user?.id ?? "");
  const made = session.fork("idea");
  assert.equal(made.cursorId, "c1");
  assert.equal(session.cursorId, "c1");
  assert.deepEqual([...session.stamps], [[user?.id, { level: "Pinned" }]]);
  session.unpinEntry(user?.id ?? "");
  assert.equal(
    session.cursor("c0").resolutionOf(session.log.require(user?.id ?? "")).level,
    "Pinned",
  );
  session.appendUserMessage("in the fork");
  session.switchCursor("c0");
  assert.equal(session.messageCount, 3);
  assert.deepEqual(session.cursors().map(({ id, name, active }) => [id, name, active]), [
    ["c0", undefined, true],
    ["c1", "idea", false],
  ]);
  assert.throws(() => session.switchCursor("c9"), { code: "cursor_not_found" });
});

Deno.test("Session.nameCursor() names any cursor and leaves the active one active", async () => {
  const session = await started();
  session.fork();
  session.nameCursor("trunk", "c0");
  session.nameCursor("branch");
  assert.deepEqual(session.cursors().map(({ id, name, active }) => [id, name, active]), [
    ["c0", "trunk", false],
    ["c1", "branch", true],
  ]);
});

Deno.test("Cursor.readCustomState() reads the latest state of its own branch", async () => {
  const session = await started();
  const { leaf } = session;
  session.writeCustomState("acme.x.v1", { n: 1 });
  session.writeCustomState("acme.x.v1", { n: 2 });
  session.writeCustomMessage("acme.m.v1", "remember");
  assert.deepEqual(session.readCustomState("acme.x.v1"), { n: 2 });
  assert.equal(session.readCustomState("acme.x.v2"), undefined);
  assert.equal(session.readCustomMessage("acme.m.v1"), "remember");
  session.branchTo(leaf ?? "");
  assert.equal(session.readCustomState("acme.x.v1"), undefined);
  assert.equal(session.readCustomMessage("acme.m.v1"), undefined);
});

Deno.test("Cursor.appendCustom() takes plain data only and copies it (B44)", async () => {
  const session = await started();
  const data = JSON.parse('{"__proto__":{"x":1},"constructor":[1]}');
  session.appendCustom("a.b.v1", data);
  data.constructor.push(2);
  assert.equal(
    JSON.stringify(session.readCustomState("a.b.v1")),
    '{"__proto__":{"x":1},"constructor":[1]}',
  );
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  assert.throws(() => session.appendCustom("a.b.v1", circle), { code: "custom_not_json" });
  assert.throws(() => session.appendCustom("a.b.v1", 1n), { code: "custom_not_json" });
  session.appendCustom("a.b.v1", undefined);
  assert.equal(session.readCustomState("a.b.v1"), null);
});

Deno.test("Cursor.closeOpenCalls() gives each call one result, by order where ids repeat (B34)", async () => {
  const session = await started();
  session.appendAssistantMessage({
    content: "",
    toolCalls: ["a", "a", "b"].map((id) => ({ id, name: "run", arguments: "{}" })),
  });
  session.appendToolResult({ toolCallId: "a", content: "one", isError: false });
  const closed = session.closeOpenCalls("skipped");
  assert.deepEqual(
    closed.map(({ payload }) => payload.type === "Message" ? payload.message : undefined),
    [
      { role: "tool", tool_call_id: "a", content: "skipped", is_error: true },
      { role: "tool", tool_call_id: "b", content: "skipped", is_error: true },
    ],
  );
  assert.deepEqual(session.closeOpenCalls(), []);
});

Deno.test("Cursor.appendToolResult() redacts before it cuts", async () => {
  const secret = "sk-0123456789";
  const store = new MemoryStore({
    root: "/project",
    redact: (text) => text.replaceAll(secret, () => "[REDACTED]"),
  });
  const session = await store.create();
  for (let shift = 0; shift < 30; shift++) {
    const content = `${"x".repeat(400 + shift)}${secret}${"y".repeat(2000)}`;
    const entry = session.appendToolResult({
      toolCallId: "c",
      content,
      isError: false,
      maxBytes: 1000,
    });
    assert.ok(entry.payload.type === "Message");
    assert.equal(/sk-0/.test(entry.payload.message.content), false);
  }
});

Deno.test("Session refuses appends once it is closed", async () => {
  const session = await started();
  await session.close("done");
  await session.close("again");
  assert.throws(() => session.appendUserMessage("late"), { code: "session_closed" });
  assert.equal(session.entries.filter(({ payload }) => payload.type === "SessionEnded").length, 1);
});

Deno.test("Session.close() writes its reason; without it the end was unclean", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendUserMessage("hi");
  await session.close("signal");
  assert.deepEqual(session.entries.at(-1)?.payload, { type: "SessionEnded", reason: "signal" });
});

Deno.test("Session goes on where it was after cursors moved and rho was killed", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendSystemMessage("system");
  session.appendUserMessage("one");
  session.fork("b");
  session.appendUserMessage("two");
  session.switchCursor("c0");
  session.appendUserMessage("three");
  session.cursor("c1").appendUserMessage("four");
  session.appendUserMessage("five");
  // No close: what is in the file is all there is.
  const state = stateOf(session);
  await session.log.close();
  const opened = await temporary.another().open(session.id);
  assert.deepEqual(stateOf(opened), state);
  await opened.close("done");
});
