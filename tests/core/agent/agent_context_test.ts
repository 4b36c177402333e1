import assert from "node:assert/strict";
import { TurnError } from "../../../core/agent/turn_error.ts";
import { checkContext } from "../../../core/agent/context_check.ts";
import { DEFAULT_SETTINGS } from "../../../core/config/settings.ts";
import { SILENT_LOGGER } from "../../../core/base/log.ts";
import { ProviderError } from "../../../core/llm/provider_error.ts";
import type { LlmRequest, StreamEvent } from "../../../core/llm/types.ts";
import { ContextError } from "../../../sessions/context/context_error.ts";
import { calls, says, type ScriptedAnswer } from "../../support/scripted_model.ts";
import { startTestAgent, type TestAgent, testTool } from "../../support/test_agent.ts";

const LONG = "some words of a long result\n".repeat(250);

const TOOLS = [testTool({ name: "read_file", run: () => ({ output: LONG, isError: false }) })];

function reads(count: number): ScriptedAnswer[] {
  return Array.from(
    { length: count },
    (_, i) => calls({ name: "read_file", arguments: { text: `f${i}` } }),
  );
}

function tooLong(): ScriptedAnswer {
  return {
    events: [],
    error: new ProviderError("The prompt is too long", {
      code: "context_length_exceeded",
      retriable: false,
      provider: "test",
      status: 400,
    }),
  };
}

function textOf(request: LlmRequest | undefined): string {
  return JSON.stringify(request?.messages);
}

async function talk(test: TestAgent, turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await test.agent.run(`request ${i}: ${"why ".repeat(80)}`);
}

Deno.test("Agent.run() B73 compacts by itself at the threshold, without a server that counts", async () => {
  const silent = (text: string): ScriptedAnswer => ({
    events: says(text).events.filter(({ type }) => type !== "usage"),
  });
  await using test = await startTestAgent([silent("answer ".repeat(150))], {
    config: { tokenBudget: 8192, autoCompactPercent: 50 },
  });
  await talk(test, 20);
  const compactions = test.of("compaction");
  assert.ok(compactions.length >= 1, "compacted");
  assert.ok(compactions.length <= 8, `not in every turn: ${compactions.length}`);
  for (const { mode, compactedEntries, tokensBefore, tokensAfter } of compactions) {
    assert.equal(mode, "mechanical");
    assert.ok(compactedEntries > 0 && tokensAfter < tokensBefore);
  }
  assert.ok(textOf(test.model.requests.at(-1)).includes("request 0: why"));
  assert.ok(test.of("usage").every(({ context }) => context.utilizationPercent <= 100));
});

Deno.test("Agent.run() B65 keeps a quarter of a small window free and does not compact after every step", async () => {
  const tool = testTool({
    name: "read_file",
    run: () => ({ output: LONG.slice(0, 2000), isError: false }),
  });
  await using test = await startTestAgent([...reads(30), says("Done")], {
    tools: [tool],
    config: { tokenBudget: 8192, autoCompactPercent: 85 },
  });
  const result = await test.agent.run("look at everything");
  assert.equal(result.finishReason, "stop");
  assert.equal(test.model.requests[0]?.maxTokens, 2048);
  assert.equal(test.of("usage")[0]?.context.completionReserve, 2048);
  const count = test.of("compaction").length;
  assert.ok(count > 0 && count <= 10, `${count} compactions in 31 iterations`);
});

Deno.test("Agent.run() makes room and asks once more when the server finds the prompt too long", async () => {
  await using test = await startTestAgent(
    [
      says("a ".repeat(2500)),
      ...Array(6).fill(says("word ".repeat(900))),
      tooLong(),
      says("short"),
    ],
    { config: { tokenBudget: 32_768 } },
  );
  await talk(test, 7);
  const result = await test.agent.run("and now?");
  assert.equal(result.reply, "short");
  const [refused, sent] = test.model.requests.slice(-2);
  assert.ok(textOf(sent).length < textOf(refused).length * 0.75);
  assert.ok(textOf(sent).includes("and now?"));
  assert.deepEqual(
    test.of("notice").map(({ code }) => code).filter((code) => code === "context_refused"),
    ["context_refused"],
  );
});

