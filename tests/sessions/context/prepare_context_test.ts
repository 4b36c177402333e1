import assert from "node:assert/strict";
import { ContextError } from "../../../sessions/context/context_error.ts";
import { addCall, addRead, addTalk, emptySession, fileText, fitting } from "./_sessions.ts";

function textOf(messages: readonly unknown[]): string {
  return JSON.stringify(messages).slice(0, -1);
}

Deno.test("prepareContext() B71 runs one turn of 60 calls, 40 of them reads, in a 16k window", async () => {
  const session = await emptySession();
  const window = fitting(16_384);
  session.appendUserMessage("Find out how the parser works and fix it");
  let newest = "";
  for (let i = 0; i < 60; i++) {
    const { messages, estimatedTokens, bounded } = window.prepare(session);
    assert.ok(estimatedTokens <= window.budget.promptBudget, `request ${i} fits`);
    assert.equal(bounded, 0);
    assert.ok(textOf(messages).includes("Find out how the parser works"));
    if (newest !== "") assert.equal(messages.at(-1)?.content, newest, "the newest result is whole");
    if (i % 3 === 2) {
      newest = `Exit code 0 after 0.10 s\n<context command="x">\n${"ok\n".repeat(30)}<context:end>`;
      addCall(session, { name: "run_command", args: { command: `make ${i}` }, result: newest });
    } else {
      newest = fileText(`src/file${i}.ts`, 60);
      addRead(session, `src/file${i}.ts`, 60);
    }
  }
  assert.ok(window.prepare(session).estimatedTokens <= window.budget.promptBudget);
});

Deno.test("prepareContext() keeps the previous request as a prefix in at least 70 % of 200 turns", async () => {
  const session = await emptySession();
  const window = fitting(16_384);
  let before = "?";
  let kept = 0;
  let requests = 0;
  const send = () => {
    const { messages, estimatedTokens } = window.prepare(session);
    assert.ok(estimatedTokens <= window.budget.promptBudget);
    const text = textOf(messages);
    if (text.startsWith(before)) kept += 1;
    before = text;
    requests += 1;
  };
  for (let turn = 0; turn < 200; turn++) {
    session.appendUserMessage(
      `Request ${turn}: explain what step ${turn} of the build does and why`,
    );
    send();
    if (turn % 5 === 0) {
      addRead(session, `src/step${turn}.ts`, 70);
      send();
    }
    session.appendAssistantMessage({
      content: `Step ${turn} compiles the module and links it. `.repeat(4),
      finishReason: "stop",
    });
  }
  const part = kept / requests;
  assert.ok(part >= 0.7, `${kept} of ${requests} requests kept the prefix`);
});

Deno.test("prepareContext() downgrades the oldest first, down to the low-water mark, at once", async () => {
  const session = await emptySession();
  const window = fitting(16_384);
  session.appendUserMessage("first");
  const reads = Array.from({ length: 9 }, (_, i) => addRead(session, `f${i}.ts`, 55));
  const { downgraded, evicted, estimatedTokens } = window.prepare(session);
  assert.ok(downgraded > 1);
  assert.equal(evicted, 0);
  const { budget } = window;
  const used = estimatedTokens - budget.systemTokens - budget.toolSchemaTokens;
  assert.ok(used <= budget.conversationBudget * 0.61);
  const levels = reads.map((id) => session.stamps.get(id)?.level ?? "Full");
  assert.equal(levels.lastIndexOf("Outlined"), downgraded - 1, levels.join());
  const stamps = session.stamps.size;
  addCall(session, { name: "list_dir", result: "a\nb\nc" });
  assert.equal(window.prepare(session).downgraded, 0);
  assert.equal(session.stamps.size, stamps);
});

Deno.test("prepareContext() evicts whole turns when outlines do not save enough, and says how many", async () => {
  const session = await emptySession();
  const window = fitting(4096);
  addTalk(session, "the first request", "Understood.");
  for (let i = 0; i < 200; i++) addTalk(session, `short request ${i}`, `short answer ${i}`);
  session.appendUserMessage("the latest request");
  const { messages, evicted } = window.prepare(session);
  assert.ok(evicted > 0);
  const text = textOf(messages);
  for (const part of ["the first request", "the latest request", "short answer 199"]) {
    assert.ok(text.includes(part), part);
  }
  assert.ok(!text.includes('short answer 3"'));
  assert.match(text, new RegExp(`${evicted} earlier messages of this conversation are left out`));
});

