import { readUpTo } from "./file_bytes.ts";
import { splitLines, type TextLine } from "./text_lines.ts";

const CHUNK_BYTES = 1024 * 1024;
/** Up to this size the lines of a file are counted to the end. */
const MAX_COUNTED_BYTES = 256 * 1024 * 1024;
/** The most that one range may bring into memory. */
const MAX_RANGE_BYTES = 32 * 1024 * 1024;

/** A range of lines out of a file that is too big to be read whole. */
export interface LargeRange {
  readonly text: string;
  readonly lines: readonly TextLine[];
  /** How many lines the file has, when it was counted. */
  readonly totalLines?: number;
}

/**
 * Reads lines from the middle of a big UTF-8 file, in chunks, keeping only what was asked for.
 *
 * @param file Open and at its start.
 * @returns `undefined` when the range is no valid UTF-8. No lines when the file ends before.
 */
export function readLargeRange(
  file: Deno.FsFile,
  range: {
    /** From 1. */
    readonly offset: number;
    readonly maxLines: number;
    /** The most bytes needed of the range. */
    readonly maxBytes: number;
    readonly sizeBytes: number;
  },
): LargeRange | undefined {
  const wanted = Math.min(range.maxBytes, MAX_RANGE_BYTES);
  const count = range.sizeBytes <= MAX_COUNTED_BYTES;
  const { startByte, feeds, endsWithFeed } = scan(file, { offset: range.offset, count });
  const totalLines = count ? { totalLines: feeds + (endsWithFeed ? 0 : 1) } : {};
  if (startByte === undefined) return { text: "", lines: [], ...totalLines };
  file.seekSync(startByte, Deno.SeekMode.Start);
  const bytes = readUpTo(file, wanted);
  const whole = startByte + bytes.length >= range.sizeBytes;
  let text: string;
  try {
    // `stream` leaves out a character that the cut has split.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
  const lines = splitLines(text);
  // The last line is most likely cut by the budget; alone it is better than nothing.
  const complete = whole || lines.length <= 1 ? lines : lines.slice(0, -1);
  return { text, lines: complete.slice(0, range.maxLines), ...totalLines };
}

function scan(
  file: Deno.FsFile,
  options: { readonly offset: number; readonly count: boolean },
): {
  readonly startByte: number | undefined;
  readonly feeds: number;
  readonly endsWithFeed: boolean;
} {
  let feeds = 0;
  let position = 0;
  let endsWithFeed = true;
  let startByte = options.offset === 1 ? 0 : undefined;
  while (startByte === undefined || options.count) {
    const chunk = readUpTo(file, CHUNK_BYTES);
    if (chunk.length === 0) break;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      feeds += 1;
      if (feeds === options.offset - 1) startByte = position + at + 1;
    }
    position += chunk.length;
    endsWithFeed = chunk[chunk.length - 1] === 10;
  }
  // A line that would start at the very end does not exist.
  if (startByte !== undefined && startByte === position && startByte > 0) startByte = undefined;
  return { startByte, feeds, endsWithFeed };
}
