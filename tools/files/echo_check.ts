import { startsWithAnchor } from "./anchors.ts";
import { CUT_MARK } from "./render_lines.ts";

const MASK = "[REDACTED]";
/** What framing makes of the markers inside a file. */
const NEUTRALISED_REGEXP = /‹\/?context(?=[\s:>/])/gi;

/** What is about to be written, and what stood there. */
export interface Replacement {
  /** The text that goes away. */
  readonly removed: string;
  /** The text that comes. */
  readonly inserted: string;
}

/**
 * Why a text must not be written, or `undefined`: it carries what only our output has (anchors,
 * masks of the redactor, marks of cut lines, disarmed markers) where the file holds something
 * else. A model that copies what it saw would put them over real content. Text that the file
 * itself holds as often as the new text is left alone.
 */
export function echoProblem(change: Replacement): string | undefined {
  if (anchoredLines(change.inserted) > anchoredLines(change.removed)) {
    return "the new text starts lines with anchors such as 12#KTXJ:, which are no part of the " +
      "file; send the lines without them";
  }
  if (change.removed !== "" && count(change.inserted, MASK) > count(change.removed, MASK)) {
    return `the new text holds ${MASK}, a mask for a secret that you were not shown; it would ` +
      "overwrite the real value. Leave that line out of the edit";
  }
  if (count(change.inserted, CUT_MARK) > count(change.removed, CUT_MARK)) {
    return "the new text holds the mark of a line that was cut when it was shown; read the line " +
      "on with column, or edit a part of it with old_text";
  }
  if (neutralised(change.inserted) > neutralised(change.removed)) {
    return 'the new text holds "‹context", which stands for "<context" in what you were shown; ' +
      "write it with <";
  }
  return undefined;
}

/** Whether a new text holds the redactor's mask, which deserves a remark even where it may stay. */
export function holdsMask(text: string): boolean {
  return text.includes(MASK);
}

function anchoredLines(text: string): number {
  if (!text.includes("#")) return 0;
  return text.split("\n").filter(startsWithAnchor).length;
}

function neutralised(text: string): number {
  return text.includes("‹") ? text.match(NEUTRALISED_REGEXP)?.length ?? 0 : 0;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
