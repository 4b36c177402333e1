import type { StoredToolCall } from "../entry.ts";
import { isRecord, parseJson } from "../json_value.ts";

/** Calls never change, so each one's arguments are checked once. */
const CHECKED = new WeakMap<StoredToolCall, string>();

/**
 * The arguments of a stored call as they go back to a server: always a JSON object, since chat
 * templates parse them. What the model sent is kept inside when it was none (B35, B43).
 */
export function replayedArguments(call: StoredToolCall): string {
  const known = CHECKED.get(call);
  if (known !== undefined) return known;
  const text = call.function.arguments;
  const checked = asObjectText(text);
  CHECKED.set(call, checked);
  return checked;
}

function asObjectText(text: string): string {
  if (text.trim() === "") return "{}";
  return isRecord(parseJson(text)) ? text : JSON.stringify({ invalid_arguments: text });
}
