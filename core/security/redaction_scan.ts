import { followsLinePrefix } from "./redaction_line_prefix.ts";

/** What takes the place of a secret. */
export const REDACTED = "[REDACTED]";

/** A part of a text that is replaced. */
export interface RedactionSpan {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Start of what must stand together with the span for it to be found; its own start by default. */
  readonly context?: number;
}

/** Character classes, one bit each; patterns combine them. */
export const DIGIT = 1, UPPER = 2, LOWER = 4, DASH = 8, SLASH = 16, DOT = 32, EQUAL = 64;
/** Letters and digits. */
export const ALNUM = DIGIT | UPPER | LOWER;
/** Letters, digits, `-` and `_`: base64url, and what names are made of. */
export const WORD = ALNUM | DASH;
/** Letters, digits, `+`, `/` and `=`. */
export const BASE64 = ALNUM | SLASH | EQUAL;

const CLASSES = new Uint8Array(128);
for (let code = 48; code < 58; code++) CLASSES[code] = DIGIT;
for (let code = 65; code < 91; code++) CLASSES[code] = UPPER;
for (let code = 97; code < 123; code++) CLASSES[code] = LOWER;
for (const sign of "-_") CLASSES[sign.charCodeAt(0)] = DASH;
for (const sign of "+/") CLASSES[sign.charCodeAt(0)] = SLASH;
for (const sign of ".~") CLASSES[sign.charCodeAt(0)] = DOT;
CLASSES["=".charCodeAt(0)] = EQUAL;

/** A percent-encoded byte or a JSON escape at the end. */
const ENCODED_REGEXP = /(?:%|\\u[0-9a-fA-F]{2})[0-9a-fA-F]{2}$/;

/** Whether the unit at a position belongs to a class; out of range belongs to none. */
export function isIn(text: string, options: { readonly at: number; readonly mask: number }) {
  const code = text.charCodeAt(options.at);
  return code < 128 && ((CLASSES[code] ?? 0) & options.mask) !== 0;
}

/**
 * One pass over one text: what was found, and what the visitors remember so that together they
 * stay linear. Visitors look backwards only within the word they start in, and forwards only to
 * the end of the line (private key blocks excepted): the stream relies on it.
 */
export class RedactionScan {
  readonly text: string;
  /** Whether the text starts in the middle of a line. */
  readonly midLine: boolean;
  readonly spans: RedactionSpan[] = [];
  /** Parts that must stay together although nothing in them is secret so far. */
  readonly links: RedactionSpan[] = [];
  /** Where something starts that more text could still turn into a secret; else the length. */
  openFrom: number;
  /** The last place whose meaning may depend on the rest of its line; -1 without. */
  lastTrigger = -1;
  /** End of the last name looked at; names before it are done. */
  nameEnd = 0;
  /** End of the last key block looked at. */
  blockEnd = 0;
  readonly #runs = new Map<number | RegExp, { start: number; end: number }>();
  #lineEnd = -1;
  #lineFrom = 0;

  constructor(text: string, options: { readonly midLine?: boolean } = {}) {
    this.text = text;
    this.midLine = options.midLine ?? false;
    this.openFrom = text.length;
  }

  /** Whether the unit at a position belongs to a class. */
  is(at: number, mask: number): boolean {
    return isIn(this.text, { at, mask });
  }