Deno.test("Agent.run() fails with the server's error when the second try is too long as well, and stays usable", async () => {
  const many = Array(6).fill(says("word ".repeat(900)));
  await using test = await startTestAgent([...many, tooLong(), tooLong(), says("fine")], {});
  await talk(test, 6);
  await assert.rejects(test.agent.run("and now?"), (error) => {
    assert.ok(error instanceof TurnError);
    assert.equal(error.code, "context_length_exceeded");
    return true;
  });
  assert.equal((await test.agent.run("again")).reply, "fine");
});

Deno.test("Agent.compact() B64 falls back to the mechanical summary when the model fails, and says so once", async () => {
  const failing: ScriptedAnswer = { ...tooLong(), events: [{ type: "text", delta: "half" }] };
  await using test = await startTestAgent(
    [...Array(7).fill(says("word ".repeat(300))), failing, says("after")],
    { config: { compactionMode: "llm" } },
  );
  await talk(test, 7);
  const result = await test.agent.compact();
  assert.ok(result.compactedEntries > 0);
  assert.equal(test.of("compaction")[0]?.mode, "mechanical");
  assert.equal(test.of("notice").filter(({ code }) => code === "compaction_fallback").length, 1);
  assert.equal((await test.agent.run("go on")).reply, "after");
  assert.ok(!textOf(test.model.requests.at(-1)).includes("half"));
});

Deno.test("Agent.compact() B64 asks the model in requests that fit, without tools, as side usage", async () => {
  const answers = [
    ...reads(8),
    says("Read all."),
    ...Array(5).fill(says("ok")),
    says("The narrative."),
  ];
  await using test = await startTestAgent(answers, {
    tools: TOOLS,
    config: { compactionMode: "llm", tokenBudget: 16_384 },
  });
  await test.agent.run("read: never touch the lock file");
  await talk(test, 5);
  const before = test.model.requests.length;
  const { compactedEntries } = await test.agent.compact("the lock file");
  assert.ok(compactedEntries > 0);
  const asked = test.model.requests.slice(before);
  assert.ok(asked.length >= 1 && asked.length <= 4);
  for (const request of asked) {
    assert.deepEqual(request.tools, []);
    assert.ok(textOf(request).length / 3 < 12_288);
    assert.ok(textOf(request).includes("focus on: the lock file"));
  }
  assert.equal(test.of("compaction")[0]?.mode, "llm");
  const session = await test.agent.session();
  const side = session.entries.filter(({ payload }) =>
    payload.type === "Custom" && payload.kind === "rho.side_usage.v1"
  );
  assert.equal(side.length, asked.length);
  await test.agent.run("go on");
  const sent = textOf(test.model.requests.at(-1));
  assert.ok(sent.includes("The narrative.") && sent.includes("Focus: the lock file"));
});

Deno.test("Agent.steer() B74 during a compaction is delivered once and in order", async () => {
  const answers: ScriptedAnswer[] = [
    ...Array(6).fill(says("word ".repeat(300))),
    {
      ...says("Notes."),
      onStart: () => {
        test.agent.steer("first steer");
        test.agent.steer("second steer");
      },
    },
    says("one"),
    says("two"),
  ];
  await using test: TestAgent = await startTestAgent(answers, {
    config: { tokenBudget: 6000, compactionMode: "llm", autoCompactPercent: 50 },
  });
  for (let i = 0; i < 12 && test.of("steer/applied").length === 0; i++) {
    await test.agent.run(`request ${i}`);
  }
  assert.deepEqual(test.of("steer/applied").map(({ message }) => message), [
    "first steer",
    "second steer",
  ]);
  const sent = textOf(test.model.requests.at(-1));
  assert.equal(sent.split("first steer").length, 2);
  assert.ok(sent.indexOf("first steer") < sent.indexOf("second steer"));
});

