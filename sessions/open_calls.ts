import type { Entry, StoredToolCall } from "./entry.ts";

/** What the result of a call says that was under way when rho ended. */
export const INTERRUPTED_RESULT = "interrupted: it may or may not have run; check before retrying";

/**
 * The calls of the latest assistant message on a path that have no result yet, in order. Results
 * pair with calls by id and order, since servers use ids twice (B34).
 */
export function openCallsOf(path: readonly Entry[]): StoredToolCall[] {
  const answered: string[] = [];
  for (let i = path.length - 1; i >= 0; i--) {
    const payload = path[i]?.payload;
    if (payload?.type !== "Message") continue;
    const { message } = payload;
    if (message.role === "tool") answered.push(message.tool_call_id);
    else if (message.role === "assistant") return withoutResult(message.tool_calls, answered);
    else return [];
  }
  return [];
}

function withoutResult(
  calls: readonly StoredToolCall[] | undefined,
  answered: readonly string[],
): StoredToolCall[] {
  const results = new Map<string, number>();
  for (const id of answered) results.set(id, (results.get(id) ?? 0) + 1);
  return (calls ?? []).filter((call) => {
    const left = results.get(call.id) ?? 0;
    if (left > 0) results.set(call.id, left - 1);
    return left === 0;
  });
}
