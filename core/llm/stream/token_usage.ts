import type { LlmUsage } from "../types.ts";

/**
 * Token counts as either protocol and its dialects name them; `undefined` when they count nothing,
 * which some servers send for "unknown".
 */
export function tokenUsage(wire: unknown): LlmUsage | undefined {
  if (typeof wire !== "object" || wire === null) return undefined;
  const usage = wire as Record<string, unknown>;
  const inputDetails = record(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
  const outputDetails = record(
    usage["completion_tokens_details"] ?? usage["output_tokens_details"],
  );
  const inputTokens = count(usage["prompt_tokens"] ?? usage["input_tokens"]);
  const outputTokens = count(usage["completion_tokens"] ?? usage["output_tokens"]);
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  // OpenRouter and DeepInfra tell what the response cost.
  const cost = usage["cost"] ?? usage["estimated_cost"];
  return {
    inputTokens,
    outputTokens,
    // DeepSeek and Moonshot have fields of their own.
    cachedTokens: count(
      inputDetails["cached_tokens"] ?? usage["prompt_cache_hit_tokens"] ?? usage["cached_tokens"],
    ),
    reasoningTokens: count(outputDetails["reasoning_tokens"] ?? usage["reasoning_tokens"]),
    ...(typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? { cost } : {}),
  };
}

/** Whether two counts are the same, so that repeating one says nothing new. */
export function sameUsage(a: LlmUsage, b: LlmUsage): boolean {
  return a.inputTokens === b.inputTokens && a.outputTokens === b.outputTokens &&
    a.cachedTokens === b.cachedTokens && a.reasoningTokens === b.reasoningTokens &&
    a.cost === b.cost;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
