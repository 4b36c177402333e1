import * as v from "valibot";

/** A whole number from 0. */
export const COUNT = v.pipe(v.number(), v.integer(), v.minValue(0));

/** US dollars, a minimum where the cost is incomplete. */
export const MONEY = v.pipe(v.number(), v.minValue(0));

/** What a tool may do to the world. */
export const TOOL_RISK = v.picklist(["read", "write", "destructive", "network"]);

/** Where a turn stands. */
export const AGENT_STATE = v.picklist(["idle", "thinking", "awaiting_approval", "executing_tool"]);

/** Why a turn ended; `error` only in an error's `data`. */
export const FINISH_REASON = v.picklist([
  "stop",
  "incomplete",
  "length",
  "content_filter",
  "max_iterations",
  "loop_detected",
  "budget",
  "cancelled",
  "retry_budget_exhausted",
  "consecutive_empty_responses",
  "error",
]);

/** Params or result of a method that needs none. */
export const EMPTY = v.object({});
