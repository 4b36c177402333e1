import type { LlmTool } from "../../core/llm/types.ts";
import { ContextError } from "./context_error.ts";
import { weighTools } from "./message_weight.ts";
import type { TokenEstimator } from "./token_estimator.ts";

/** What a conversation must at least have to itself, in tokens, for work to make sense. */
export const MIN_CONVERSATION_TOKENS = 1000;

/** How the context window is shared out, in tokens. */
export interface ContextBudget {
  readonly contextWindow: number;
  /** Kept free for the reply. */
  readonly completionReserve: number;
  /** The window without the reserve. */
  readonly promptBudget: number;
  readonly systemTokens: number;
  readonly toolSchemaTokens: number;
  /** What is left for the conversation; negative when nothing is. */
  readonly conversationBudget: number;
}

/** What a budget is made of. */
export interface ContextBudgetParts {
  readonly contextWindow: number;
  readonly completionReserve: number;
  readonly systemPrompt: string;
  readonly tools: readonly LlmTool[];
  readonly estimator: TokenEstimator;
}

/** Shares out the window. */
export function contextBudget(parts: ContextBudgetParts): ContextBudget {
  const { contextWindow, completionReserve, estimator } = parts;
  const promptBudget = contextWindow - completionReserve;
  const systemTokens = estimator.estimate(parts.systemPrompt);
  const toolSchemaTokens = estimator.tokensOf(weighTools(parts.tools));
  return {
    contextWindow,
    completionReserve,
    promptBudget,
    systemTokens,
    toolSchemaTokens,
    conversationBudget: promptBudget - systemTokens - toolSchemaTokens,
  };
}

/** The budget as one line for people. */
export function describeBudget(budget: ContextBudget): string {
  return `Context window ${budget.contextWindow} tokens: ${budget.completionReserve} kept for the ` +
    `reply, ${budget.promptBudget} for the prompt, of which the system prompt takes about ` +
    `${budget.systemTokens} and the tools about ${budget.toolSchemaTokens}; ` +
    `${budget.conversationBudget} are left for the conversation`;
}

/**
 * Refuses a window that leaves no room to work in.
 *
 * @throws {ContextError} `context_budget_too_small`, with the numbers and what helps.
 */
export function assertWorkable(budget: ContextBudget): void {
  const missing = MIN_CONVERSATION_TOKENS - budget.conversationBudget;
  if (missing <= 0) return;
  const wanted = advisedWindow(budget, missing);
  throw new ContextError(
    "context_budget_too_small",
    `Cannot work in a context window of ${budget.contextWindow} tokens: ` +
      `${budget.completionReserve} are kept for the reply, the system prompt takes about ` +
      `${budget.systemTokens} and the tools about ${budget.toolSchemaTokens}, so ` +
      `${budget.conversationBudget} are left for the conversation and ${MIN_CONVERSATION_TOKENS} ` +
      `are needed; use --compact for a shorter system prompt, or --token-budget ${wanted} or more ` +
      "if the model's window is larger",
    { data: { ...budget, neededWindow: wanted } },
  );
}

/** A round window that leaves enough, the reserve growing along with it. */
function advisedWindow(
  { contextWindow, completionReserve }: ContextBudget,
  missing: number,
): number {
  const growth = completionReserve > contextWindow * 0.3 ? 2 : 4 / 3;
  return Math.ceil((contextWindow + missing * growth * 1.05) / 256) * 256;
}
