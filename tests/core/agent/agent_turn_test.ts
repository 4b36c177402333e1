import assert from "node:assert/strict";
import { AgentBusyError, TurnError } from "../../../core/agent/turn_error.ts";
import { ProviderError } from "../../../core/llm/provider_error.ts";
import { calls, says } from "../../support/scripted_model.ts";
import { startTestAgent, testTool } from "../../support/test_agent.ts";

function brokenStream(retriable = true): ProviderError {
  return new ProviderError("The stream broke", {
    code: "stream_interrupted",
    retriable,
    provider: "test",
  });
}

Deno.test("Agent.run() answers a prompt and tells everything in order", async () => {
  await using test = await startTestAgent([says("Hello")]);
  const result = await test.agent.run("hi");
  assert.equal(result.reply, "Hello");
  assert.equal(result.finishReason, "stop");
  assert.equal(result.iterations, 1);
  assert.deepEqual(test.events.map((event) => event.type), [
    "agent/start",
    "state/change",
    "message/delta",
    "usage",
    "state/change",
    "agent/end",
  ]);
  assert.deepEqual(test.of("state/change").map(({ state }) => state), ["thinking", "idle"]);
  assert.deepEqual(test.model.requests[0]?.messages.map((message) => message.role), [
    "system",
    "user",
  ]);
});

Deno.test("Agent.run() feeds tool results back until the model replies", async () => {
  await using test = await startTestAgent(
    [calls({ name: "a", arguments: {} }, { name: "b", arguments: {} }), says("Done")],
    { tools: [testTool({ name: "a" }), testTool({ name: "b" })] },
  );
  const result = await test.agent.run("go");
  assert.equal(result.iterations, 2);
  assert.deepEqual(result.toolCalls.map(({ id, outcome }) => [id, outcome]), [
    ["c1", { kind: "success", output: "ran a" }],
    ["c2", { kind: "success", output: "ran b" }],
  ]);
  assert.deepEqual(test.model.requests[1]?.messages.slice(-2), [
    { role: "tool", toolCallId: "c1", content: "ran a" },
    { role: "tool", toolCallId: "c2", content: "ran b" },
  ]);
});

Deno.test("Agent.run() keeps the beginning of each request the same", async () => {
  const answers = [calls({ name: "a", arguments: {} }), says("one"), says("two")];
  await using test = await startTestAgent(answers, { tools: [testTool({ name: "a" })] });
  await test.agent.run("first");
  await test.agent.run("second");
  const bodies = test.model.requests.map((request) =>
    JSON.stringify(request.messages).slice(0, -1)
  );
  assert.ok(bodies[1]?.startsWith(bodies[0] ?? "?"));
  assert.ok(bodies[2]?.startsWith(bodies[1] ?? "?"));
});

Deno.test("Agent.run() repeats a broken request and says which text is void", async () => {
  const broken = { events: [{ type: "text", delta: "Hel" } as const], error: brokenStream() };
  await using test = await startTestAgent([broken, says("Hello")]);
  const result = await test.agent.run("hi");
  assert.equal(result.reply, "Hello");
  assert.equal(result.usage.requestCount, 2);
  const [retry] = test.of("retry");
  assert.equal(retry?.attempt, 1);
  assert.equal(retry?.maxAttempts, 4);
  assert.equal(retry?.discardedChars, 3);
});

Deno.test("Agent.run() ends with the partial text when the retry budget is spent", async () => {
  const broken = { events: [{ type: "text", delta: "Hel" } as const], error: brokenStream() };
  await using test = await startTestAgent([broken], { config: { retryBudget: 2 } });
  const result = await test.agent.run("hi");
  assert.equal(result.finishReason, "retry_budget_exhausted");
  assert.equal(result.reply, "Hel");
  assert.equal(test.model.requests.length, 3);
  assert.equal(test.of("notice").at(-1)?.code, "stream_interrupted");
});

Deno.test("Agent.run() fails in-band when a request is not worth repeating", async () => {
  await using test = await startTestAgent([{ events: [], error: brokenStream(false) }, says("ok")]);
  await assert.rejects(test.agent.run("hi"), (error) => {
    assert.ok(error instanceof TurnError);
    assert.deepEqual(error.data, {
      code: "stream_interrupted",
      finishReason: "error",
      retriable: false,
    });
    return true;
  });
  assert.deepEqual(test.events.slice(-2).map((event) => event.type), [
    "state/change",
    "agent/error",
  ]);
  assert.equal((await test.agent.run("again")).reply, "ok");
});

Deno.test("Agent.run() B01 never takes a silent end for a success", async () => {
  await using test = await startTestAgent([says("")], { config: { maxConsecutiveEmpty: 3 } });
  const result = await test.agent.run("hi");
  assert.equal(result.finishReason, "consecutive_empty_responses");
  assert.equal(test.model.requests.length, 3);
});

