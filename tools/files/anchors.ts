/**
 * Line anchors: `LINE#HASH`, for example `12#KTXJ`. The number says where, the hash says what, and
 * an edit applies only where both fit.
 */

/** The digits of a hash, for the values 0 to 15. Consonants, so that no hash reads as a word. */
export const ANCHOR_LETTERS = "ZPMQVRWSNKTXJBYH";

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const INFORMATIVE_REGEXP = /[\p{L}\p{N}]/u;
const ANCHOR_REGEXP = new RegExp(
  `^\\s*([0-9]{1,9})\\s*#\\s*([${ANCHOR_LETTERS}]{4})(?::|\\s*$)`,
  "i",
);
const ECHO_REGEXP = new RegExp(`^[\\s+>-]{0,8}[0-9]{1,9}#[${ANCHOR_LETTERS}]{4}:`);

/** A parsed anchor. */
export interface Anchor {
  /** From 1. */
  readonly line: number;
  readonly hash: string;
}

/**
 * The hash of a line: FNV-1a with 32 bits (offset basis 0x811c9dc5, prime 0x01000193) over its
 * UTF-8 bytes without the line ending, folded to 16 bits by `(h >>> 16) ^ (h & 0xffff)` as the
 * authors of FNV advise, and written as four letters of {@linkcode ANCHOR_LETTERS}, highest four
 * bits first. A line without a letter or digit goes on with a NUL and its decimal line number, as
 * there are many lone braces in a file.
 *
 * @param line Where the line stands, from 1.
 */
export function lineHash(text: string, line: number): string {
  let hash = fnv1a(FNV_OFFSET, text);
  if (!isInformative(text)) hash = fnv1a(hash, `\0${line}`);
  const folded = (hash >>> 16) ^ (hash & 0xffff);
  return letter(folded >>> 12) + letter(folded >>> 8) + letter(folded >>> 4) + letter(folded);
}

/** The anchor of a line, `LINE#HASH`. */
export function lineAnchor(text: string, line: number): string {
  return `${line}#${lineHash(text, line)}`;
}

/**
 * Reads an anchor as models write it: letters in either case, and with the line's text after a
 * colon when a whole line of output was copied.
 */
export function parseAnchor(text: string): Anchor | undefined {
  const match = ANCHOR_REGEXP.exec(text);
  if (match === null) return undefined;
  return { line: Number(match[1]), hash: (match[2] ?? "").toUpperCase() };
}

/** Whether a line starts with an anchor, as lines of our own output do. */
export function startsWithAnchor(line: string): boolean {
  return ECHO_REGEXP.test(line);
}

/** Whether a line has a letter or a digit, so that its text alone tells it from most others. */
export function isInformative(line: string): boolean {
  let ascii = true;
  for (let i = 0; i < line.length; i++) {
    const unit = line.charCodeAt(i);
    if (unit >= 0x80) ascii = false;
    else if (isAsciiLetterOrDigit(unit)) return true;
  }
  // Compiling a class of all letters costs milliseconds, so most sessions never do.
  return !ascii && INFORMATIVE_REGEXP.test(line);
}

function isAsciiLetterOrDigit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
}

function letter(value: number): string {
  return ANCHOR_LETTERS.charAt(value & 15);
}

/** FNV-1a over the UTF-8 bytes of a text, without making them. */
function fnv1a(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      hash = Math.imul(hash ^ unit, FNV_PRIME);
    } else if (unit < 0x800) {
      hash = Math.imul(hash ^ (0xc0 | unit >> 6), FNV_PRIME);
      hash = Math.imul(hash ^ (0x80 | unit & 63), FNV_PRIME);
    } else {
      const point = text.codePointAt(i) ?? 0;
      if (point > 0xffff) {
        hash = Math.imul(hash ^ (0xf0 | point >> 18), FNV_PRIME);
        hash = Math.imul(hash ^ (0x80 | point >> 12 & 63), FNV_PRIME);
        i += 1;
      } else {
        hash = Math.imul(hash ^ (0xe0 | point >> 12), FNV_PRIME);
      }
      hash = Math.imul(hash ^ (0x80 | point >> 6 & 63), FNV_PRIME);
      hash = Math.imul(hash ^ (0x80 | point & 63), FNV_PRIME);
    }
  }
  return hash >>> 0;
}
