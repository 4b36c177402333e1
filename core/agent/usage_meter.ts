import type { ModelPrice } from "../llm/model_facts.ts";
import { responseCost } from "../llm/response_cost.ts";
import type { LlmUsage } from "../llm/types.ts";
import type { SideUsageData, UnreportedData, UsageData } from "../../sessions/accounting.ts";
import type { IterationUsage, TurnUsage } from "./events.ts";

/** What one response cost, as it is reported. */
export type ResponseUsage = IterationUsage["usage"];

/** Options of {@linkcode responseUsage}. */
export interface ResponseUsageOptions {
  /** Requests sent for it; what failed ones cost is unknown. */
  readonly requestCount: number;
  /** What the model costs, when that is known and the server does not tell the cost itself. */
  readonly price?: ModelPrice | undefined;
}

/** The usage of one response; unknown money is 0 and marked, unknown tokens likewise. */
export function responseUsage(
  usage: LlmUsage | undefined,
  options: ResponseUsageOptions,
): ResponseUsage {
  const { requestCount, price } = options;
  const { cost, isComplete } = responseCost(usage, price);
  return {
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    cachedTokens: usage?.cachedTokens ?? 0,
    cost,
    costIncomplete: !isComplete || requestCount > 1,
    requestCount,
  };
}

const NO_USAGE: LlmUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

/** Options of {@linkcode usageData}. */
export interface UsageDataOptions {
  readonly model: string;
  readonly price?: ModelPrice | undefined;
}

/** Data of `rho.usage.v1` for one request, as the session's accounts keep it. */
export function usageData(usage: LlmUsage | undefined, options: UsageDataOptions): UsageData {
  const { cost, isComplete } = responseCost(usage, options.price);
  return {
    usage: usage ?? NO_USAGE,
    cost: isComplete || cost > 0 ? cost : null,
    reported: usage !== undefined,
    model: options.model,
  };
}

/** Data of `rho.side_usage.v1` for a request that wrote a compaction's notes. */
export function sideUsage(usage: LlmUsage | undefined, options: UsageDataOptions): SideUsageData {
  return { ...usageData(usage, options), purpose: "compaction" };
}

/** Data of `rho.unreported.v1`. */
export function unreportedUsage(tokens: number): UnreportedData {
  return { tokens };
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