Deno.test("Agent.run() marks a reply whose end the server did not explain", async () => {
  await using test = await startTestAgent([says("half", null)]);
  assert.equal((await test.agent.run("hi")).finishReason, "incomplete");
  const session = await test.agent.session();
  const reply = session.livePath.find((entry) =>
    entry.payload.type === "Message" && entry.payload.message.role === "assistant"
  );
  assert.ok(reply?.payload.type === "Message" && reply.payload.message.role === "assistant");
  assert.equal(reply.payload.message.partial, "incomplete");
});

Deno.test("Agent.run() ends as the wire says, and an unknown word is no success", async () => {
  for (
    const [wire, finishReason] of [
      ["length", "length"],
      ["content_filter", "content_filter"],
      ["error", "incomplete"],
      ["stop", "stop"],
    ] as const
  ) {
    await using test = await startTestAgent([says("text", wire)]);
    assert.equal((await test.agent.run("hi")).finishReason, finishReason);
  }
});

Deno.test("Agent.run() B38 runs complete calls whatever the finish reason is", async () => {
  const call = calls({ name: "a", arguments: {} });
  const events = call.events.map((event) =>
    event.type === "done" ? { ...event, finishReason: "stop" } : event
  );
  await using test = await startTestAgent([{ events }, says("Done")], {
    tools: [testTool({ name: "a" })],
  });
  assert.equal((await test.agent.run("hi")).toolCalls.length, 1);
});

Deno.test("Agent.run() runs no call of a stream that ended without any mark", async () => {
  const call = calls({ name: "a", arguments: {} });
  const events = call.events.map((event) =>
    event.type === "done" ? { ...event, finishReason: null, endMark: false } : event
  );
  let runs = 0;
  const tool = testTool({
    name: "a",
    run: () => {
      runs += 1;
      return { output: "", isError: false };
    },
  });
  await using test = await startTestAgent([{ events }, says("Done")], { tools: [tool] });
  await test.agent.run("hi");
  assert.equal(runs, 0);
});

Deno.test("Agent.run() stops at the iteration limit, tells the model before, skips the last calls", async () => {
  await using test = await startTestAgent(
    [calls({ name: "a", arguments: { count: 1 } }), calls({ name: "a", arguments: { count: 2 } })],
    { tools: [testTool({ name: "a" })], config: { maxIterations: 2 } },
  );
  const result = await test.agent.run("go");
  assert.equal(result.finishReason, "max_iterations");
  assert.deepEqual(result.toolCalls.map((call) => call.outcome.kind), ["success", "skipped"]);
  assert.match(test.model.requests[1]?.messages.at(-1)?.content ?? "", /last response/);
  assert.doesNotMatch(test.model.requests[0]?.messages.at(-1)?.content ?? "", /last response/);
});

Deno.test("Agent.run() nudges a turn that repeats itself, then ends it", async () => {
  await using test = await startTestAgent([calls({ name: "a", arguments: {} })], {
    tools: [testTool({ name: "a" })],
    config: { stuckLoopThreshold: 2 },
  });
  const result = await test.agent.run("go");
  assert.equal(result.finishReason, "loop_detected");
  assert.equal(result.iterations, 4);
  const nudges = test.model.requests.at(-1)?.messages.filter((message) =>
    message.role === "user" && message.content.includes("repeated the same step")
  );
  assert.equal(nudges?.length, 1);
});

Deno.test("Agent.run() lets a turn go on that repeats a call with other results", async () => {
  let count = 0;
  const tool = testTool({
    name: "a",
    run: () => ({ output: `${count += 1}`, isError: false }),
  });
  const repeated = Array.from({ length: 8 }, () => calls({ name: "a", arguments: {} }));
  await using test = await startTestAgent([...repeated, says("Done")], { tools: [tool] });
  assert.equal((await test.agent.run("go")).finishReason, "stop");
});

Deno.test("Agent.run() refuses a second turn while one runs", async () => {
  await using test = await startTestAgent([says("one"), says("two")]);
  const first = test.agent.run("a");
  await assert.rejects(test.agent.run("b"), AgentBusyError);
  await first;
  assert.equal((await test.agent.run("c")).reply, "two");
});

Deno.test("Agent.run() gives calls with repeated ids ids of their own", async () => {
  await using test = await startTestAgent(
    [
      calls({ name: "a", arguments: {}, id: "x" }, { name: "a", arguments: {}, id: "x" }),
      calls({ name: "a", arguments: {}, id: "x" }),
      says("Done"),
    ],
    { tools: [testTool({ name: "a" })] },
  );
  const result = await test.agent.run("B34");
  assert.equal(new Set(result.toolCalls.map((call) => call.id)).size, 3);
});

Deno.test("Agent.run() sums up what the turn used, a minimum while money is unknown", async () => {
  await using test = await startTestAgent([calls({ name: "a", arguments: {} }), says("Done")], {
    tools: [testTool({ name: "a" })],
  });
  const { usage } = await test.agent.run("go");
  assert.deepEqual(usage, {
    inputTokens: 100,
    outputTokens: 10,
    totalTokens: 110,
    totalCost: 0,
    costIncomplete: true,
    requestCount: 2,
  });
  assert.deepEqual(test.of("usage").map(({ iteration }) => iteration), [1, 2]);
});
