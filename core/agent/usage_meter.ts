import type { LlmUsage } from "../llm/types.ts";
import type { IterationUsage, TurnUsage } from "./events.ts";

/** What one response cost, as it is stored and reported. */
export type ResponseUsage = IterationUsage["usage"];

/** The usage of one response; unknown money is 0 and marked, unknown tokens likewise. */
export function responseUsage(usage: LlmUsage | undefined, requestCount: number): ResponseUsage {
  return {
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    cachedTokens: usage?.cachedTokens ?? 0,
    cost: usage?.cost ?? 0,
    costIncomplete: usage?.cost === undefined || requestCount > 1,
    requestCount,
  };
}

/** Adds up the usage of a turn. */
export class UsageMeter {
  #inputTokens = 0;
  #outputTokens = 0;
  #totalCost = 0;
  #costIncomplete = false;
  #requestCount = 0;

  add(usage: ResponseUsage): void {
    this.#inputTokens += usage.inputTokens;
    this.#outputTokens += usage.outputTokens;
    this.#totalCost += usage.cost;
    this.#costIncomplete ||= usage.costIncomplete;
    this.#requestCount += usage.requestCount;
  }

  total(): TurnUsage {
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      totalTokens: this.#inputTokens + this.#outputTokens,
      totalCost: this.#totalCost,
      costIncomplete: this.#costIncomplete,
      requestCount: this.#requestCount,
    };
  }
}
