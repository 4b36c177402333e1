import { utf8Length } from "../core/base/text.ts";
import { outputRows } from "./output_rows.ts";

/** Options of {@linkcode boundOutput}. */
export interface BoundOutputOptions {
  /** The most bytes of UTF-8 that the bounded text may have. */
  readonly maxBytes: number;
  /**
   * How the reader gets what is left out, as the end of a sentence.
   *
   * @param row The first row that is left out, wholly or in part, from 1 (`outputRows`).
   */
  readonly howToRead?: (row: number) => string;
}

/** A text that fits its bound. */
export interface BoundedOutput {
  readonly text: string;
  /** Bytes of UTF-8 that were left out; 0 when the text is whole. */
  readonly omittedBytes: number;
}

/** The most text of one tool result, in bytes, when the prompt budget would allow more. */
export const MAX_RESULT_BYTES = 256 * 1024;

/** Half of what is kept shows the start, half the end: commands fail at the end. */
const HEAD_FRACTION = 0.5;

/** Escape sequences longer than this are not looked for. */
const MAX_ESCAPE_UNITS = 128;

/** A terminal escape at the start of a text: CSI, OSC or two characters. */
const ESCAPE_REGEXP =
  // deno-lint-ignore no-control-regex
  /^\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^[\]])/;

/**
 * Cuts a text in the middle, at line ends where there are any: its head, a marker that says how
 * much was left out and how to read it, its tail. No cut falls inside a UTF-8 sequence, a surrogate
 * pair or a terminal escape.
 */
export function boundOutput(text: string, options: BoundOutputOptions): BoundedOutput {
  if (text.length * 3 <= options.maxBytes) return { text, omittedBytes: 0 };
  const totalBytes = utf8Length(text);
  if (totalBytes <= options.maxBytes) return { text, omittedBytes: 0 };
  const most = { bytes: totalBytes, lines: totalBytes, row: totalBytes };
  const markerRoom = utf8Length(marker(most, options)) + 2;
  const room = Math.max(options.maxBytes - markerRoom, 0);
  const headEnd = headCut(text, Math.floor(room * HEAD_FRACTION));
  const tailStart = Math.max(tailCut(text, room - Math.ceil(room * HEAD_FRACTION)), headEnd);
  const head = text.slice(0, headEnd);
  const tail = text.slice(tailStart);
  const omitted = text.slice(headEnd, tailStart);
  const omittedBytes = utf8Length(omitted);
  const rows = outputRows(head).length;
  const row = head === "" || head.endsWith("\n") ? rows + 1 : rows;
  const line = marker({ bytes: omittedBytes, lines: countLines(omitted), row }, options);
  const before = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return { text: `${before}${line}\n${tail}`, omittedBytes };
}

function marker(
  cut: { readonly bytes: number; readonly lines: number; readonly row: number },
  options: BoundOutputOptions,
): string {
  const how = options.howToRead === undefined ? "" : `; ${options.howToRead(cut.row)}`;
  return `[${cut.bytes} bytes in ${cut.lines} lines left out here${how}]`;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}

/** The end of the longest head that fits. */
function headCut(text: string, maxBytes: number): number {
  let end = 0;
  for (let bytes = 0; end < text.length;) {
    const point = text.codePointAt(end) ?? 0;
    bytes += pointBytes(point);
    if (bytes > maxBytes) break;
    end += point > 0xffff ? 2 : 1;
  }
  const lineEnd = text.lastIndexOf("\n", end - 1) + 1;
  // A line that fills most of the room is cut itself, or the head would show nothing of it.
  return lineEnd > end / 2 ? lineEnd : beforeEscape(text, end);
}

/** The start of the longest tail that fits. */
function tailCut(text: string, maxBytes: number): number {
  let start = text.length;
  for (let bytes = 0; start > 0;) {
    const width = isLowSurrogate(text, start - 1) && isHighSurrogate(text, start - 2) ? 2 : 1;
    bytes += pointBytes(text.codePointAt(start - width) ?? 0);
    if (bytes > maxBytes) break;
    start -= width;
  }
  if (start === 0 || text[start - 1] === "\n") return start;
  const lineStart = text.indexOf("\n", start) + 1;
  const kept = text.length - start;
  return lineStart > 0 && text.length - lineStart > kept / 2 ? lineStart : afterEscape(text, start);
}

function pointBytes(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point > 0xffff ? 4 : 3;
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The escape that a cut would split, as `[start, end]`. */
function splitEscape(text: string, cut: number): [number, number] | undefined {
  const start = text.lastIndexOf("\u001b", cut - 1);
  if (start < 0 || start < cut - MAX_ESCAPE_UNITS) return undefined;
  const found = ESCAPE_REGEXP.exec(text.slice(start, start + 2 * MAX_ESCAPE_UNITS));
  const end = start + (found?.[0].length ?? 1);
  return end > cut ? [start, end] : undefined;
}

function beforeEscape(text: string, cut: number): number {
  return splitEscape(text, cut)?.[0] ?? cut;
}

function afterEscape(text: string, cut: number): number {
  return splitEscape(text, cut)?.[1] ?? cut;
}
