/** Options of {@linkcode readLineBlocks}. */
export interface LineBlocksOptions {
  /** Takes a block of whole lines, newline included; only valid until the call returns. */
  readonly onBlock: (block: Uint8Array) => void;
  /** Takes what follows the last newline, if anything does. */
  readonly onRest?: (rest: Uint8Array) => void;
  /** Called for each line that is too long to be looked at. */
  readonly onTooLong?: () => void;
  /** Reading stops after so many bytes: a caller that knows the size saves asking for the end. */
  readonly expectedBytes?: number;
  /** A buffer to use first, for callers that read many files. */
  readonly buffer?: Uint8Array<ArrayBuffer>;
  /**
   * Longer lines are skipped, so that no file can fill the memory.
   * @default {67108864}
   */
  readonly maxLineBytes?: number;
}

/** What was read. */
export interface LineBlocksResult {
  /** Bytes in the file. */
  readonly size: number;
  /** Where the last whole line ends. */
  readonly wholeSize: number;
}

/** The size of a read, in bytes. */
export const BLOCK_BYTES = 256 * 1024;

const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Reads a file in blocks of whole lines; memory is bound by the longest line. */
export function readLineBlocks(path: string, options: LineBlocksOptions): LineBlocksResult {
  using file = Deno.openSync(path, { read: true });
  const { maxLineBytes = MAX_LINE_BYTES, expectedBytes = Number.POSITIVE_INFINITY } = options;
  let buffer = options.buffer ?? new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  let size = 0;
  let skipping = false;
  let rest = 0;
  while (size < expectedBytes) {
    const count = file.readSync(buffer.subarray(filled));
    if (count === null) break;
    size += count;
    filled += count;
    let start = 0;
    if (skipping) {
      rest += count;
      const newline = buffer.subarray(0, filled).indexOf(NEWLINE);
      if (newline < 0) {
        filled = 0;
        continue;
      }
      skipping = false;
      start = newline + 1;
    }
    const end = buffer.subarray(start, filled).lastIndexOf(NEWLINE) + 1 + start;
    if (end > start) options.onBlock(buffer.subarray(start, end));
    buffer.copyWithin(0, end, filled);
    filled -= end;
    rest = filled;
    if (filled < buffer.length) continue;
    if (filled >= maxLineBytes) {
      options.onTooLong?.();
      skipping = true;
      filled = 0;
    } else {
      const larger = new Uint8Array(buffer.length * 2);
      larger.set(buffer);
      buffer = larger;
    }
  }
  if (filled > 0 && !skipping) options.onRest?.(buffer.subarray(0, filled));
  return { size, wholeSize: size - rest };
}
