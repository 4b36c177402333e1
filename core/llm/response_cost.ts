import type { ModelPrice } from "./model_facts.ts";
import type { LlmUsage } from "./types.ts";

/** What a response cost. */
export interface ResponseCost {
  /** In US dollars; the least it can have been unless `isComplete`. */
  readonly cost: number;
  readonly isComplete: boolean;
}

const MILLION = 1_000_000;

/**
 * The cost of a response: what the server says itself, else tokens × price. What has no known price
 * counts as 0 and makes the cost incomplete; nothing is guessed.
 */
export function responseCost(usage: LlmUsage | undefined, price?: ModelPrice): ResponseCost {
  if (usage?.cost !== undefined) return { cost: usage.cost, isComplete: true };
  if (usage === undefined || price === undefined) return { cost: 0, isComplete: false };
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const fresh = usage.inputTokens - cached;
  return {
    cost: (fresh * price.input + cached * (price.cached ?? 0) +
      usage.outputTokens * price.output) / MILLION,
    isComplete: (cached === 0 || price.cached !== undefined) &&
      usage.inputTokens <= (price.upToInputTokens ?? Infinity),
  };
}
