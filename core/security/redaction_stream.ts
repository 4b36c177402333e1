import type { RedactionEngine } from "./redaction_engine.ts";
import { isPrefixedHead } from "./redaction_line_prefix.ts";
import { lineStartOf, type RedactionScan, type RedactionSpan } from "./redaction_scan.ts";
import type { Redactor } from "./redactor.ts";

/** Units of a line after which nothing looks back at the line's start any more. */
const MIN_LINE_HEAD = 24;
/** From this size on, a text that is held back is looked at again only when it has grown. */
const RETRY_UNITS = 1_024;

const SEPARATOR_REGEXP = /[ \t\u2e80-\ud7ff\ue000-\uffff]/;
/** Where a separator still belongs to the start of a line inside a string. */
const STRING_START_REGEXP = /(?:\\n|["'`])[ \t+-]*(?:(?:export|set|env|ENV|ARG)[ \t]*)?$/;

/**
 * Redacts a text that comes in chunks. What comes out, put together, is the redaction of the whole
 * text, however it was split; and nothing leaves as long as more text could make it a secret.
 *
 * The text is cut where no secret can span: after line breaks, and after words in lines that
 * mention nothing secret. Private keys hold back their lines. At most a line of 65,536 units and a
 * key block are held.
 */
export class RedactionStream {
  readonly #engine: RedactionEngine;
  /** Text that has not left yet; a rope that is only looked at when a cut is possible. */
  #held = "";
  /** Whether the held text starts in the middle of a line, and how far into it. */
  #midLine = false;
  #lineOffset = 0;
  /** Length of the last line so far, what has left already included. */
  #lineUnits = 0;
  /** Whether the last line mentions something whose meaning depends on its rest. */
  #isTriggered = false;
  #retryUnits = 0;

  constructor(redactor: Redactor) {
    this.#engine = redactor.engine;
  }

  /** Takes the next chunk; returns what can leave now. */
  push(chunk: string): string {
    if (chunk === "") return "";
    this.#held += chunk;
    const hasLineBreak = chunk.includes("\n");
    if (hasLineBreak) {
      this.#lineUnits = chunk.length - lineStartOf(chunk, chunk.length);
      this.#isTriggered = false;
    } else this.#lineUnits += chunk.length;
    if (this.#lineUnits < this.#engine.maxLineUnits) {
      if (!hasLineBreak && (this.#isTriggered || !SEPARATOR_REGEXP.test(chunk))) return "";
      if (this.#held.length < this.#retryUnits) return "";
    }
    return this.#release();
  }

  /** Returns all that is left; the stream can then take another text. */
  end(): string {
    const result = this.#longLines() +
      this.#engine.redactPiece(this.#held, { midLine: this.#midLine });
    this.#held = "";
    this.#midLine = this.#isTriggered = false;
    this.#lineOffset = this.#lineUnits = this.#retryUnits = 0;
    return result;
  }

  #release(): string {
    const result = this.#longLines();
    const cut = this.#findCut();
    if (cut === 0) {
      const held = this.#held.length;
      this.#retryUnits = held < RETRY_UNITS ? 0 : held + (held >> 3);
      return result;
    }
    this.#retryUnits = 0;
    return result + this.#leave(cut);
  }

  /** Lets the pieces of lines leave that are longer than the limit. */
  #longLines(): string {
    const text = this.#held;
    const rest = this.#engine.splitLongLines(text, {
      midLine: this.#midLine,
      lineOffset: this.#lineOffset,
    });
    if (rest.pieces.length === 0) return "";
    let result = "";
    for (const piece of rest.pieces) {
      result += this.#engine.redactPiece(text.slice(piece.start, piece.end), piece);
    }
    this.#held = text.slice(rest.start);
    this.#midLine = rest.midLine;
    this.#lineOffset = rest.lineOffset;
    if (!this.#held.includes("\n")) this.#lineUnits = this.#held.length;
    this.#isTriggered = false;
    return result;
  }

  #leave(cut: number): string {
    const text = this.#held.slice(0, cut);
    const result = this.#engine.redactPiece(text, { midLine: this.#midLine });
    this.#held = this.#held.slice(cut);
    const lineStart = lineStartOf(text, cut);
    this.#midLine = lineStart < cut;
    this.#lineOffset = cut - lineStart + (lineStart === 0 ? this.#lineOffset : 0);
    return result;
  }

  /** The last safe place to cut the held text; 0 without one. */
  #findCut(): number {
    const text = this.#held;
    const lineStart = lineStartOf(text, text.length);
    const known = Math.max(this.#wordCut(text, lineStart), lineStart);
    if (known === 0) return 0;
    const scan = this.#engine.scan(text.slice(0, known), { midLine: this.#midLine });
    const open = Math.min(scan.openFrom, this.#engine.possibleStart(text, known));
    if (open >= known && (known === lineStart || !this.#mentionsSecret(scan, lineStart))) {
      return known;
    }
    // An end marker that has begun in this line may still reach back.
    const at = Math.min(open, this.#engine.possibleStart(text, lineStart));
    return cutBefore(text, { at, spans: [...scan.spans, ...scan.links] });
  }

  /** Whether something in this line or the one before may reach behind the cut. */
  #mentionsSecret(scan: RedactionScan, lineStart: number): boolean {
    const { lastTrigger } = scan;
    if (lastTrigger >= lineStart) this.#isTriggered = true;
    const before = lineStartOf(this.#held, Math.max(lineStart - 1, 0));
    if (lastTrigger >= before) return true;
    // Should the line get too long, it will be looked at without the lines before it.
    return [...scan.spans, ...scan.links].some(({ start, end, context = start }) =>
      context < lineStart && end > lineStart
    );
  }

  /** The last place after a word in the last line where nothing looks back; 0 without one. */
  #wordCut(text: string, lineStart: number): number {
    if (this.#engine.hasCustomPatterns || this.#isTriggered) return 0;
    const offset = lineStart === 0 ? this.#lineOffset : 0;
    let at = text.length;
    while (at > lineStart && !SEPARATOR_REGEXP.test(text.charAt(at - 1))) at--;
    if (offset + at - lineStart >= this.#engine.maxLineUnits / 2) return 0;
    if (offset === 0) {
      const head = text.slice(lineStart, Math.min(at, lineStart + 256)).replace(/^[ \t+-]+/, "");
      if (head.length < MIN_LINE_HEAD) return 0;
    }
    const isHead = STRING_START_REGEXP.test(text.slice(Math.max(lineStart, at - 64), at)) ||
      isPrefixedHead(text, at);
    return isHead ? 0 : at;
  }
}

/** The last start of a line up to a position that lies in no secret and parts none from its name. */
function cutBefore(
  text: string,
  options: { readonly at: number; readonly spans: readonly RedactionSpan[] },
): number {
  const spans = options.spans.toSorted((a, b) => b.end - a.end);
  let cut = lineStartOf(text, options.at);
  for (const { start, end, context = start } of spans) {
    // Sorted by their ends: the rest ends before the cut, too.
    if (end <= cut) break;
    if (context < cut) cut = lineStartOf(text, context);
  }
  return cut;
}
