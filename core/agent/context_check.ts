import type { Logger } from "../base/log.ts";
import {
  assertWorkable,
  type ContextBudget,
  describeBudget,
} from "../../sessions/context/context_budget.ts";
import type { CompactionDeps } from "./compaction.ts";

/** A window from here on is never too small, so nobody has to wait for the tools to be loaded. */
const SURELY_ENOUGH_TOKENS = 24_576;

/** Whether a window is so small that it has to be looked at before rho says that it is ready. */
export function needsEarlyCheck(contextWindow: number): boolean {
  return contextWindow < SURELY_ENOUGH_TOKENS;
}

/**
 * Says in one line of the log how the context window is shared out, and refuses one that leaves no
 * room to work in.
 *
 * @throws {ContextError} `context_budget_too_small`, with numbers and advice.
 */
export function checkContext(
  deps: Pick<CompactionDeps, "meter" | "systemPrompt" | "llmTools">,
  logger: Logger,
): ContextBudget {
  const budget = deps.meter.budget(deps.systemPrompt, deps.llmTools);
  logger.info(describeBudget(budget));
  assertWorkable(budget);
  return budget;
}
