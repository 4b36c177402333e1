import { RhoError } from "../../core/base/errors.ts";

/** A context that cannot be made to fit: the window is too small for what has to be in it. */
export class ContextError extends RhoError {
  declare readonly code: "context_budget_too_small" | "context_overflow";
}
