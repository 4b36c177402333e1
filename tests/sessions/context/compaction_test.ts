import assert from "node:assert/strict";
import fc from "fast-check";
import type { LlmMessage } from "../../../core/llm/types.ts";
import { renderCompaction } from "../../../sessions/context/render_compaction.ts";
import type { Session } from "../../../sessions/session.ts";
import { buildView } from "../../../sessions/context_view.ts";
import { addCall, addRead, addTalk, emptySession, fitting } from "./_sessions.ts";

const FAILED_TEST = 'Exit code 1 after 0.52 s\n<context command="x">\n' +
  "test parse ... FAILED\nerror: expected `;` at src/parser.rs:12\n<context:end>";

/** A session with changes, a failure that is fixed and one that is not. */
async function workedOn(): Promise<Session> {
  const session = await emptySession();
  session.appendUserMessage("Make the parser accept trailing commas");
  addRead(session, "src/parser.rs", 120);
  addRead(session, "src/lexer.rs", 120);
  addCall(session, {
    name: "edit_file",
    args: { path: "src/parser.rs", edits: [] },
    result: 'Applied 1 edit to "src/parser.rs".\n<context path="src/parser.rs" diff="applied">\n' +
      "@@ -1,2 +1,3 @@\n-old\n+new\n+more\n<context:end>",
  });
  addCall(session, {
    name: "run_command",
    args: { command: "cargo test parser" },
    result: FAILED_TEST,
    isError: true,
  });
  addCall(session, {
    name: "run_command",
    args: { command: "cargo test lexer" },
    result: FAILED_TEST,
    isError: true,
  });
  addCall(session, {
    name: "run_command",
    args: { command: "cargo test lexer" },
    result: "Exit code 0 after 0.50 s",
  });
  session.appendAssistantMessage({ content: "The parser needs one more change." });
  addTalk(session, "Never touch Cargo.toml", "I will not.");
  session.appendUserMessage("Write the docs");
  addCall(session, {
    name: "write_file",
    args: { path: "docs/commas.md", content: "text\n".repeat(400) },
    result: 'Created "docs/commas.md": 400 lines, 2.0 KiB.',
  });
  session.appendAssistantMessage({ content: "Docs are written." });
  for (let i = 0; i < 4; i++) addTalk(session, `later request ${i}`, `later answer ${i}`);
  return session;
}

function textOf(session: Session): string {
  return JSON.stringify(buildView(session));
}

Deno.test("compactOlderThan() B70 keeps requests, changed files and open failures in sight", async () => {
  const session = await workedOn();
  const result = session.compactOlderThan(4, fitting(16_384));
  assert.ok(result.compactedEntries > 10);
  assert.ok(result.tokensAfter < result.tokensBefore * 0.9);
  const summary = buildView(session)[1]?.content ?? "";
  for (
    const part of [
      "Make the parser accept trailing commas",
      "**Current request:** later request 3",
      "**Initial request:** Make the parser",
      "Never touch Cargo.toml",
      "src/parser.rs: edited 1×, last applied, +2 −1 lines",
      "docs/commas.md: Created: 400 lines",
      "cargo test parser",
      "error: expected `;` at src/parser.rs:12",
      "**Exploration:** read src/lexer.rs [1-120/120], src/parser.rs [1-120/120] (2 reads)",
      "Docs are written.",
    ]
  ) assert.ok(summary.includes(part), `${part}\n\nin\n\n${summary}`);
  const failures = summary.slice(summary.indexOf("**Failed"), summary.indexOf("**Findings"));
  assert.ok(!failures.includes("cargo test lexer"), failures);
  assert.ok(textOf(session).includes("later answer 0"));
  assert.ok(!textOf(session).includes("compute(7"));
});

Deno.test("compactOlderThan() is deterministic: the same log gives the same bytes", async () => {
  const [a, b] = [await workedOn(), await workedOn()];
  for (const session of [a, b]) session.compactOlderThan(4, fitting(16_384));
  const texts = [a, b].map((session) => {
    const found = session.livePath.find(({ payload }) => payload.type === "Compaction");
    assert.ok(found?.payload.type === "Compaction");
    return renderCompaction(found.payload.compaction);
  });
  assert.equal(texts[0], texts[1]);
});

Deno.test("compactOlderThan() B67 stacks: files, failures and requests of the first stay", async () => {
  const session = await workedOn();
  const window = fitting(16_384);
  session.compactOlderThan(4, window);
  session.fork();
  for (let i = 0; i < 8; i++) {
    session.appendUserMessage(`second part ${i}`);
    addRead(session, `src/more${i}.rs`, 60);
    session.appendAssistantMessage({ content: "Read." });
  }
  const { compactedEntries } = session.compactOlderThan(2, window);
  assert.ok(compactedEntries > 10);
  const view = buildView(session);
  const summary = view[1]?.content ?? "";
  for (
    const part of ["src/parser.rs", "docs/commas.md", "cargo test parser", "Never touch Cargo"]
  ) {
    assert.ok(summary.includes(part), part);
  }
  assert.equal(summary.split("[Earlier conversation, compacted").length, 2);
  assertPaired(view);
  session.switchCursor("c0");
  assertPaired(buildView(session));
});

