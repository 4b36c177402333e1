import type { Session } from "../../sessions/session.ts";
import type { FinishReason } from "./events.ts";
import type { ModelResponse } from "./model_response.ts";

/** The ids of all calls on the active path. */
export function callIdsOf(session: Session): Set<string> {
  const ids = new Set<string>();
  for (const { payload } of session.livePath) {
    if (payload.type !== "Message" || payload.message.role !== "assistant") continue;
    for (const call of payload.message.tool_calls ?? []) ids.add(call.id);
  }
  return ids;
}

/** How a reply is marked that is not whole. */
export function partialMark(
  { outcome, response }: ModelResponse,
): { partial?: "cancelled" | "interrupted" | "incomplete" } {
  if (outcome === "cancelled") return { partial: "cancelled" };
  if (outcome === "exhausted") return { partial: "interrupted" };
  return response.finishReason === null ? { partial: "incomplete" } : {};
}

/** The turn's reason from the wire's: an unknown word is never a success. */
export function finishOf(wire: string | null): FinishReason {
  switch (wire) {
    case "stop":
    case "end_turn":
    case "eos":
      return "stop";
    case "length":
    case "content_filter":
      return wire;
    default:
      return "incomplete";
  }
}

/** The time that a command took says nothing about whether its result is the same as before. */
const DURATION_REGEXP = /\b\d{1,9}(?:\.\d{1,3})? (?:ms|s)\b/g;

/** A result as the guard against repetition compares it. */
export function withoutDurations(result: string): string {
  return result.replace(DURATION_REGEXP, "? s");
}
