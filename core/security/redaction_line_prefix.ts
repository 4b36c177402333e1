/**
 * What tools put before the lines of a file: the anchor `12#QVKT:`, and `path:12:`, `path-12-` or
 * `12:` as grep does. What stands behind starts a line.
 */

// The letters of tools/files/anchors.ts.
const ANCHOR = "[0-9]{1,9}#[ZPMQVRWSNKTXJBYH]{4}:";
/** Longest path in a prefix, and longest prefix, in UTF-16 units. */
const MAX_PATH = 256, MAX_PREFIX = 288;
const PATH = `(?:(?!-----)[^:\\r\\n"'\`\\\\]){1,${MAX_PATH}}`;
const DIFF_SIGNS = "[ \\t+>|-]{0,8}";
const WHOLE =
  `${DIFF_SIGNS}(?:${ANCHOR}|[0-9]{1,7}[:-]|${PATH}:[0-9]{1,7}[:-]|${PATH}-[0-9]{1,7}-)`;
// A stream may have cut a path after a space or an ideograph, so only its last word counts here.
const NEAR =
  "(?:[0-9]#[ZPMQVRWSNKTXJBYH]{4}:|[!-9;-~\\u0080-\\u2e7f]:[0-9]{1,7}:|[./][!#-&(-9;-[\\]-_a-~\\u0080-\\u2e7f]{1,64}-[0-9]{1,7}-)";
const KEYWORD = "(?:(?:export|set|env|ENV|ARG)[ \\t]{1,4})?";

const WHOLE_REGEXP = new RegExp(WHOLE, "y");
const WHOLE_BEFORE_REGEXP = new RegExp(`(?<=^|[\\n"'\`]|\\\\n)${WHOLE}$`);
const NEAR_REGEXP = new RegExp(`${NEAR}$`);
const NUMBER_LINE_REGEXP = /(?:^|[\n"'`]|\\n)[ \t+-]{0,8}[0-9]{1,7}:$/;
const INDENT_REGEXP = new RegExp(`${NEAR}([ \\t+-]{0,40})${KEYWORD}[\\w.:/@-]{0,64}$`);
const HEAD_REGEXP = new RegExp(`${NEAR}[ \\t+-]*(?:(?:export|set|env|ENV|ARG)[ \\t]*)?$`);
/** How far {@linkcode NEAR} and what may follow it reach back, in UTF-16 units. */
const MAX_NEAR = 80, MAX_HEAD = 192;

/** The end of the prefix that starts with a line at a position; the position without one. */
export function linePrefixEnd(text: string, at: number): number {
  if (text.startsWith("-----", at)) return at;
  WHOLE_REGEXP.lastIndex = at;
  return at + (WHOLE_REGEXP.exec(text)?.[0].length ?? 0);
}

/** The start of the line whose prefix ends at a position; the position without one. */
export function linePrefixStart(text: string, at: number): number {
  if (!mayEndPrefix(text, at)) return at;
  const from = Math.max(0, at - MAX_PREFIX);
  const found = WHOLE_BEFORE_REGEXP.exec(text.slice(from, at));
  return found === null || (found.index === 0 && from > 0) ? at : from + found.index;
}

/** Whether a prefix could end here: a colon or dash behind a digit or a letter of an anchor. */
function mayEndPrefix(text: string, at: number): boolean {
  const sign = text.charCodeAt(at - 1);
  if (sign !== 58 && sign !== 45) return false;
  const before = text.charCodeAt(at - 2);
  return (before >= 48 && before < 58) || (before >= 65 && before < 91);
}

/** Whether a prefix ends at a position; looks only at the word before it. */
export function followsLinePrefix(
  text: string,
  options: { readonly at: number; readonly midLine: boolean },
): boolean {
  const { at, midLine } = options;
  if (!mayEndPrefix(text, at)) return false;
  if (NEAR_REGEXP.test(text.slice(Math.max(0, at - MAX_NEAR), at))) return true;
  const from = Math.max(0, at - 18);
  const found = NUMBER_LINE_REGEXP.exec(text.slice(from, at));
  return found !== null &&
    (found.index > 0 || /^[\n"'`\\]/.test(found[0]) || (from === 0 && !midLine));
}

/** The indentation of a name behind a prefix, as in a line that starts with it. */
export function prefixedIndent(text: string, nameStart: number): string | undefined {
  return INDENT_REGEXP.exec(text.slice(Math.max(0, nameStart - MAX_HEAD), nameStart))?.[1];
}

/** Whether nothing but blanks and a keyword stands between a prefix and a position. */
export function isPrefixedHead(text: string, at: number): boolean {
  return HEAD_REGEXP.test(text.slice(Math.max(0, at - MAX_HEAD), at));
}

/** The last start of a line, escaped or not, that may lie in a prefix that is not whole yet. */
export function openPrefixStart(text: string, at: number): number {
  const from = Math.max(0, at - MAX_PREFIX);
  const head = text.slice(from, at);
  const lineBreak = head.lastIndexOf("\n");
  const escaped = head.lastIndexOf("\\n");
  if (lineBreak < 0 && escaped < 0) return from === 0 ? 0 : at;
  return from + Math.max(lineBreak + 1, escaped < 0 ? 0 : escaped + 2);
}

/** Whether the text ends in a line that started at a position and may become a prefix. */
export function isOpenPrefix(text: string, lineStart: number): boolean {
  return text.length - lineStart <= MAX_PREFIX && text.indexOf("\n", lineStart) < 0;
}
