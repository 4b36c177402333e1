import assert from "node:assert/strict";
import fc from "fast-check";
import type { LlmMessage } from "../../../core/llm/types.ts";
import { ContextError } from "../../../sessions/context/context_error.ts";
import { weighMessage } from "../../../sessions/context/message_weight.ts";
import type { Session } from "../../../sessions/session.ts";
import { addCall, emptySession, type Fitting, fitting, SYSTEM } from "./_sessions.ts";

const TOOLS = ["read_file", "edit_file", "run_command", "search_files", "list_dir", "odd_tool"];

const output = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 300 }) },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom("line of text\n", "x", "错误\n", "error: no\n", "\ud83d"),
      fc.nat(1500),
    )
      .map(([text, count]) => text.repeat(count)),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 3000 }) },
);

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("request" as const),
      text: fc.string({ minLength: 1, maxLength: 200 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("calls" as const),
      tools: fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 3 }),
      output,
      argument: fc.string({ maxLength: 60 }).chain((text) => fc.nat(20).map((n) => text.repeat(n))),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("reply" as const), text: output }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("branch" as const), back: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("fork" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("pin" as const), at: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("compact" as const), turns: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("send" as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let nextId = 0;

function apply(session: Session, action: Step, window: Fitting): void {
  switch (action.type) {
    case "request":
      session.appendUserMessage(`request ${nextId++}: ${action.text}`);
      return;
    case "calls": {
      const calls = action.tools.map((name) => ({
        id: `c${nextId++}`,
        name,
        arguments: JSON.stringify({ path: "a.ts", text: action.argument }),
      }));
      session.appendAssistantMessage({ content: "", toolCalls: calls, finishReason: "tool_calls" });
      for (const call of calls) {
        session.appendToolResult({ toolCallId: call.id, content: action.output, isError: false });
      }
      return;
    }
    case "reply":
      session.appendAssistantMessage({ content: action.text, finishReason: "stop" });
      return;
    case "branch": {
      const target = session.livePath.at(-1 - action.back);
      if (target !== undefined && session.livePath.indexOf(target) > 0) session.branchTo(target.id);
      return;
    }
    case "fork":
      session.fork();
      return;
    case "pin": {
      const target = session.livePath[1 + action.at];
      if (target !== undefined) session.pinEntry(target.id);
      return;
    }
    case "compact":
      session.compactOlderThan(action.turns, window);
      return;
    case "send":
      try {
        window.prepare(session);
      } catch (error) {
        if (!(error instanceof ContextError)) throw error;
      }
  }
}

function assertPaired(messages: readonly LlmMessage[]): void {
  let open: string[] = [];
  messages.forEach((message, index) => {
    assert.equal(message.role === "system", index === 0);
    if (message.role === "tool") {
      assert.equal(open.shift(), message.toolCallId);
      return;
    }
    assert.deepEqual(open, [], "every call has its result");
    if (message.role === "user") assert.notEqual(messages[index - 1]?.role, "user");
    if (message.role === "assistant") open = message.toolCalls.map(({ id }) => id);
  });
  assert.deepEqual(open, []);
}

/** Texts of the branch that every request must hold in full. */
function untouchable(session: Session): string[] {
  const messages = session.livePath.flatMap((entry) =>
    entry.payload.type === "Message" ? [{ id: entry.id, ...entry.payload.message }] : []
  );
  const requests = messages.filter((message) => message.role === "user");
  const pinned = messages.filter(({ id }) => session.stamps.get(id)?.level === "Pinned");
  return [requests[0], requests.at(-1), ...pinned]
    .map((message) => message?.content.trim() ?? "")
    .filter((text) => text !== "");
}

/** The texts of the two latest iterations. */
function latest(session: Session): string[] {
  const texts: string[] = [];
  let left = 2;
  for (const { payload } of [...session.livePath].reverse()) {
    if (payload.type !== "Message" || left === 0) continue;
    if (payload.message.role !== "user") texts.push(payload.message.content.trim());
    if (payload.message.role === "assistant") left -= 1;
  }
  return texts.filter((text) => text !== "");
}

Deno.test("prepareContext() B67 sends a sound request of any tree that fits, holds what must not go, and renders the same state to the same bytes", async () => {
  let fits = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 60 }),
      fc.constantFrom(1500, 4000, 8192, 16_384, 32_768),
      async (steps, contextWindow) => {
        nextId = 0;
        const session = await emptySession();
        const window = fitting(contextWindow);
        session.appendUserMessage("the first request");
        for (const action of steps) apply(session, action, window);
        let prepared;
        try {
          prepared = window.prepare(session);
        } catch (error) {
          assert.ok(error instanceof ContextError);
          assert.ok(Number(error.data.missingTokens) > 0);
          return;
        }
        fits += 1;
        const { messages } = prepared;
        assert.deepEqual(messages[0], { role: "system", content: SYSTEM });
        assertPaired(messages);
        const { estimator, budget } = window;
        const weight = messages.reduce((sum, message) => sum + weighMessage(message), 0);
        assert.ok(estimator.tokensOf(weight) + budget.toolSchemaTokens - 1 <= budget.promptBudget);
        assert.ok(prepared.estimatedTokens <= budget.promptBudget);
        const contents = messages.map(({ content }) => content);
        const isIn = (text: string) => contents.some((content) => content.includes(text));
        for (const text of untouchable(session)) assert.ok(isIn(text), text.slice(0, 80));
        if (prepared.bounded === 0 && !wasBounded(session)) {
          for (const text of latest(session)) assert.ok(isIn(text), text.slice(0, 80));
        }
        const again = window.prepare(session);
        assert.equal(JSON.stringify(again.messages), JSON.stringify(messages));
        assert.deepEqual([again.downgraded, again.evicted, again.bounded], [0, 0, 0]);
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(fits > 150, `${fits} fit`);
});

/** Whether a message of the latest iterations was shortened, by an earlier request or a summary. */
function wasBounded(session: Session): boolean {
  let left = 2;
  for (const { id, payload } of [...session.livePath].reverse()) {
    if (payload.type !== "Message" || left === 0) continue;
    const level = session.stamps.get(id)?.level ?? "Full";
    if (level !== "Full" && level !== "Pinned") return true;
    if (payload.message.role === "assistant") left -= 1;
  }
  return false;
}

Deno.test("prepareContext() keeps the prefix while nothing crosses the high-water mark", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(40), { minLength: 2, maxLength: 30 }), async (sizes) => {
      const session = await emptySession();
      const window = fitting(16_384);
      session.appendUserMessage("go");
      let before = "";
      for (const lines of sizes) {
        addCall(session, {
          name: "run_command",
          args: { command: "x" },
          result: "row\n".repeat(lines),
        });
        const { messages, downgraded, evicted, bounded } = window.prepare(session);
        const text = JSON.stringify(messages).slice(0, -1);
        if (downgraded + evicted + bounded === 0) assert.ok(text.startsWith(before));
        before = text;
      }
    }),
    { numRuns: 50 },
  );
});
