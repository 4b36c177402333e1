import { headUnits } from "../../core/base/text.ts";
import type { RawDiagnostic, RawSpan } from "./cargo_message.ts";

/** A place in a source file; lines and columns from 1, columns in characters. */
export interface SourcePlace {
  /** Relative to the root with `/` where it is inside, else absolute. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** What the compiler says about this place. */
  readonly label?: string;
}

/** A change that the compiler proposes. */
export interface Suggestion extends SourcePlace {
  readonly message: string;
  readonly replacement: string;
  /** rustc's word for how sure it is; only `MachineApplicable` can be applied unread. */
  readonly applicability?: string;
}

/** One finding of the compiler, or a failed test. */
export interface Diagnostic {
  readonly level: "error" | "warning" | "note";
  /** An error code or a lint: `E0308`, `unused_mut`, `clippy::needless_return`. */
  readonly code?: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly label?: string;
  /** The source lines of the place, each with its number and a line of carets below. */
  readonly text?: string;
  /** Other places that explain it. */
  readonly related: readonly SourcePlace[];
  readonly notes: readonly string[];
  readonly suggestions: readonly Suggestion[];
  /** The function, type or module around the place: `fn add`. */
  readonly enclosing?: string;
  /** How often it came; a library and its tests often say the same. */
  readonly count: number;
  /** The name of the test that failed. */
  readonly test?: string;
}

/** Turns a path as the compiler wrote it into one relative to the root; `undefined` if outside. */
export type FileLocator = (file: string, manifestPath: string) => string | undefined;

const MAX_MESSAGE_UNITS = 2000;
const MAX_NOTES = 8;
const MAX_SUGGESTIONS = 8;
const MAX_RELATED = 6;
const MAX_LINES = 6;
const MAX_LINE_UNITS = 240;

/** Sentences that only count or point to other messages. */
const SUMMARIES: readonly RegExp[] = [
  /^aborting due to /,
  /^\d+ warnings? emitted/,
  /^Some errors have detailed explanations/,
  /^For more information about this error/,
];

/**
 * Makes a diagnostic of what the compiler said; `undefined` for a mere summary. The place is moved
 * out of macros of other crates to where the project calls them.
 */
export function toDiagnostic(
  raw: RawDiagnostic,
  options: { readonly manifestPath: string; readonly locate: FileLocator },
): Diagnostic | undefined {
  const { spans, children } = raw;
  if (raw.level === "failure-note") return undefined;
  if (spans.length === 0 && SUMMARIES.some((summary) => summary.test(raw.message))) {
    return undefined;
  }
  const place = (span: RawSpan) => placeOf(span, options);
  const primary = spans.find((span) => span.isPrimary) ?? spans[0];
  const shown = primary === undefined ? undefined : inProject(primary, options);
  const main = shown === undefined ? undefined : place(shown);
  const label = primary?.label;
  const text = shown === undefined ? "" : sourceText(shown);
  return {
    level: levelOf(raw.level),
    ...(raw.code === undefined ? {} : { code: raw.code }),
    message: headUnits(raw.message, MAX_MESSAGE_UNITS),
    ...(main === undefined ? {} : withoutLabel(main)),
    ...(label === undefined ? {} : { label: headUnits(label, MAX_MESSAGE_UNITS) }),
    ...(text === "" ? {} : { text }),
    related: spans.filter((span) => span !== primary && span.label !== undefined)
      .slice(0, MAX_RELATED).map(place),
    notes: children.filter((child) => !child.spans.some(isSuggestion)).slice(0, MAX_NOTES)
      .map((child) => note(child, place)),
    suggestions: [raw, ...children].flatMap((from) =>
      from.spans.filter(isSuggestion).map((span): Suggestion => ({
        ...withoutLabel(place(span)),
        message: headUnits(from.message, MAX_MESSAGE_UNITS),
        replacement: headUnits(span.replacement ?? "", MAX_MESSAGE_UNITS),
        ...(span.applicability === undefined ? {} : { applicability: span.applicability }),
      }))
    ).slice(0, MAX_SUGGESTIONS),
    count: 1,
  };
}

function levelOf(level: string): Diagnostic["level"] {
  if (level.startsWith("error")) return "error";
  return level === "warning" ? "warning" : "note";
}

function isSuggestion(span: RawSpan): boolean {
  return span.replacement !== undefined;
}

function inProject(
  span: RawSpan,
  options: { readonly manifestPath: string; readonly locate: FileLocator },
): RawSpan {
  for (let at: RawSpan | undefined = span; at !== undefined; at = at.calledFrom) {
    if (options.locate(at.file, options.manifestPath) !== undefined) return at;
  }
  return span;
}

function placeOf(
  span: RawSpan,
  options: { readonly manifestPath: string; readonly locate: FileLocator },
): SourcePlace {
  return {
    file: options.locate(span.file, options.manifestPath) ?? span.file,
    line: span.line,
    column: span.column,
    endLine: span.endLine,
    endColumn: span.endColumn,
    ...(span.label === undefined ? {} : { label: headUnits(span.label, MAX_MESSAGE_UNITS) }),
  };
}

function withoutLabel(place: SourcePlace): SourcePlace {
  const { label: _label, ...rest } = place;
  return rest;
}

function note(child: RawDiagnostic, place: (span: RawSpan) => SourcePlace): string {
  const [span] = child.spans;
  const message = headUnits(child.message, MAX_MESSAGE_UNITS);
  if (span === undefined) return `${child.level}: ${message}`;
  const { file, line, column } = place(span);
  return `${child.level}: ${message} (${file}:${line}:${column})`;
}

function sourceText(span: RawSpan): string {
  const lines = span.text.slice(0, MAX_LINES);
  const width = String(span.line + lines.length).length;
  const shown = lines.flatMap(({ text, start, end }, index) => {
    const characters = Array.from(headUnits(text, MAX_LINE_UNITS));
    const number = String(span.line + index).padStart(width);
    const line = `${number} | ${characters.join("")}`;
    const before = characters.slice(0, Math.max(0, start - 1));
    const length = Math.min(end, characters.length + 1) - start;
    if (length < 1 && start > characters.length + 1) return [line];
    // Tabs stay, so that the carets stand below their text.
    const gap = before.map((character) => character === "\t" ? "\t" : " ").join("");
    return [line, `${" ".repeat(width)} | ${gap}${"^".repeat(Math.max(1, length))}`];
  });
  if (span.text.length > lines.length) shown.push(`${" ".repeat(width)} | …`);
  return shown.join("\n");
}
