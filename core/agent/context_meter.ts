import { type AgentSettings, completionReserve } from "../config/settings.ts";
import type { LlmMessage, LlmTool } from "../llm/types.ts";
import { TokenEstimator } from "../../sessions/token_estimator.ts";
import type { IterationUsage } from "./events.ts";

/** What a message costs beyond its text, in tokens: role, separators. */
const MESSAGE_OVERHEAD_TOKENS = 4;

/** Options of {@linkcode ContextMeter.measure}. */
export interface MeasureOptions {
  readonly tools: readonly LlmTool[];
  /** What the server counted for this request; the estimator learns from it. */
  readonly reportedInputTokens: number | undefined;
}

/** Tells how full the context window is. Weights of equal texts are computed once. */
export class ContextMeter {
  readonly #settings: AgentSettings;
  readonly #estimator: TokenEstimator;
  readonly #weights = new Map<string, number>();

  constructor(settings: AgentSettings, model: string) {
    this.#settings = settings;
    this.#estimator = new TokenEstimator(model);
  }

  /** The state of the window with these messages in it. */
  measure(messages: readonly LlmMessage[], options: MeasureOptions): IterationUsage["context"] {
    let weight = messages.length * MESSAGE_OVERHEAD_TOKENS;
    for (const message of messages) weight += this.#weigh(message.content) + this.#calls(message);
    weight += this.#weigh(JSON.stringify(options.tools));
    if (options.reportedInputTokens !== undefined) {
      this.#estimator.observe(weight, options.reportedInputTokens);
    }
    const estimatedUsed = this.#estimator.scaled(weight);
    const reserve = completionReserve(this.#settings);
    const promptBudget = Math.max(1, this.#settings.tokenBudget - reserve);
    return {
      estimatedUsed,
      contextWindow: this.#settings.tokenBudget,
      completionReserve: reserve,
      utilizationPercent: Math.min(100, Math.round((estimatedUsed / promptBudget) * 100)),
    };
  }

  #calls(message: LlmMessage): number {
    if (message.role !== "assistant") return 0;
    return message.toolCalls.reduce(
      (sum, call) => sum + this.#weigh(call.name) + this.#weigh(call.arguments),
      0,
    );
  }

  #weigh(text: string): number {
    let weight = this.#weights.get(text);
    if (weight === undefined) {
      weight = this.#estimator.weigh(text);
      this.#weights.set(text, weight);
    }
    return weight;
  }
}
