import { nameAnchors } from "./redaction_assignments.ts";
import { blockAnchors, possibleBlockStart } from "./redaction_blocks.ts";
import { EnvSecrets, type EnvSecretsOptions } from "./redaction_env.ts";
import { tokenAnchors } from "./redaction_patterns.ts";
import {
  AnchorTable,
  applySpans,
  lineStartOf,
  REDACTED,
  RedactionScan,
  type RedactionSpan,
} from "./redaction_scan.ts";
import { shapeAnchors } from "./redaction_shapes.ts";

/** A linear-time pattern that replaces its matches, as RE2 offers them. */
export interface CustomPattern {
  /** The text with all matches replaced by {@linkcode REDACTED}. */
  replaceAll(text: string): string;
}

/** Longest line that is looked at as a whole, in UTF-16 units. */
const MAX_LINE_UNITS = 65_536;
/** Passes until nothing more is found: a replacement can uncover a word start. */
const MAX_PASSES = 8;

/** A part of a text that is redacted by itself. */
export interface RedactionPiece {
  readonly start: number;
  readonly end: number;
  readonly midLine: boolean;
}

/** What remains of a text after the pieces of its overlong lines. */
export interface RedactionRest {
  readonly pieces: readonly RedactionPiece[];
  /** Where the rest starts, and whether in the middle of a line. */
  readonly start: number;
  readonly midLine: boolean;
  /** How far before the rest the line began in which it starts. */
  readonly lineOffset: number;
}

/** Options of {@linkcode RedactionEngine}. */
export interface RedactionEngineOptions extends EnvSecretsOptions {
  readonly customPatterns: readonly CustomPattern[];
  /**
   * Longest line that is looked at as a whole, in UTF-16 units; tests make it small.
   * @default {65_536}
   */
  readonly maxLineUnits?: number;
}

/** How a piece of text stands in its line. */
type PieceOptions = Pick<RedactionPiece, "midLine">;

let builtIn: AnchorTable | undefined;

function allAnchors() {
  return [...blockAnchors(), ...shapeAnchors(), ...tokenAnchors(), ...nameAnchors()];
}

/** Finds and replaces; shared by whole texts and streams so that both give the same. */
export class RedactionEngine {
  /** Longest line that is looked at as a whole, in UTF-16 units. */
  readonly maxLineUnits: number;
  /** Whether patterns of the person's own run, too. */
  readonly hasCustomPatterns: boolean;
  readonly #customPatterns: readonly CustomPattern[];
  readonly #env: EnvSecrets;
  readonly #table: AnchorTable;

  constructor(options: RedactionEngineOptions) {
    this.maxLineUnits = options.maxLineUnits ?? MAX_LINE_UNITS;
    this.#customPatterns = options.customPatterns;
    this.hasCustomPatterns = options.customPatterns.length > 0;
    this.#env = new EnvSecrets(options);
    if (this.#env.anchors.length > 0) {
      this.#table = new AnchorTable([...allAnchors(), ...this.#env.anchors]);
    } else this.#table = builtIn ??= new AnchorTable(allAnchors());
  }