Deno.test("Agent.run() refuses a window too small to work in, with numbers and advice", async () => {
  await using test = await startTestAgent([says("never")], { config: { tokenBudget: 1500 } });
  await assert.rejects(test.agent.run("hi"), (error) => {
    assert.ok(error instanceof TurnError);
    assert.equal(error.code, "context_budget_too_small");
    assert.match(error.message, /1500 tokens.*--compact.*--token-budget \d+/);
    return true;
  });
  assert.equal(test.model.requests.length, 0);
});

Deno.test("checkContext() says in one line how the window is shared out, and advises a window that works", async () => {
  const lines: string[] = [];
  const logger = { ...SILENT_LOGGER, info: (line: string) => lines.push(line) };
  await using small = await startTestAgent([], { config: { tokenBudget: 1500 } });
  let needed = 0;
  try {
    checkContext(await small.agent.context(), logger);
    assert.fail("a small window is refused");
  } catch (error) {
    assert.ok(error instanceof ContextError);
    needed = Number(error.data.neededWindow);
  }
  assert.match(lines[0] ?? "", /^Context window 1500 tokens: 375 kept for the reply, 1125 for the/);
  await using enough = await startTestAgent([], { config: { tokenBudget: needed } });
  assert.ok(checkContext(await enough.agent.context(), logger).conversationBudget >= 1000);
  assert.equal(lines.length, 2);
});

Deno.test("Agent.run() forgets what was read when a read leaves the context (B71)", async () => {
  let forgotten = 0;
  const tool = testTool({
    name: "read_file",
    run: (_args, { tracker }) => {
      const isRepeated = tracker.noteRead("/f", { content: "x", offset: 1, limit: 1 });
      if (!isRepeated) forgotten += 1;
      return { output: LONG, isError: false };
    },
  });
  await using test = await startTestAgent([...reads(12), says("Done")], {
    tools: [tool],
    config: { tokenBudget: 8192 },
  });
  await test.agent.run("read");
  assert.ok(forgotten >= 2, `${forgotten}`);
});

Deno.test("Agent.run() continues a reply that was cut at the output limit, once", async () => {
  await using test = await startTestAgent([says("Half of", "length"), says(" it.")]);
  const result = await test.agent.run("write");
  assert.equal(result.reply, "Half of it.");
  assert.equal(result.finishReason, "stop");
  const session = await test.agent.session();
  const notes = session.livePath.filter(({ payload }) =>
    payload.type === "CustomMessage" && payload.kind === "rho.continue.v1"
  );
  assert.equal(notes.length, 1);
  assert.match(test.model.requests[1]?.messages.at(-1)?.content ?? "", /Continue exactly/);
  await using again = await startTestAgent([says("a", "length")]);
  const cut = await again.agent.run("write");
  assert.deepEqual([cut.reply, cut.finishReason, cut.iterations], ["aa", "length", 2]);
});

Deno.test("Agent.run() asks again for a call that the output limit cut off, and runs nothing of it", async () => {
  const answers = [says("", "length"), calls({ name: "read_file", arguments: {} }), says("Done")];
  await using test = await startTestAgent(answers, { tools: TOOLS });
  const result = await test.agent.run("go");
  assert.equal(result.finishReason, "stop");
  assert.equal(result.toolCalls.length, 1);
  assert.match(test.model.requests[1]?.messages.at(-1)?.content ?? "", /smaller parts/);
});

Deno.test("Agent.run() B05 counts usage that comes with the last chunk, in the meter and the session", async () => {
  await using test = await startTestAgent([says("Hello")]);
  await test.agent.run("hi");
  const { totals } = await test.agent.session();
  assert.deepEqual(
    [totals.inputTokens, totals.outputTokens, totals.requestCount, totals.unreportedTokens],
    [100, 10, 1, 0],
  );
  assert.ok((test.of("usage")[0]?.context.estimatedUsed ?? 0) > 100);
});

Deno.test("Agent.run() B73 counts an estimate for a response without usage", async () => {
  const events: StreamEvent[] = says("Hello").events.filter(({ type }) => type !== "usage");
  await using test = await startTestAgent([{ events }]);
  await test.agent.run("hi");
  const { totals } = await test.agent.session();
  assert.equal(totals.totalTokens, 0);
  assert.ok(totals.unreportedTokens > 100);
  assert.ok(totals.costIncomplete);
});

