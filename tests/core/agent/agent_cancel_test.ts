import assert from "node:assert/strict";
import { calls, says } from "../../support/scripted_model.ts";
import { startTestAgent, testTool } from "../../support/test_agent.ts";

const READ = testTool({ name: "read" });

Deno.test("Agent.abort() ends a turn in the middle of a stream and keeps its text", async () => {
  const hanging = { events: [{ type: "text", delta: "Hel" } as const], hang: true };
  await using test = await startTestAgent([hanging, says("later")], {
    onEvent: (event) => {
      if (event.type === "message/delta") queueMicrotask(() => test.agent.abort());
    },
  });
  const result = await test.agent.run("hi");
  assert.equal(result.finishReason, "cancelled");
  assert.equal(result.reply, "Hel");
  assert.equal((await test.agent.run("again")).reply, "later");
});

Deno.test("Agent.abort() right after the start ends the turn before anything is sent", async () => {
  await using test = await startTestAgent([says("never")]);
  const turn = test.agent.run("hi");
  test.agent.abort();
  assert.equal((await turn).finishReason, "cancelled");
  assert.equal(test.model.requests.length, 0);
});

Deno.test("Agent B22 sends a sound request after a turn that was cancelled at 0 tokens", async () => {
  await using test = await startTestAgent([{ events: [], hang: true }, says("ok")]);
  const turn = test.agent.run("one");
  while (test.model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  test.agent.abort();
  await turn;
  await test.agent.run("two");
  const roles = test.model.requests[1]?.messages.map((message) => message.role);
  assert.ok(!roles?.includes("assistant"));
});

Deno.test("Agent.abort() stops the running tool and answers every call of the batch", async () => {
  const slow = testTool({
    name: "slow",
    run: (_args, { signal }) =>
      new Promise((resolve) => {
        const stop = () => resolve({ output: "half of it", isError: true });
        signal.addEventListener("abort", stop, { once: true });
        queueMicrotask(() => test.agent.abort());
      }),
  });
  await using test = await startTestAgent(
    [calls({ name: "slow", arguments: {} }, { name: "read", arguments: {} }), says("ok")],
    { tools: [slow, READ] },
  );
  const result = await test.agent.run("go");
  assert.equal(result.finishReason, "cancelled");
  assert.deepEqual(result.toolCalls.map((call) => call.outcome.kind), ["error", "error"]);
  assert.equal(result.toolCalls[0]?.outcome.output, "half of it");
  await test.agent.run("again");
  const results = test.model.requests[1]?.messages.filter((message) => message.role === "tool");
  assert.equal(results?.length, 2);
});

Deno.test("Agent.abort() denies an open approval and cancels", async () => {
  await using test = await startTestAgent(
    [calls({ name: "write", arguments: {} }), says("never")],
    {
      tools: [testTool({ name: "write", risk: "write" })],
      gate: () => {
        queueMicrotask(() => test.agent.abort());
        return new Promise(() => {});
      },
    },
  );
  const result = await test.agent.run("go");
  assert.equal(result.finishReason, "cancelled");
  assert.equal(test.of("tool/denied")[0]?.reason, "the turn was cancelled");
});

Deno.test("Agent.abort() ends the wait before a repeated request", async () => {
  const { ProviderError } = await import("../../../core/llm/provider_error.ts");
  const error = new ProviderError("busy", {
    code: "rate_limited",
    retriable: true,
    retryAfterMs: 60_000,
    provider: "test",
  });
  await using test = await startTestAgent([{ events: [], error }], {
    onEvent: (event) => {
      if (event.type === "retry") queueMicrotask(() => test.agent.abort());
    },
  });
  assert.equal((await test.agent.run("hi")).finishReason, "cancelled");
});

Deno.test("Agent.steer() adds a message after the running batch", async () => {
  const tool = testTool({
    name: "read",
    run: () => {
      assert.equal(test.agent.steer("also this"), true);
      return { output: "r", isError: false };
    },
  });
  await using test = await startTestAgent([calls({ name: "read", arguments: {} }), says("ok")], {
    tools: [tool],
  });
  await test.agent.run("go");
  assert.deepEqual(test.model.requests[1]?.messages.slice(-2), [
    { role: "tool", toolCallId: "c1", content: "r" },
    { role: "user", content: "also this" },
  ]);
  assert.deepEqual(test.of("steer/applied"), [{ message: "also this" }]);
});

Deno.test("Agent.steer() during the last reply makes the turn go on", async () => {
  let isFirst = true;
  await using test = await startTestAgent([says("one"), says("two")], {
    onEvent: (event) => {
      if (event.type !== "message/delta" || !isFirst) return;
      isFirst = false;
      test.agent.steer("and more");
    },
  });
  const result = await test.agent.run("go");
  assert.equal(result.reply, "two");
  assert.equal(result.iterations, 2);
});

Deno.test("Agent.steer() tells when no turn will hear it", async () => {
  await using test = await startTestAgent([says("one")]);
  assert.equal(test.agent.steer("too early"), false);
  await test.agent.run("go");
  assert.equal(test.agent.steer("too late"), false);
});

Deno.test("Agent keeps steering that a limit left over for the next turn", async () => {
  await using test = await startTestAgent([calls({ name: "read", arguments: {} }), says("ok")], {
    tools: [READ],
    config: { maxIterations: 1 },
    onEvent: (event) => {
      if (event.type === "tool/result") test.agent.steer("left over");
    },
  });
  assert.equal((await test.agent.run("go")).finishReason, "max_iterations");
  assert.equal(test.agent.hasPendingSteering, true);
  await test.agent.run(undefined);
  assert.equal(test.agent.hasPendingSteering, false);
  assert.equal(test.model.requests[1]?.messages.at(-1)?.content, "left over");
});

Deno.test("Agent.clear() goes back to the system message", async () => {
  await using test = await startTestAgent([says("one"), says("two")]);
  await test.agent.run("first");
  await test.agent.clear();
  await test.agent.run("second");
  assert.deepEqual(test.model.requests[1]?.messages.map((message) => message.role), [
    "system",
    "user",
  ]);
  assert.equal(test.of("session/change").length, 1);
});
