import type { RedactionScan } from "./redaction_scan.ts";

/** An opening or closing quote with the backslashes that belong to it: `"`, `\"`, `\\\"`, `'`. */
export interface QuoteMark {
  readonly at: number;
  readonly text: string;
}

/** Most backslashes before a quote: strings in strings, five deep. */
const MAX_BACKSLASHES = 31;

/** The quote at a position, with as many backslashes as nested strings have: 0, 1, 3, 7 … */
export function quoteAt(text: string, at: number): QuoteMark | undefined {
  let end = at;
  while (text[end] === "\\" && end - at < MAX_BACKSLASHES) end++;
  const unit = text[end];
  if (unit !== '"' && unit !== "'" && unit !== "`") return undefined;
  const backslashes = end - at;
  return (backslashes & (backslashes + 1)) === 0
    ? { at, text: text.slice(at, end + 1) }
    : undefined;
}

/** The quote that ends at a position, with its backslashes; empty when there is none. */
export function quoteBefore(text: string, at: number): string {
  const unit = text.charAt(at - 1);
  if (unit !== '"' && unit !== "'" && unit !== "`") return "";
  let start = at - 1;
  while (text[start - 1] === "\\" && at - start <= MAX_BACKSLASHES) start--;
  return text.slice(start, at);
}

/**
 * The end of a quoted value: before the quote that closes it, or any string around it; else before
 * the end of the line. A string in a string in a string has quotes with 0, 1 and 3 backslashes, so
 * the number of backslashes tells which string a quote closes.
 */
export function readQuoted(
  scan: RedactionScan,
  options: { readonly from: number; readonly quote: string },
): number {
  const { text } = scan;
  const { from, quote } = options;
  const sign = quote.charAt(quote.length - 1);
  const depthMask = 2 * (quote.length - 1) + 1;
  const last = scan.lineEnd(from);
  let backslashes = 0;
  for (let at = from; at < last; at++) {
    const unit = text[at];
    if (unit === "\\") {
      backslashes++;
      continue;
    }
    if (unit === sign || unit === '"') {
      // A double quote in another string may be the end of the JSON string around both.
      const counts = unit === sign || closesJson(text, at);
      if (counts && (backslashes & depthMask) !== depthMask) {
        return at - closingBackslashes(backslashes, quote.length - 1);
      }
    }
    backslashes = 0;
  }
  return text[last - 1] === "\r" ? last - 1 : last;
}

/** How many of the backslashes before a closing quote belong to the quote. */
function closingBackslashes(count: number, most: number): number {
  let own = 0;
  while (own < most && (count & (own + 1)) !== 0) own = own * 2 + 1;
  return Math.min(own, most);
}

function closesJson(text: string, at: number): boolean {
  return /^[ \t]{0,4}(?:[,:}\]\\\r\n]|$)/.test(text.slice(at + 1, at + 8));
}
