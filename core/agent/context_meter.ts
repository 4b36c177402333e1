import { type AgentSettings, completionReserve } from "../config/settings.ts";
import type { LlmMessage, LlmTool } from "../llm/types.ts";
import {
  type ContextBudget,
  contextBudget,
  MIN_CONVERSATION_TOKENS,
} from "../../sessions/context/context_budget.ts";
import { weighMessage, weighTools } from "../../sessions/context/message_weight.ts";
import { TokenEstimator } from "../../sessions/context/token_estimator.ts";
import type { IterationUsage } from "./events.ts";

/** Options of {@linkcode ContextMeter.measure}. */
export interface MeasureOptions {
  readonly tools: readonly LlmTool[];
  /** What the server counted for this request; the estimator learns from it. */
  readonly reportedInputTokens: number | undefined;
}

/** The state of the window, and what a report says about the server. */
export interface ContextMeasure {
  readonly context: IterationUsage["context"];
  /** What the request was estimated at before the report was learned from, in tokens. */
  readonly estimateBefore: number;
}

/** A server that cuts prompts still counts this much; fewer tokens are no count at all. */
const MIN_CUT_TOKENS = 1000;
/** A report below this part of the estimate means that the server has not read everything. */
const CUT_FRACTION = 0.6;
/** The part of a refused conversation that the next ones may have. */
const REFUSED_FRACTION = 0.6;

/** Tells how full the context window is and what a conversation may use of it. */
export class ContextMeter {
  readonly estimator: TokenEstimator;
  readonly #settings: AgentSettings;
  #windowLimit = Infinity;

  constructor(settings: AgentSettings, model: string) {
    this.#settings = settings;
    this.estimator = new TokenEstimator(model);
  }

  /** Estimates for another model from here on; what its predecessor's server told is void. */
  useModel(model: string): void {
    if (model === this.estimator.model) return;
    this.estimator.useModel(model);
    this.#windowLimit = Infinity;
  }

  /** The window in force, in tokens: as configured, or what the server takes if that is less. */
  get contextWindow(): number {
    return Math.min(this.#settings.tokenBudget, this.#windowLimit);
  }

  /** Tokens kept free for the reply. */
  get completionReserve(): number {
    return completionReserve({ ...this.#settings, tokenBudget: this.contextWindow });
  }

  /** Lowers the window to what the server has. */
  limitWindow(tokens: number): void {
    this.#windowLimit = Math.min(this.#windowLimit, Math.max(Math.floor(tokens), 1));
  }

  /**
   * Lowers the window after the server refused a prompt as too long: the conversation gets a part
   * of what it had, but never less than what work needs.
   *
   * @returns the new window, in tokens.
   */
  lowerAfterRefusal(messages: readonly LlmMessage[], tools: readonly LlmTool[]): number {
    const overhead = this.estimator.tokensOf(
      requestWeight(messages.filter(({ role }) => role === "system"), tools),
    );
    const conversation = this.estimator.tokensOf(requestWeight(messages, tools)) - overhead;
    const kept = Math.max(conversation * REFUSED_FRACTION, MIN_CONVERSATION_TOKENS * 1.1);
    // A quarter of the window is the reply's.
    this.limitWindow((overhead + kept) * 4 / 3);
    return this.contextWindow;
  }

  /** How the window is shared out with this system prompt and these tools. */
  budget(systemPrompt: string, tools: readonly LlmTool[]): ContextBudget {
    return contextBudget({
      contextWindow: this.contextWindow,
      completionReserve: this.completionReserve,
      systemPrompt,
      tools,
      estimator: this.estimator,
    });
  }

  /** The state of the window with these messages in it; learns from the server's count. */
  measure(messages: readonly LlmMessage[], options: MeasureOptions): ContextMeasure {
    const weight = requestWeight(messages, options.tools);
    const estimateBefore = this.estimator.tokensOf(weight);
    if (options.reportedInputTokens !== undefined) {
      this.estimator.observe(weight, options.reportedInputTokens);
    }
    const estimatedUsed = this.estimator.tokensOf(weight);
    const reserve = this.completionReserve;
    const promptBudget = Math.max(1, this.contextWindow - reserve);
    return {
      estimateBefore,
      context: {
        estimatedUsed,
        contextWindow: this.contextWindow,
        completionReserve: reserve,
        utilizationPercent: Math.min(100, Math.round((estimatedUsed / promptBudget) * 100)),
      },
    };
  }
}

/** Whether a server's count says that it has silently cut a prompt of the estimated size. */
export function isSilentCut(estimatedTokens: number, reportedTokens: number): boolean {
  return reportedTokens >= MIN_CUT_TOKENS && reportedTokens < estimatedTokens * CUT_FRACTION;
}

function requestWeight(messages: readonly LlmMessage[], tools: readonly LlmTool[]): number {
  let weight = weighTools(tools);
  for (const message of messages) weight += weighMessage(message);
  return weight;
}
