import assert from "node:assert/strict";
import type { FinishReason, ToolCallOutcome, TurnResult } from "../../../core/agent/events.ts";
import { TurnError } from "../../../core/agent/turn_error.ts";
import { failureOf, outcomeOf } from "../../../core/cli/turn_outcome.ts";
import { ProviderError } from "../../../core/llm/provider_error.ts";

function turn(finishReason: FinishReason, kinds: readonly ToolCallOutcome["kind"][] = []) {
  const usage = {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    totalCost: 0,
    costIncomplete: true,
    requestCount: 1,
  };
  const toolCalls = kinds.map((kind, index) => ({
    id: `c${index}`,
    name: "t",
    arguments: "{}",
    outcome: { kind },
    durationMs: 0,
  }));
  const result: TurnResult = {
    reply: "",
    iterations: 1,
    usage,
    toolCalls,
    durationMs: 0,
    finishReason,
  };
  return result;
}

Deno.test("outcomeOf() has one exit code for each way to end", () => {
  const table: readonly (readonly [FinishReason, number])[] = [
    ["stop", 0],
    ["incomplete", 4],
    ["length", 4],
    ["content_filter", 4],
    ["max_iterations", 5],
    ["loop_detected", 5],
    ["budget", 5],
    ["consecutive_empty_responses", 5],
    ["retry_budget_exhausted", 6],
    ["cancelled", 130],
    ["error", 1],
  ];
  for (const [reason, exitCode] of table) {
    const outcome = outcomeOf(turn(reason));
    assert.equal(outcome.exitCode, exitCode, reason);
    assert.equal(outcome.message === undefined, exitCode === 0);
  }
});

Deno.test("outcomeOf() is 7 only when a finished turn had something denied", () => {
  assert.equal(outcomeOf(turn("stop", ["success", "denied"])).exitCode, 7);
  assert.equal(outcomeOf(turn("stop", ["error", "blocked", "skipped"])).exitCode, 0);
  assert.equal(outcomeOf(turn("length", ["denied"])).exitCode, 4);
});

Deno.test("failureOf() tells the provider's failures from rho's own", () => {
  const cause = new ProviderError("refused", {
    code: "auth_failed",
    retriable: false,
    provider: "p",
  });
  const options = { retriable: false };
  assert.equal(failureOf(new TurnError("auth_failed", "m", { ...options, cause })).exitCode, 6);
  assert.equal(failureOf(new TurnError("internal", "m", options)).exitCode, 1);
});