Deno.test("prepareContext() evicts older iterations of one endless turn, calls with their results", async () => {
  const session = await emptySession();
  const window = fitting(4096);
  session.appendUserMessage("count");
  for (let i = 0; i < 300; i++) {
    addCall(session, { name: "run_command", args: { command: `echo ${i}` }, result: `${i}` });
    const { messages } = window.prepare(session);
    assert.ok(textOf(messages).includes("count"));
    const calls = messages.filter(({ role }) => role === "assistant").length;
    const results = messages.filter(({ role }) => role === "tool").length;
    assert.equal(calls, results);
  }
});

Deno.test("prepareContext() shows again what was evicted once the branch moves back to it", async () => {
  const session = await emptySession();
  const window = fitting(2600);
  session.appendUserMessage("first");
  const early = addCall(session, { name: "list_dir", result: "early result" });
  for (let i = 0; i < 150; i++) addTalk(session, `request ${i}`, `answer ${i}`);
  assert.ok(!textOf(window.prepare(session).messages).includes("early result"));
  session.branchTo(early.resultEntry);
  assert.ok(textOf(window.prepare(session).messages).includes("early result"));
});

Deno.test("prepareContext() B92 B94 bounds the latest results harder before it gives up", async () => {
  const session = await emptySession();
  const window = fitting(8192);
  session.appendUserMessage("read everything");
  const ids = ["a", "b", "c", "d"];
  session.appendAssistantMessage({
    content: "",
    toolCalls: ids.map((id) => ({ id, name: "read_file", arguments: `{"path":"${id}.json"}` })),
  });
  for (const id of ids) {
    const content = `${id}: ${'{"key":"value"},'.repeat(1500)}`;
    session.appendToolResult({ toolCallId: id, content, isError: false });
  }
  const { messages, bounded, estimatedTokens } = window.prepare(session);
  assert.equal(bounded, 4);
  assert.ok(estimatedTokens <= window.budget.promptBudget);
  for (const id of ids) assert.ok(messages.some(({ content }) => content.startsWith(`${id}: `)));
  assert.deepEqual(window.prepare(session).messages, messages);
});

Deno.test("prepareContext() says by how much the untouchable does not fit", async () => {
  const session = await emptySession();
  const window = fitting(4096);
  session.appendUserMessage("word ".repeat(10_000));
  assert.throws(() => window.prepare(session), (error) => {
    assert.ok(error instanceof ContextError);
    assert.equal(error.code, "context_overflow");
    assert.ok(Number(error.data.missingTokens) > 1000);
    assert.match(error.message, /about \d+ tokens more/);
    return true;
  });
});

Deno.test("prepareContext() never touches pinned entries, and keeps their calls", async () => {
  const session = await emptySession();
  const window = fitting(4096);
  session.appendUserMessage("first");
  const pinned = addRead(session, "plan.md", 12);
  session.pinEntry(pinned);
  for (let i = 0; i < 100; i++) addTalk(session, `request ${i}`, `answer ${i} `.repeat(10));
  const { messages } = window.prepare(session);
  const at = messages.findIndex(({ content }) => content === fileText("plan.md", 12));
  assert.ok(at > 0);
  assert.equal(messages[at - 1]?.role, "assistant");
});

Deno.test("prepareContext() joins a note to a user message that ends the request", async () => {
  const session = await emptySession();
  session.appendUserMessage("go");
  const window = fitting(4096);
  assert.equal(
    window.prepare(session, { note: "last one" }).messages.at(-1)?.content,
    "go\n\nlast one",
  );
  addCall(session, { name: "list_dir", result: "a" });
  assert.deepEqual(window.prepare(session, { note: "last one" }).messages.at(-1), {
    role: "user",
    content: "last one",
  });
  assert.equal(window.prepare(session).messages.at(-1)?.role, "tool");
});

Deno.test("prepareContext() B62 fits a long history to a smaller window before the first request", async () => {
  const session = await emptySession();
  session.appendUserMessage("first");
  for (let i = 0; i < 60; i++) addRead(session, `f${i}.ts`, 200);
  session.appendUserMessage("go on");
  fitting(1_048_576).prepare(session);
  assert.equal(session.stamps.size, 0);
  const small = fitting(32_768);
  assert.ok(small.prepare(session).estimatedTokens <= small.budget.promptBudget);
});