  /** Redacts a whole text. */
  redact(text: string): string {
    const rest = this.splitLongLines(text, { midLine: false, lineOffset: 0 });
    if (rest.pieces.length === 0) return this.#custom(this.#redactPiece(text, { midLine: false }));
    let result = "";
    for (const piece of rest.pieces) {
      result += this.#redactPiece(text.slice(piece.start, piece.end), piece);
    }
    return this.#custom(
      result + this.#redactPiece(text.slice(rest.start), { midLine: rest.midLine }),
    );
  }

  /** Redacts a piece of a stream. */
  redactPiece(text: string, options: PieceOptions): string {
    return this.#custom(this.#redactPiece(text, options));
  }

  /** Looks at a piece of text once. */
  scan(text: string, options: { readonly midLine: boolean }): RedactionScan {
    const scan = new RedactionScan(text, options);
    this.#table.run(scan);
    return scan;
  }

  /**
   * Cuts lines that are too long to be looked at as a whole, at places between secrets that depend
   * on the line alone, so that a stream cuts at the same ones.
   */
  splitLongLines(
    text: string,
    options: { readonly midLine: boolean; readonly lineOffset: number },
  ): RedactionRest {
    const pieces: RedactionPiece[] = [];
    let { midLine } = options;
    let lineStart = -options.lineOffset;
    let start = 0;
    let farBreak = -1;
    while (text.length - lineStart >= this.maxLineUnits) {
      const half = Math.max(lineStart + Math.floor(this.maxLineUnits / 2), 0);
      // Looked for once, so that a line of many windows is not walked for each of them.
      if (farBreak < half) farBreak = lineBreakFrom(text, half);
      const lineBreak = farBreak < lineStart + this.maxLineUnits
        ? farBreak
        : lineBreakFrom(text.slice(0, half), Math.max(lineStart, 0));
      if (lineBreak < lineStart + this.maxLineUnits) {
        lineStart = lineBreak + 1;
        continue;
      }
      const begin = Math.max(lineStart, 0);
      if (begin > start) {
        pieces.push({ start, end: begin, midLine });
        midLine = false;
      }
      const window = text.slice(begin, lineStart + this.maxLineUnits);
      const lowest = lineStart + Math.floor(this.maxLineUnits / 2) - begin;
      const { spans } = this.scan(window, { midLine });
      const length = cutLine(window, { spans, lowest, maxUnits: this.maxLineUnits });
      const end = begin + length;
      pieces.push({ start: begin, end, midLine });
      start = lineStart = end;
      midLine = true;
    }
    return { pieces, start, midLine, lineOffset: start === 0 ? options.lineOffset : 0 };
  }

  /**
   * The first place before a position where something starts that more text could turn into a
   * secret; the position itself when it is safe to cut there.
   */
  possibleStart(text: string, at: number): number {
    return Math.min(possibleBlockStart(text, at), this.#env.possibleStart(text, at));
  }

  #redactPiece(text: string, options: PieceOptions): string {
    const { midLine } = options;
    const { spans } = this.scan(text, { midLine });
    if (spans.length === 0) return text;
    let result = "";
    let done = 0;
    for (const group of groupByLines(text, spans)) {
      const { start, end } = group;
      const lines = applySpans(text.slice(start, end), shiftSpans(group.spans, start));
      result += text.slice(done, start) + this.#settle(lines, midLine && start === 0);
      done = end;
    }
    return result + text.slice(done);
  }

  /** Redacts lines with replacements again until nothing changes. */
  #settle(text: string, midLine: boolean): string {
    let current = text;
    for (let pass = 1; pass < MAX_PASSES; pass++) {
      const { spans } = this.scan(current, { midLine });
      if (spans.length === 0) break;
      const next = applySpans(current, spans);
      if (next === current) break;
      current = next;
    }
    return current;
  }

  /** Patterns of the person's own see the text between replacements, never the replacements. */
  #custom(text: string): string {
    let current = text;
    for (const pattern of this.#customPatterns) {
      current = current.split(REDACTED).map((part) => part === "" ? "" : pattern.replaceAll(part))
        .join(REDACTED);
    }
    return current;
  }
}

/** The last place between secrets in the second half of a window of a line; its end without one. */
function cutLine(
  window: string,
  options: {
    readonly spans: readonly RedactionSpan[];
    readonly lowest: number;
    readonly maxUnits: number;
  },
): number {
  const spans = options.spans.toSorted((a, b) => b.end - a.end);
  // What starts at the very end of the window may go on behind it.
  let at = window.length - Math.floor(options.maxUnits / 16);
  let next = 0;
  for (; at >= Math.max(options.lowest, 1); at--) {
    // Spans by their ends: those that end behind this place and start before it cover it.
    for (let span = spans[next]; span !== undefined && span.end >= at; span = spans[++next]) {
      if (span.start < at) at = span.start;
    }
    if (at >= 1 && isSeparator(window.charCodeAt(at - 1))) break;
  }
  if (at >= Math.max(options.lowest, 1)) return at;
  const last = window.charCodeAt(window.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length;
}

/** Space, tab, comma, semicolon, closing brace. */
function isSeparator(code: number): boolean {
  return code === 32 || code === 9 || code === 44 || code === 59 || code === 125;
}

/** Lines that hold secrets, with the line before and after. */
interface SpanGroup {
  readonly start: number;
  readonly end: number;
  readonly spans: readonly RedactionSpan[];
}

function groupByLines(text: string, spans: readonly RedactionSpan[]): SpanGroup[] {
  const groups: { start: number; end: number; innerEnd: number; spans: RedactionSpan[] }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = groups.at(-1);
    const start = last !== undefined && span.start < last.end
      ? last.start
      : lineBefore(text, span.start);
    if (last === undefined || start >= last.end) {
      groups.push({ start, end: lineAfter(text, span.end), innerEnd: span.end, spans: [span] });
      continue;
    }
    last.spans.push(span);
    if (span.end <= last.innerEnd) continue;
    if (text.slice(last.innerEnd, span.end).includes("\n")) last.end = lineAfter(text, span.end);
    last.innerEnd = span.end;
  }
  return groups;
}

function lineBefore(text: string, at: number): number {
  return lineStartOf(text, Math.max(lineStartOf(text, at) - 1, 0));
}

/** The first line break from a position on; beyond everything when there is none. */
function lineBreakFrom(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

function lineAfter(text: string, at: number): number {
  const lineBreak = text.indexOf("\n", at);
  const next = lineBreak < 0 ? -1 : text.indexOf("\n", lineBreak + 1);
  return next < 0 ? text.length : next + 1;
}

function shiftSpans(spans: readonly RedactionSpan[], by: number): RedactionSpan[] {
  return spans.map((span) => ({ ...span, start: span.start - by, end: span.end - by }));
}
