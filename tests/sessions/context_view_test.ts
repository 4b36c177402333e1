import assert from "node:assert/strict";
import fc from "fast-check";
import type { LlmMessage } from "../../core/llm/types.ts";
import {
  buildView,
  EMPTY_RESULT,
  MISSING_RESULT,
  type ViewMends,
} from "../../sessions/context_view.ts";
import type { Resolution } from "../../sessions/entry.ts";
import { MemoryStore } from "../../sessions/memory_store.ts";
import type { Session } from "../../sessions/session.ts";

async function started(): Promise<Session> {
  const session = await new MemoryStore({ root: "/project" }).create();
  session.appendSystemMessage("system");
  session.appendUserMessage("one");
  return session;
}

function call(
  id: string,
  name = "run",
  text = "{}",
): { id: string; name: string; arguments: string } {
  return { id, name, arguments: text };
}

/** Appends without closing open calls first, as a foreign file may have it. */
function rawUser(session: Session, content: string): void {
  session.appendPayload({ type: "Message", message: { role: "user", content } });
}

Deno.test("buildView() is the path as a request needs it", async () => {
  const session = await started();
  session.appendAssistantMessage({ content: "let me", toolCalls: [call("c1", "read", '{"a":1}')] });
  session.appendToolResult({ toolCallId: "c1", content: "text", isError: false });
  session.appendCustom("rho.usage.v1", {});
  session.appendAssistantMessage({ content: "done", finishReason: "stop" });
  assert.deepEqual(buildView(session), [
    { role: "system", content: "system" },
    { role: "user", content: "one" },
    {
      role: "assistant",
      content: "let me",
      toolCalls: [{ id: "c1", name: "read", arguments: '{"a":1}' }],
    },
    { role: "tool", toolCallId: "c1", content: "text" },
    { role: "assistant", content: "done", toolCalls: [] },
  ]);
});

Deno.test("buildView() starts with today's system message when it is given one", async () => {
  const session = await started();
  assert.deepEqual(buildView(session, { system: "today" })[0], {
    role: "system",
    content: "today",
  });
  session.appendPayload({ type: "Message", message: { role: "system", content: "late" } });
  assert.deepEqual(buildView(session), [
    { role: "system", content: "system" },
    { role: "user", content: "one\n\nlate" },
  ]);
});

Deno.test("buildView() skips empty messages and fills empty results (B22)", async () => {
  const session = await started();
  session.appendAssistantMessage({ content: "", partial: "cancelled" });
  session.appendAssistantMessage({ content: " \n", reasoning: { text: "only thoughts" } });
  rawUser(session, "  ");
  session.appendAssistantMessage({ content: "", toolCalls: [call("c")] });
  session.appendToolResult({ toolCallId: "c", content: " \n", isError: false });
  assert.deepEqual(buildView(session).slice(2), [
    { role: "assistant", content: "", toolCalls: [call("c")] },
    { role: "tool", toolCallId: "c", content: EMPTY_RESULT },
  ]);
});

Deno.test("buildView() pairs results by order and gives each call an id of its own (B34)", async () => {
  const session = await started();
  for (const turn of ["first", "second"]) {
    session.appendAssistantMessage({ content: "", toolCalls: [call("call_0"), call("call_0")] });
    session.appendToolResult({ toolCallId: "call_0", content: `${turn} a`, isError: false });
    session.appendToolResult({ toolCallId: "call_0", content: `${turn} b`, isError: false });
  }
  const results = buildView(session).flatMap((message) =>
    message.role === "tool" ? [[message.toolCallId, message.content]] : []
  );
  assert.deepEqual(results, [
    ["call_0", "first a"],
    ["call_0_2", "first b"],
    ["call_0_3", "second a"],
    ["call_0_4", "second b"],
  ]);
});

Deno.test("buildView() cleans ids that another protocol made (B62)", async () => {
  const session = await started();
  const long = "x".repeat(80);
  session.appendAssistantMessage({
    content: "",
    toolCalls: [call("call_1|fc_2"), call(""), call(long)],
  });
  const view = buildView(session);
  const ids = view.flatMap((message) => message.role === "tool" ? [message.toolCallId] : []);
  assert.deepEqual(ids, ["call_1_fc_2", "call", "x".repeat(64)]);
});

