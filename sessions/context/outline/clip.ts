import { headUnits, tailUnits } from "../../../core/base/text.ts";

/** A text on one line, at most so many UTF-16 units long. */
export function clipLine(text: string, maxUnits: number): string {
  const start = headUnits(text, maxUnits * 2 + 64).trim();
  const line = start.replace(/\s+/g, " ");
  return line.length <= maxUnits && start.length === text.trim().length
    ? line
    : `${headUnits(line, Math.max(maxUnits - 1, 0)).trimEnd()}…`;
}

/** How a text is cut by {@linkcode clipMiddle}. */
export interface ClipMiddleOptions {
  readonly maxUnits: number;
  /**
   * The part of what is kept that shows the start.
   * @default {0.5}
   */
  readonly headPart?: number;
}

/** The start and the end of a text with a mark between them that says how much is missing. */
export function clipMiddle(text: string, options: ClipMiddleOptions): string {
  const { maxUnits, headPart = 0.5 } = options;
  if (text.length <= maxUnits) return text;
  const room = Math.max(maxUnits - 40, 0);
  const head = atLineEnd(headUnits(text, Math.floor(room * headPart)));
  const tail = atLineStart(tailUnits(text, room - Math.floor(room * headPart)));
  const left = text.length - head.length - tail.length;
  return [head, `[… ${left} characters left out …]`, tail].filter((part) => part !== "").join("\n");
}

function atLineEnd(head: string): string {
  const end = head.lastIndexOf("\n");
  return (end > head.length / 2 ? head.slice(0, end) : head).trimEnd();
}

function atLineStart(tail: string): string {
  const start = tail.indexOf("\n");
  return (start >= 0 && start < tail.length / 2 ? tail.slice(start + 1) : tail).trim();
}

/** `1 line`, `2 lines`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How many lines a text has; a line feed at its end starts no further one. */
export function lineCount(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}

/** The first items of a list, and how many more there are. */
export function firstOf(items: readonly string[], maxItems: number): string {
  const shown = items.slice(0, maxItems).join(", ");
  return items.length <= maxItems ? shown : `${shown} and ${items.length - maxItems} more`;
}
