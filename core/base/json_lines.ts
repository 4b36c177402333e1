/** One line of a byte stream, or why there is none. */
export type SplitLine =
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "too_long"; readonly bytes: number }
  | { readonly type: "invalid_utf8" };

/** Options of {@linkcode LineSplitter}. */
export interface LineSplitterOptions {
  /** The most bytes a line may have, its end not counted; longer ones are dropped and reported. */
  readonly maxBytes: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Cuts a byte stream into lines of UTF-8 text, whatever the sizes of its chunks.
 *
 * Only a line feed ends a line, one carriage return before it is dropped; U+2028 and its like are
 * text. Bad UTF-8 spoils its own line only. A byte order mark is dropped at the very start of the
 * stream, where some shells put one. Memory is bounded by `maxBytes` and one chunk.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #isFirstLine = true;

  constructor(options: LineSplitterOptions) {
    this.#maxBytes = options.maxBytes;
  }

  /** Takes a chunk, returns the lines that it completes. The chunk must not be reused. */
  push(chunk: Uint8Array): SplitLine[] {
    const lines: SplitLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** Ends the stream, returns what stood after the last line feed, if anything. */
  end(): SplitLine[] {
    return this.#pendingBytes === 0 ? [] : [this.#take()];
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#pendingBytes += part.length;
    // One byte more than the limit may still be a carriage return that does not count.
    if (this.#pendingBytes <= this.#maxBytes + 1) this.#pending.push(part);
    else this.#pending = [];
  }

  #take(): SplitLine {
    let bytes = this.#joined();
    const total = this.#pendingBytes;
    const isWhole = bytes.length === total;
    this.#pending = [];
    this.#pendingBytes = 0;
    const isFirst = this.#isFirstLine;
    this.#isFirstLine = false;
    if (isWhole && bytes.at(-1) === CARRIAGE_RETURN) bytes = bytes.subarray(0, -1);
    if (!isWhole || bytes.length > this.#maxBytes) return { type: "too_long", bytes: total };
    try {
      const text = this.#decoder.decode(bytes);
      const hasMark = isFirst && text.startsWith(BYTE_ORDER_MARK);
      return { type: "line", text: hasMark ? text.slice(1) : text };
    } catch {
      return { type: "invalid_utf8" };
    }
  }

  #joined(): Uint8Array {
    const [first, ...more] = this.#pending;
    if (first === undefined) return new Uint8Array(0);
    if (more.length === 0) return first;
    const all = new Uint8Array(this.#pending.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.#pending) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