Deno.test("buildView() mends calls without a result and results without a call (B52, B67)", async () => {
  const session = await started();
  const mends: ViewMends[] = [];
  const onMend = (found: ViewMends) => mends.push(found);
  session.appendToolResult({ toolCallId: "c", content: "too early", isError: false });
  session.appendAssistantMessage({ content: "", toolCalls: [call("c"), call("d")] });
  session.appendToolResult({ toolCallId: "d", content: "d's", isError: false });
  session.appendToolResult({ toolCallId: "x", content: "nobody's", isError: false });
  rawUser(session, "go on");
  assert.deepEqual(buildView(session, { onMend }).slice(2), [
    { role: "assistant", content: "", toolCalls: [call("c"), call("d")] },
    { role: "tool", toolCallId: "c", content: MISSING_RESULT },
    { role: "tool", toolCallId: "d", content: "d's" },
    { role: "user", content: "go on" },
  ]);
  buildView(session, { onMend });
  assert.deepEqual(mends, [
    { missingResults: 1, orphanResults: 2, namelessCalls: 0, unknownPayloads: 0 },
  ]);
});

Deno.test("buildView() moves a user message behind the results it came between", async () => {
  const session = await started();
  session.appendAssistantMessage({ content: "", toolCalls: [call("a"), call("b")] });
  session.appendToolResult({ toolCallId: "a", content: "a's", isError: false });
  rawUser(session, "steer");
  session.appendToolResult({ toolCallId: "b", content: "b's", isError: false });
  rawUser(session, "more");
  assert.deepEqual(buildView(session).slice(3), [
    { role: "tool", toolCallId: "a", content: "a's" },
    { role: "tool", toolCallId: "b", content: "b's" },
    { role: "user", content: "steer\n\nmore" },
  ]);
});

Deno.test("buildView() leaves out calls without a name, with their results", async () => {
  const session = await started();
  session.appendAssistantMessage({ content: "", toolCalls: [call("a", " ")] });
  session.appendToolResult({ toolCallId: "a", content: "unknown tool", isError: true });
  session.appendAssistantMessage({ content: "", toolCalls: [call("b", ""), call("c")] });
  session.appendToolResult({ toolCallId: "b", content: "unknown tool", isError: true });
  session.appendToolResult({ toolCallId: "c", content: "ok", isError: false });
  assert.deepEqual(buildView(session).slice(2), [
    { role: "assistant", content: "", toolCalls: [call("c")] },
    { role: "tool", toolCallId: "c", content: "ok" },
  ]);
});

Deno.test("buildView() sends arguments as a JSON object, whatever was stored (B43)", async () => {
  const session = await started();
  const stored = ['{"a":1}', "", "  ", "{broken", "123", "null", "[1]"];
  session.appendAssistantMessage({
    content: "",
    toolCalls: stored.map((text, i) => call(`c${i}`, "run", text)),
  });
  const message = buildView(session)[2];
  assert.ok(message?.role === "assistant");
  assert.deepEqual(message.toolCalls.map((made) => made.arguments), [
    '{"a":1}',
    "{}",
    "{}",
    '{"invalid_arguments":"{broken"}',
    '{"invalid_arguments":"123"}',
    '{"invalid_arguments":"null"}',
    '{"invalid_arguments":"[1]"}',
  ]);
});

Deno.test("buildView() takes names of object built-ins for what they are (B44)", async () => {
  const session = await started();
  session.appendAssistantMessage({
    content: "",
    toolCalls: [call("__proto__", "constructor"), call("constructor", "__proto__")],
  });
  session.appendToolResult({ toolCallId: "constructor", content: "ok", isError: false });
  const view = buildView(session);
  assert.deepEqual(view.slice(3), [
    { role: "tool", toolCallId: "__proto__", content: MISSING_RESULT },
    { role: "tool", toolCallId: "constructor", content: "ok" },
  ]);
});

Deno.test("buildView() keeps reasoning in the current turn only", async () => {
  const session = await started();
  const reasoning = { text: "hm", field: "reasoning" };
  session.appendAssistantMessage({ content: "old", reasoning });
  session.appendUserMessage("two");
  session.appendAssistantMessage({ content: "", toolCalls: [call("c")], reasoning });
  session.appendToolResult({ toolCallId: "c", content: "ok", isError: false });
  session.appendCustomMessage("rho.nudge.v1", "you repeat yourself");
  session.appendAssistantMessage({ content: "new", reasoning });
  const kept = buildView(session).flatMap((message) =>
    message.role === "assistant" ? ["reasoning" in message] : []
  );
  assert.deepEqual(kept, [false, true, true]);
});