Deno.test("Agent.run() ends as budget when the session's tokens are used up, between requests", async () => {
  await using test = await startTestAgent([...reads(3), says("Done")], {
    tools: TOOLS,
    limits: { ...DEFAULT_SETTINGS.budget, maxTotalTokens: 3000 },
  });
  const result = await test.agent.run("go");
  assert.equal(result.finishReason, "budget");
  assert.ok(test.model.requests.length >= 1 && test.model.requests.length < 4);
  assert.match(test.of("notice").at(-1)?.message ?? "", /token/);
  const next = await test.agent.run("again");
  assert.deepEqual([next.finishReason, next.iterations], ["budget", 0]);
});

Deno.test("Agent.run() aborts a reply that goes over the token limit while it streams", async () => {
  const flood: ScriptedAnswer = {
    events: Array.from(
      { length: 500 },
      () => ({ type: "text", delta: "many more words " } as const),
    ),
    hang: true,
  };
  await using test = await startTestAgent([flood], {
    limits: { ...DEFAULT_SETTINGS.budget, maxTotalTokens: 1500 },
  });
  const result = await test.agent.run("go");
  assert.equal(result.finishReason, "budget");
  assert.ok((test.model.requests[0]?.maxTokens ?? 0) < 1500);
});

Deno.test("Agent.run() ends as budget when its time is up, inside a request and inside a tool", async () => {
  const limits = { ...DEFAULT_SETTINGS.budget, maxTurnMs: 30 };
  await using hanging = await startTestAgent([{ events: [], hang: true }], { limits });
  assert.equal((await hanging.agent.run("go")).finishReason, "budget");
  const tool = testTool({
    name: "slow",
    run: (_args, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ output: "stopped", isError: true }))
      ),
  });
  await using slow = await startTestAgent([calls({ name: "slow", arguments: {} })], {
    tools: [tool],
    limits,
  });
  const result = await slow.agent.run("go");
  assert.deepEqual([result.finishReason, result.toolCalls.length], ["budget", 1]);
  await slow.agent.run("and a new turn has its own time");
});

Deno.test("Agent.run() ends as budget when the money is spent; calls that came are answered", async () => {
  const usage = { inputTokens: 9, outputTokens: 9, cachedTokens: 0, reasoningTokens: 0, cost: 0.6 };
  const paid = (answer: ScriptedAnswer): ScriptedAnswer => ({
    events: [{ type: "usage", usage }, ...answer.events],
  });
  await using test = await startTestAgent(reads(4).map(paid), {
    tools: TOOLS,
    limits: { ...DEFAULT_SETTINGS.budget, maxCostUsd: 1 },
  });
  const result = await test.agent.run("go");
  assert.equal(result.finishReason, "budget");
  assert.deepEqual(result.toolCalls.map(({ outcome }) => outcome.kind), ["success", "skipped"]);
  assert.match(test.of("notice").at(-1)?.message ?? "", /cost \$1\.2000; the limit is \$1/);
});

Deno.test("Agent.run() cancelled is cancelled, whatever limits there are", async () => {
  await using test = await startTestAgent(
    [{ events: [], hang: true, onStart: () => void setTimeout(() => test.agent.abort(), 5) }],
    { limits: { ...DEFAULT_SETTINGS.budget, maxTurnMs: 5000 } },
  );
  assert.equal((await test.agent.run("go")).finishReason, "cancelled");
});

Deno.test("Agent.run() notices a command repeated with the same result, whatever time it took", async () => {
  let runs = 0;
  const tool = testTool({
    name: "run_command",
    run: () => ({ output: `Exit code 1 after 0.${10 + runs++} s`, isError: true }),
  });
  const answers = Array.from({ length: 9 }, (_, i) => ({
    events: [
      { type: "text", delta: `Try ${i}` } as const,
      ...calls({ name: "run_command", arguments: { text: "make" } }).events,
    ],
  }));
  await using test = await startTestAgent(answers, { tools: [tool] });
  const result = await test.agent.run("go");
  assert.equal(result.finishReason, "loop_detected");
  assert.equal(result.iterations, 6);
});