Deno.test("compactOlderThan() closes a failure of an earlier summary once it is fixed", async () => {
  const session = await workedOn();
  const window = fitting(16_384);
  session.compactOlderThan(4, window);
  session.appendUserMessage("fix it");
  addCall(session, {
    name: "run_command",
    args: { command: "cargo test parser" },
    result: "Exit code 0",
  });
  session.appendAssistantMessage({ content: "Fixed." });
  for (let i = 0; i < 6; i++) addTalk(session, `tail ${i}`, "words of an answer ".repeat(60));
  assert.ok(session.compactOlderThan(2, window).compactedEntries > 0);
  assert.ok(!(buildView(session)[1]?.content ?? "").includes("Failed and not fixed"));
});

Deno.test("compactOlderThan() B68 waits while calls are open", async () => {
  const session = await workedOn();
  const calls = ["x", "y"].map((id) => ({ id, name: "list_dir", arguments: "{}" }));
  session.appendAssistantMessage({ content: "", toolCalls: calls });
  session.appendToolResult({ toolCallId: "x", content: "first", isError: false });
  const before = session.entries.length;
  assert.equal(session.compactOlderThan(1, fitting(16_384)).compactedEntries, 0);
  assert.equal(session.entries.length, before);
  session.appendToolResult({ toolCallId: "y", content: "second", isError: false });
  assert.ok(session.compactOlderThan(1, fitting(16_384)).compactedEntries > 0);
});

Deno.test("compactOlderThan() changes nothing when it would save less than 10 %", async () => {
  const session = await emptySession();
  for (let i = 0; i < 6; i++) addTalk(session, `request ${i}`, `answer ${i}`);
  const before = session.entries.length;
  const result = session.compactOlderThan(4, fitting(16_384));
  assert.equal(result.compactedEntries, 0);
  assert.ok(result.tokensBefore > 0 && result.tokensAfter > 0);
  assert.equal(session.entries.length, before);
});

Deno.test("compactOlderThan() cuts one huge turn where no call is parted from its result", async () => {
  const session = await emptySession();
  session.appendUserMessage("one huge task");
  for (let i = 0; i < 30; i++) addRead(session, `f${i}.ts`, 40);
  assert.ok(session.compactOlderThan(4, fitting(16_384)).compactedEntries > 10);
  const view = buildView(session);
  assertPaired(view);
  assert.ok((view[1]?.content ?? "").includes("one huge task"));
  assert.ok(JSON.stringify(view).includes("f29.ts"));
});

Deno.test("compactOlderThan() leaves pinned iterations whole, and the branch before it untouched", async () => {
  const session = await workedOn();
  const pinned = session.livePath[3]?.id ?? "";
  session.pinEntry(pinned);
  const before = session.leaf ?? "";
  const text = textOf(session);
  session.compactOlderThan(4, fitting(16_384));
  assertPaired(buildView(session));
  assert.ok(textOf(session).includes("compute(7, "));
  session.branchTo(before);
  assert.equal(textOf(session), text);
});

Deno.test("compactOlderThan() carries the notes and the focus along", async () => {
  const session = await workedOn();
  const window = fitting(16_384);
  session.compactOlderThan(4, { ...window, focus: "the trailing comma rule" });
  assert.ok(textOf(session).includes("Focus: the trailing comma rule"));
  for (let i = 0; i < 6; i++) addTalk(session, `tail ${i}`, "words of an answer ".repeat(60));
  session.compactOlderThan(2, window);
  assert.ok(textOf(session).includes("Focus: the trailing comma rule"));
});

Deno.test("compactOlderThan() B67 leaves every branch of random trees sound", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("talk", "call", "compact", "fork", "back"), fc.nat(30)), {
        maxLength: 40,
      }),
      async (steps) => {
        const session = await emptySession();
        session.appendUserMessage("first");
        for (const [kind, n] of steps) {
          if (kind === "talk") addTalk(session, `r${n}`, "a".repeat(n * 20));
          else if (kind === "call") addRead(session, `f${n}.ts`, n);
          else if (kind === "compact") session.compactOlderThan(n % 4, fitting(8192));
          else if (kind === "fork") session.fork();
          else session.branchTo(session.livePath.at(-1 - n % 8)?.id ?? session.leaf ?? "");
        }
        for (const { id } of session.cursors()) assertPaired(buildView(session.cursor(id)));
      },
    ),
    { numRuns: 100 },
  );
});

/** Asserts that every result follows its call and that every call has its result. */
function assertPaired(view: readonly LlmMessage[]): void {
  let open: string[] = [];
  for (const message of view) {
    if (message.role === "tool") assert.equal(open.shift(), message.toolCallId);
    else {
      assert.deepEqual(open, []);
      open = message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : [];
    }
  }
  assert.deepEqual(open, []);
}
