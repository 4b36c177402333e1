import { headUnits, utf8Length } from "../../core/base/text.ts";
import { neutraliseMarkers } from "../framing.ts";
import type { FoundLine } from "./search_lines.ts";
import { shownPath } from "./shown_path.ts";

/** Longer lines are shown in part, around the match. In UTF-16 units. */
const MAX_SHOWN_UNITS = 300;
const UNITS_BEFORE_MATCH = 100;

/**
 * Collects found lines as `path:12:text`, lines of context as `path-11-text`, with `--` between
 * groups that do not touch, as far as a budget goes.
 */
export class SearchReport {
  readonly #rows: string[] = [];
  readonly #hasContext: boolean;
  #leftBytes: number;
  #matches = 0;
  #files = 0;
  #isFull = false;

  constructor(options: { readonly maxBytes: number; readonly hasContext: boolean }) {
    this.#leftBytes = options.maxBytes;
    this.#hasContext = options.hasContext;
  }

  /** Matching lines that are shown. */
  get matches(): number {
    return this.#matches;
  }

  /** Files that have at least one of them. */
  get files(): number {
    return this.#files;
  }

  /** Whether something did not fit; nothing is added from then on. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The lines added so far. */
  get text(): string {
    return this.#rows.join("\n");
  }

  /** Adds the lines of one file. */
  add(path: string, lines: readonly FoundLine[]): void {
    const shown = shownPath(path);
    const before = this.#matches;
    let last = -1;
    for (const line of lines) {
      const isApart = this.#hasContext && this.#rows.length > 0 && line.number !== last + 1;
      const mark = line.at < 0 ? "-" : ":";
      const row = `${shown}${mark}${line.number}${mark}${shownText(line)}`;
      if (!this.#push(isApart ? `--\n${row}` : row)) break;
      if (line.at >= 0) this.#matches += 1;
      last = line.number;
    }
    if (this.#matches > before) this.#files += 1;
  }

  #push(row: string): boolean {
    const bytes = utf8Length(neutraliseMarkers(row)) + 1;
    this.#isFull ||= bytes > this.#leftBytes;
    if (this.#isFull) return false;
    this.#leftBytes -= bytes;
    this.#rows.push(row);
    return true;
  }
}

function shownText({ text, at }: FoundLine): string {
  if (text.length <= MAX_SHOWN_UNITS) return text;
  let start = Math.max(0, Math.min(at - UNITS_BEFORE_MATCH, text.length - MAX_SHOWN_UNITS));
  const unit = text.charCodeAt(start);
  if (unit >= 0xdc00 && unit <= 0xdfff) start += 1;
  const piece = headUnits(text.slice(start), MAX_SHOWN_UNITS);
  const head = start > 0 ? "…" : "";
  const tail = start + piece.length < text.length ? "…" : "";
  return `${head}${piece}${tail} [line of ${text.length} characters]`;
}
