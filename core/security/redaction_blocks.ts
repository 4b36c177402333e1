import {
  isOpenPrefix,
  linePrefixEnd,
  linePrefixStart,
  openPrefixStart,
} from "./redaction_line_prefix.ts";
import { BASE64, isIn, type RedactionAnchor, type RedactionScan } from "./redaction_scan.ts";

/** Longest key block, in UTF-16 units; an RSA key of 16,384 bits has 13,000. */
export const MAX_BLOCK_UNITS = 32_768;
/** How far before an end marker without its start the body is looked for. */
const MAX_ORPHAN_UNITS = 16_384;
/** Most units of decoration between two words of a body. */
const MAX_DECORATION = 64;
/** A word this long inside a block is body; a last line may be shorter. */
const LONG_WORD = 16;
/** A word this long before an end marker without its start is body. */
const LONG_LINE = 40;
/** Fewest units of body that make a block secret: without its end, and with it. */
const MIN_OPEN_BODY = 40, MIN_CLOSED_BODY = 16;

// RFC 7468 (PEM), RFC 4880 6.2 (PGP armor), OpenSSH's PROTOCOL.key.
const BEGIN_REGEXP = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const END_REGEXP = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const HEADER_REGEXP =
  /(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset|MessageID|X-[A-Za-z-]{1,40}):[^\r\n"\\[]{0,200}/y;
/** The sign of a line that a diff removes. */
const REMOVED_REGEXP = /-(?=[A-Za-z0-9+/=]|-----END)/y;
const LINE_NUMBER_REGEXP = /^[0-9]{1,5}$/;

/** What surrounds the lines of a key in code, JSON, diffs, quotations and numbered listings. */
function isDecoration(unit: string): boolean {
  return " \t\r\n\"'`,>|*#→│".includes(unit);
}

function matchAt(regexp: RegExp, found: { readonly text: string; readonly at: number }): number {
  regexp.lastIndex = found.at;
  return regexp.exec(found.text)?.[0].length ?? 0;
}

function visitBegin(scan: RedactionScan, at: number): void {
  if (at < scan.blockEnd) return;
  scan.trigger(at);
  const length = matchAt(BEGIN_REGEXP, { text: scan.text, at });
  if (length > 0) readBlock(scan, { start: at, from: at + length });
}

/** The private part of a PuTTY key file: a number of lines, the lines, a line that ends them. */
const PUTTY_REGEXP = /Private-Lines: ?[0-9]{1,4}/y;

function visitPutty(scan: RedactionScan, at: number): void {
  scan.trigger(at);
  const length = matchAt(PUTTY_REGEXP, { text: scan.text, at });
  if (length > 0) readBlock(scan, { start: at + length, from: at + length, context: at });
}

/** Reads words of base64 until the end marker, or until something comes that is no key. */
function readBlock(
  scan: RedactionScan,
  options: { readonly start: number; readonly from: number; readonly context?: number },
): void {
  const { text } = scan;
  const { start, context = start } = options;
  const limit = Math.min(text.length, start + MAX_BLOCK_UNITS);
  let at = options.from;
  let end = -1;
  let bodyUnits = 0;
  let shortWords = 0;
  let isInsideOther = false;
  let isAcross = false;
  let isClosed = false;
  let isLong = false;
  let lineStart = at;
  const canEnd = (at: number) => !isInsideOther && (!isAcross || endsString(text, at));
  for (;;) {
    const gap = skipDecoration(text, { at, limit });
    at = gap.at;
    if (gap.quotes % 2 === 1) isInsideOther = !isInsideOther;
    if (gap.quotes > 0) isAcross = true;
    if (gap.lineStart >= 0) lineStart = gap.lineStart;
    if (at >= limit) {
      if (limit === text.length && limit < start + MAX_BLOCK_UNITS) scan.open(context);
      break;
    }
    if (text.startsWith("-----END", at)) {
      const length = matchAt(END_REGEXP, { text, at });
      if (length > 0 && bodyUnits >= MIN_CLOSED_BODY && canEnd(at + length)) {
        end = at + length;
        isClosed = true;
      } else if (length === 0 && text.length - at < 80 && text.indexOf("\n", at) < 0) {
        scan.open(context);
      }
      break;
    }
    const header = matchAt(HEADER_REGEXP, { text, at });
    if (header > 0) {
      at += header;
      continue;
    }
    const wordEnd = base64End(text, { at, limit });
    const word = wordEnd - at;
    if (word === 0) break;
    const isSmall = word <= 5 && (LINE_NUMBER_REGEXP.test(text.slice(at, wordEnd)) ||
      /^\+*$/.test(text.slice(at, wordEnd)));
    if (!isSmall) {
      // Only the end marker or a PGP checksum may follow a short line.
      if (word < LONG_WORD) shortWords++;
      else if (shortWords > 0) break;
      if (shortWords > 2) break;
      if (word >= LONG_WORD) {
        bodyUnits += word;
        if (canEnd(wordEnd)) {
          end = wordEnd;
          // Only what lies before the end counts: a stream may cut behind it.
          isLong = bodyUnits >= MIN_OPEN_BODY;
        }
      }
    }
    at = wordEnd;
  }
  // The last line may turn out to start with the path of a file.
  if (!isClosed && isOpenPrefix(text, lineStart)) scan.open(context);
  if (end > 0 && (isClosed || isLong)) {
    scan.add(start, end, context);
    scan.blockEnd = end;
  } else scan.blockEnd = Math.max(scan.blockEnd, options.from);
}

const STRING_END_REGEXP = /(?:\\{1,7}[nr])*"[ \t]{0,8}(?:[,\])+;\r\n]|$)/y;

/** Whether a string that is no key of an object ends here: other ends would break a JSON text. */
function endsString(text: string, at: number): boolean {
  return matchAt(STRING_END_REGEXP, { text, at }) > 0;
}

/** Skips what stands between words; counts the double quotes that are not escaped. */
function skipDecoration(
  text: string,
  range: { readonly at: number; readonly limit: number },
): { at: number; quotes: number; lineStart: number } {
  let { at } = range;
  let quotes = 0;
  let lineStart = -1;
  let limit = Math.min(range.limit, at + MAX_DECORATION);
  while (at < limit) {
    const unit = text.charAt(at);
    if (unit === "\\") {
      at++;
      const next = text.charAt(at);
      if (at >= limit || next === "" || !"nrt\"'/".includes(next)) continue;
      at++;
      if (next !== "n") continue;
    } else if (isDecoration(unit)) {
      if (unit === '"') quotes++;
      at++;
      if (unit !== "\n") continue;
    } else break;
    lineStart = at;
    let next = linePrefixEnd(text, at);
    next += matchAt(REMOVED_REGEXP, { text, at: next });
    if (next === at || next > range.limit) continue;
    at = next;
    limit = Math.min(range.limit, at + MAX_DECORATION);
  }
  return { at, quotes, lineStart };
}

function base64End(text: string, range: { readonly at: number; readonly limit: number }): number {
  let { at } = range;
  while (at < range.limit && isIn(text, { at, mask: BASE64 })) at++;
  return at;
}

/** An end marker whose start was cut off: the lines of base64 before it are the key. */
function visitEnd(scan: RedactionScan, at: number): void {
  if (at < scan.blockEnd) return;
  scan.trigger(at);
  const length = matchAt(END_REGEXP, { text: scan.text, at });
  if (length === 0) return;
  const lowest = Math.max(scan.blockEnd, at - MAX_ORPHAN_UNITS);
  const { text } = scan;
  const start = bodyStart(text, { at, lowest, mustBalance: true });
  scan.blockEnd = at + length;
  const isAcross = text.slice(start, at).includes('"');
  if (start < at && (!isAcross || endsString(text, at + length))) scan.add(start, at + length);
}

/**
 * Where lines that may belong to a key start, should an end marker follow at a position; the
 * position itself when nothing before it looks like a key. A stream holds such lines back.
 */
export function possibleBlockStart(text: string, at: number): number {
  const lowest = Math.max(0, text.length - MAX_ORPHAN_UNITS);
  const options = { lowest, mustBalance: false };
  const start = bodyStart(text, { at, ...options });
  // The line may turn out to start with the path of a file.
  const lineStart = openPrefixStart(text, at);
  const before = bodyStart(text, { at: lineStart, ...options });
  return before < lineStart ? Math.min(start, before) : start;
}

function bodyStart(
  text: string,
  options: { readonly at: number; readonly lowest: number; readonly mustBalance: boolean },
): number {
  const { lowest } = options;
  let start = options.at;
  let { at } = options;
  let shortWords = 0;
  let isInsideOther = false;
  for (let isFirst = true; at > lowest; isFirst = false) {
    const gap = skipDecorationBack(text, { at, lowest });
    if (gap.at === at && !isFirst) break;
    at = gap.at;
    if (gap.quotes % 2 === 1) isInsideOther = !isInsideOther;
    let wordStart = at;
    while (wordStart > lowest && isIn(text, { at: wordStart - 1, mask: BASE64 })) wordStart--;
    if (wordStart === at) break;
    // A word that goes on before the limit is not known whole.
    if (wordStart === lowest && lowest > 0 && isIn(text, { at: lowest - 1, mask: BASE64 })) break;
    if (text[wordStart - 1] === "\\" && "nrt".includes(text.charAt(wordStart))) wordStart++;
    const word = at - wordStart;
    if (word >= LONG_LINE) {
      if (!isInsideOther || !options.mustBalance) start = wordStart;
    } else if (!(word <= 5 && LINE_NUMBER_REGEXP.test(text.slice(wordStart, at)))) {
      if (start !== options.at || ++shortWords > 2) break;
    }
    at = wordStart;
  }
  return start;
}

function skipDecorationBack(
  text: string,
  range: { readonly at: number; readonly lowest: number },
): { at: number; quotes: number } {
  let { at } = range;
  let quotes = 0;
  let lowest = Math.max(range.lowest, at - MAX_DECORATION);
  while (at > lowest) {
    const prefixStart = Math.max(linePrefixStart(text, at), range.lowest);
    if (prefixStart < at) {
      at = prefixStart;
      lowest = Math.max(range.lowest, at - MAX_DECORATION);
      continue;
    }
    const unit = text.charAt(at - 1);
    const isEscaped = text[at - 2] === "\\";
    if (isEscaped && "nrt\"'/".includes(unit)) {
      at -= 2;
      while (at > lowest && text[at - 1] === "\\") at--;
    } else if (isDecoration(unit)) {
      if (unit === '"') quotes++;
      at--;
    } else break;
  }
  return { at: Math.max(at, range.lowest), quotes };
}

/** The anchors of private key blocks. */
export function blockAnchors(): RedactionAnchor[] {
  return [
    // Three dashes would match every ruler of dashes; the letters are rare.
    { literal: "-----BEGIN", offset: 7, visit: visitBegin },
    { literal: "-----END", offset: 5, visit: visitEnd },
    { literal: "Private-Lines:", visit: visitPutty },
  ];
}