Deno.test("buildView() honours stamps, and shows a compaction where what it kept begins", async () => {
  const session = await started();
  session.appendAssistantMessage({ content: "answer one" });
  session.appendUserMessage("two");
  const kept = session.leaf;
  session.appendAssistantMessage({ content: "answer two" });
  const compaction = session.appendPayload({
    type: "Compaction",
    compaction: { summary: "they talked", first_kept: kept, tokens_before: 10 },
  });
  const [, one, answerOne, , answerTwo] = session.entries;
  const into = compaction.id;
  session.setResolution(one?.id ?? "", { level: "Compacted", into });
  session.setResolution(answerOne?.id ?? "", { level: "Compacted", into });
  session.setResolution(answerTwo?.id ?? "", { level: "Summarized", summary: "short" });
  assert.deepEqual(buildView(session), [
    { role: "system", content: "system" },
    { role: "user", content: "[Earlier conversation, compacted]\nthey talked\n\ntwo" },
    { role: "assistant", content: "short", toolCalls: [] },
  ]);
  session.setResolution(answerTwo?.id ?? "", { level: "Attached" });
  assert.deepEqual(buildView(session)[2], {
    role: "assistant",
    content: "[assistant message of 10 characters, not shown]",
    toolCalls: [],
  });
});

Deno.test("buildView() mends pairs that stamps cut in two (B67)", async () => {
  const session = await started();
  const first = session.appendAssistantMessage({ content: "", toolCalls: [call("a")] });
  session.appendToolResult({ toolCallId: "a", content: "a's", isError: false });
  session.appendAssistantMessage({ content: "", toolCalls: [call("b")] });
  const last = session.appendToolResult({ toolCallId: "b", content: "b's", isError: false });
  const { id: into } = session.appendPayload({
    type: "Compaction",
    compaction: { summary: "", first_kept: null, tokens_before: 0 },
  });
  session.setResolution(first.id, { level: "Compacted", into });
  session.setResolution(last.id, { level: "Compacted", into });
  assert.deepEqual(buildView(session).slice(2, 4), [
    { role: "assistant", content: "", toolCalls: [call("b")] },
    { role: "tool", toolCallId: "b", content: MISSING_RESULT },
  ]);
});

/** What every server accepts. */
function assertSound(view: readonly LlmMessage[]): void {
  const ids = new Set<string>();
  let open: string[] = [];
  view.forEach((message, index) => {
    const before = view[index - 1];
    assert.equal(message.role === "system", index === 0);
    if (message.role === "tool") {
      assert.equal(open.shift(), message.toolCallId);
      assert.notEqual(message.content.trim(), "");
      return;
    }
    assert.deepEqual(open, []);
    if (message.role === "user") {
      assert.notEqual(before?.role, "user");
      assert.notEqual(message.content.trim(), "");
    }
    if (message.role !== "assistant") return;
    assert.ok(message.content.trim() !== "" || message.toolCalls.length > 0);
    if (before?.role === "assistant") assert.fail("two replies in a row");
    open = message.toolCalls.map(({ id, name, arguments: text }) => {
      assert.notEqual(name.trim(), "");
      assert.equal(typeof JSON.parse(text), "object");
      assert.equal(ids.has(id), false);
      ids.add(id);
      return id;
    });
  });
  assert.deepEqual(open, []);
}

Deno.test("buildView() is sound for any log, and appending changes no more than its last message", async () => {
  const text = fc.constantFrom("", " ", "a", "b\ud800");
  const id = fc.constantFrom("", "a", "b", "a_2", "x|y");
  const step = fc.oneof(
    fc.record({ type: fc.constant("user" as const), text }),
    fc.record({
      type: fc.constant("assistant" as const),
      text,
      calls: fc.array(fc.record({ id, name: fc.constantFrom("", "run"), arguments: text }), {
        maxLength: 3,
      }),
    }),
    fc.record({ type: fc.constant("tool" as const), id, text }),
    fc.record({ type: fc.constant("system" as const), text }),
    fc.record({ type: fc.constant("note" as const), text }),
    fc.record({
      type: fc.constant("stamp" as const),
      at: fc.nat(),
      resolution: fc.constantFrom<Resolution>(
        { level: "Compacted", into: "x" },
        { level: "Attached" },
        { level: "Outlined", outline: "" },
        { level: "Full" },
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const session = await started();
      let before = buildView(session, { system: "s" });
      for (const step of steps) {
        if (step.type === "user") rawUser(session, step.text.toWellFormed());
        else if (step.type === "note") session.appendCustomMessage("a.b.v1", step.text);
        else if (step.type === "assistant") {
          session.appendAssistantMessage({ content: step.text, toolCalls: step.calls });
        } else if (step.type === "tool") {
          session.appendToolResult({ toolCallId: step.id, content: step.text, isError: false });
        } else if (step.type === "system") session.appendSystemMessage(step.text);
        else {
          const entry = session.entries[step.at % session.entries.length];
          session.setResolution(entry?.id ?? "", step.resolution);
        }
        const view = buildView(session, { system: "s" });
        assertSound(view);
        if (step.type === "user" || step.type === "note") {
          assert.deepEqual(view.slice(0, before.length - 1), before.slice(0, -1));
        }
        before = view;
      }
    }),
    { numRuns: 150 },
  );
});