  /** The end of the run of a class that starts or goes on at a position; each run is walked once. */
  runEnd(at: number, mask: number): number {
    const known = this.#runs.get(mask);
    if (known !== undefined && at >= known.start && at < known.end) return known.end;
    const { text } = this;
    let end = at;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code >= 128 || ((CLASSES[code] ?? 0) & mask) === 0) break;
    }
    this.#runs.set(mask, { start: at, end });
    return end;
  }

  /** The same for a class that a sticky expression repeats any number of times. */
  matchEnd(at: number, classRegexp: RegExp): number {
    const known = this.#runs.get(classRegexp);
    if (known !== undefined && at >= known.start && at < known.end) return known.end;
    classRegexp.lastIndex = at;
    const end = at + (classRegexp.exec(this.text)?.[0].length ?? 0);
    this.#runs.set(classRegexp, { start: at, end });
    return end;
  }

  /** The end of the line that a position lies in. */
  lineEnd(at: number): number {
    if (at < this.#lineFrom || at > this.#lineEnd) {
      const found = this.text.indexOf("\n", at);
      this.#lineFrom = at;
      this.#lineEnd = found < 0 ? this.text.length : found;
    }
    return this.#lineEnd;
  }

  /**
   * Whether a word can start here: text start, after a sign, after an escape such as `\n` in JSON
   * after a percent-encoded byte, or after a prefix such as `file.ts-12-`.
   */
  isWordStart(at: number): boolean {
    if (!this.is(at - 1, WORD)) return true;
    const { text } = this;
    if (text[at - 2] === "\\" && "nrtbf".includes(text[at - 1] ?? "")) return true;
    return ENCODED_REGEXP.test(text.slice(Math.max(0, at - 6), at)) ||
      followsLinePrefix(text, { at, midLine: this.midLine });
  }

  /** Notes a secret, and where the text starts that tells it is one. */
  add(start: number, end: number, context = start): void {
    if (end > start) this.spans.push({ start, end, replacement: REDACTED, context });
  }

  /** Notes that a stream must not cut between two places. */
  link(start: number, end: number): void {
    this.links.push({ start, end, replacement: "" });
  }

  /** Notes a place whose meaning may depend on the rest of its line. */
  trigger(at: number): void {
    if (at > this.lastTrigger) this.lastTrigger = at;
  }

  /** Notes that more text could still turn what starts here into a secret. */
  open(at: number): void {
    if (at < this.openFrom) this.openFrom = at;
  }
}

/** Something that looks at the text around each occurrence of a literal. */
export interface RedactionAnchor {
  /** At least three units, compared exactly. */
  readonly literal: string;
  /** Which three units of the literal the scanner looks for first; rare ones are cheaper. */
  readonly offset?: number;
  /** Looks at one occurrence. */
  readonly visit: (scan: RedactionScan, at: number) => void;
}

const HASH_BITS = 15;
const HASH_MASK = (1 << HASH_BITS) - 1;
const STEP_BITS = 5;

/**
 * Finds all occurrences of many literals in one pass: a rolling hash of three units, a table that
 * says which hashes matter, and a comparison for the few that do (the idea of Rabin and Karp).
 */
export class AnchorTable {
  readonly #filter = new Uint8Array(HASH_MASK + 1);
  readonly #buckets = new Map<number, RedactionAnchor[]>();

  constructor(anchors: Iterable<RedactionAnchor>) {
    for (const anchor of anchors) this.#insert(anchor);
  }

  /** Calls every anchor at each of its occurrences. */
  run(scan: RedactionScan): void {
    const { text } = scan;
    const filter = this.#filter;
    const length = text.length;
    let hash = 0;
    for (let at = 0; at < length; at++) {
      hash = ((hash << STEP_BITS) ^ text.charCodeAt(at)) & HASH_MASK;
      if (filter[hash] !== 0) this.#visit(scan, { hash, at: at - 2 });
    }
  }

  #visit(scan: RedactionScan, found: { hash: number; at: number }): void {
    for (const anchor of this.#buckets.get(found.hash) ?? []) {
      const at = found.at - (anchor.offset ?? 0);
      if (at >= 0 && scan.text.startsWith(anchor.literal, at)) anchor.visit(scan, at);
    }
  }

  #insert(anchor: RedactionAnchor): void {
    let hash = 0;
    for (let i = 0; i < 3; i++) {
      const code = anchor.literal.charCodeAt((anchor.offset ?? 0) + i);
      hash = ((hash << STEP_BITS) ^ code) & HASH_MASK;
    }
    this.#filter[hash] = 1;
    const bucket = this.#buckets.get(hash);
    if (bucket === undefined) this.#buckets.set(hash, [anchor]);
    else bucket.push(anchor);
  }
}

/** Where the line starts that a position lies in; `lastIndexOf` is many times slower. */
export function lineStartOf(text: string, at: number): number {
  let start = at;
  while (start > 0 && text.charCodeAt(start - 1) !== 10) start--;
  return start;
}

/** A text with its spans replaced; spans that overlap or touch become one. */
export function applySpans(text: string, spans: readonly RedactionSpan[]): string {
  if (spans.length === 0) return text;
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let result = "";
  let done = 0;
  for (let i = 0; i < sorted.length;) {
    const first = sorted[i];
    if (first === undefined) break;
    let end = first.end;
    let next = i + 1;
    for (; next < sorted.length; next++) {
      const other = sorted[next];
      if (other === undefined || other.start > end) break;
      end = Math.max(end, other.end);
    }
    result += text.slice(done, first.start) + first.replacement;
    done = end;
    i = next;
  }
  return result + text.slice(done);
}
