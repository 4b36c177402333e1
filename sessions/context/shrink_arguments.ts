import { headUnits } from "../../core/base/text.ts";
import type { StoredToolCall } from "../entry.ts";
import { isRecord } from "../json_value.ts";
import { lineCount } from "./outline/clip.ts";
import { replayedArguments } from "./replayed_arguments.ts";

/** Values nested deeper than this are named by their kind. */
const MAX_DEPTH = 6;
const MAX_ITEMS = 4;

/**
 * A call whose longer values are named instead of shown: a file written a hundred iterations ago
 * is on the disk. What is left is still a JSON object with the same keys.
 *
 * @param maxUnits The longest text that stays, in UTF-16 units.
 */
export function shrinkCall(call: StoredToolCall, maxUnits: number): StoredToolCall {
  const text = replayedArguments(call);
  if (text.length <= maxUnits) return call;
  const shrunk = JSON.stringify(shrink(JSON.parse(text), { maxUnits, depth: 0 }));
  if (shrunk.length >= text.length) return call;
  return { ...call, function: { ...call.function, arguments: shrunk } };
}

interface ShrinkOptions {
  readonly maxUnits: number;
  readonly depth: number;
}

function shrink(value: unknown, options: ShrinkOptions): unknown {
  if (typeof value === "string") return shrinkText(value, options.maxUnits);
  if (options.depth >= MAX_DEPTH) return typeof value === "object" ? null : value;
  const deeper = { ...options, depth: options.depth + 1 };
  if (Array.isArray(value)) return shrinkList(value, deeper);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shrink(item, deeper)]),
  );
}

function shrinkText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const [first = ""] = text.split("\n", 1);
  const lines = lineCount(text);
  return `${headUnits(first.trim(), Math.min(40, maxUnits))}… [${text.length} characters, ` +
    `${lines} lines: not shown here]`;
}

function shrinkList(list: readonly unknown[], options: ShrinkOptions): unknown[] {
  const kept = list.slice(0, MAX_ITEMS).map((item) => shrink(item, options));
  const left = list.length - MAX_ITEMS;
  return left > 0 ? [...kept, `… [${left} more items: not shown here]`] : kept;
}
