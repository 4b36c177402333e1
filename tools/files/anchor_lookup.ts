import { type Anchor, lineHash } from "./anchors.ts";
import type { EditableText } from "./editable_text.ts";

/** How far from its number a line is looked for when it has moved. */
const MAX_MOVE_LINES = 60;
/** Lines with fewer letters say too little to be recognised elsewhere. */
const MIN_LETTERS = 5;
const LETTER_REGEXP = /\p{L}/gu;

/**
 * The index of the line that an anchor means, or `undefined` when it is stale.
 *
 * The line with the anchor's number is taken when its hash fits. Else the anchor may have moved: to
 * the only line within ±60 that has the hash, if that line has more than four letters and is, word
 * for word, one that was served under this anchor. 16 bits of hash alone would pick a stranger once
 * in 500 times.
 *
 * @param served The texts that were shown under the anchor.
 */
export function findAnchor(
  text: EditableText,
  anchor: Anchor,
  served: () => ReadonlySet<string>,
): number | undefined {
  const index = anchor.line - 1;
  const line = text.line(index);
  if (line !== undefined && lineHash(line, anchor.line) === anchor.hash) return index;
  const from = Math.max(0, index - MAX_MOVE_LINES);
  const to = Math.min(text.lines.length - 1, index + MAX_MOVE_LINES);
  const found: number[] = [];
  for (let at = from; at <= to; at++) {
    if (lineHash(text.line(at) ?? "", at + 1) === anchor.hash) found.push(at);
  }
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const moved = text.line(only) ?? "";
  const letters = moved.match(LETTER_REGEXP)?.length ?? 0;
  return letters >= MIN_LETTERS && served().has(moved) ? only : undefined;
}
