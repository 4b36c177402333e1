const ENCODER = new TextEncoder();
// Shared by all instances: `append` never waits while it is in use.
const SCRATCH = new Uint8Array(196_608);
const LINE_FEED = 0x0a;

/** Text that was kept of a longer one. */
export interface CapturedText {
  /** The text, with a marker line where its middle was left out. */
  readonly text: string;
  /** The length of the whole text, in UTF-8 bytes. */
  readonly totalBytes: number;
  /** How much of it was left out, in UTF-8 bytes. */
  readonly omittedBytes: number;
}

/**
 * Keeps the head and the tail of a text that may be endless, in fixed memory: a quarter of the
 * bytes for the head, the rest in a ring for the tail, where commands tell how they failed.
 */
export class BoundedText {
  readonly #maxHeadBytes: number;
  readonly #maxTailBytes: number;
  #head = new Uint8Array(0);
  #headBytes = 0;
  #ring = new Uint8Array(0);
  #ringAt = 0;
  #totalBytes = 0;

  /** @param maxBytes The most that is kept, in UTF-8 bytes. */
  constructor(maxBytes: number) {
    this.#maxHeadBytes = Math.floor(maxBytes / 4);
    this.#maxTailBytes = Math.max(1, maxBytes - this.#maxHeadBytes);
  }

  /** Takes the next piece, of any length; it must not end inside a surrogate pair. */
  append(text: string): void {
    for (let rest = text; rest !== "";) {
      const { read, written } = ENCODER.encodeInto(rest, SCRATCH);
      this.#store(SCRATCH.subarray(0, written));
      rest = rest.slice(read);
    }
  }

  /** What was kept so far, cut at line boundaries where there are any. */
  capture(): CapturedText {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const tail = this.#tail();
    const head = this.#head.subarray(0, this.#headBytes);
    if (this.#headBytes + tail.length === this.#totalBytes) {
      const text = decoder.decode(head, { stream: true }) + decoder.decode(tail);
      return { text, totalBytes: this.#totalBytes, omittedBytes: 0 };
    }
    const keptHead = head.subarray(0, headEnd(head));
    const keptTail = tail.subarray(tailStart(tail));
    const omittedBytes = this.#totalBytes - keptHead.length - keptTail.length;
    const marker = `[… ${omittedBytes.toLocaleString("en-US")} bytes left out here …]\n`;
    const start = decoder.decode(keptHead);
    const gap = start === "" || start.endsWith("\n") ? "" : "\n";
    return {
      text: start + gap + marker + decoder.decode(keptTail),
      totalBytes: this.#totalBytes,
      omittedBytes,
    };
  }

  #store(bytes: Uint8Array): void {
    this.#totalBytes += bytes.length;
    const toHead = Math.min(bytes.length, this.#maxHeadBytes - this.#headBytes);
    if (toHead > 0) {
      this.#head = withRoom(this.#head, this.#headBytes, toHead, this.#maxHeadBytes);
      this.#head.set(bytes.subarray(0, toHead), this.#headBytes);
      this.#headBytes += toHead;
    }
    let rest = bytes.subarray(Math.max(toHead, bytes.length - this.#maxTailBytes));
    while (rest.length > 0) {
      this.#ring = withRoom(this.#ring, this.#ringAt, rest.length, this.#maxTailBytes);
      const room = Math.min(rest.length, this.#ring.length - this.#ringAt);
      this.#ring.set(rest.subarray(0, room), this.#ringAt);
      this.#ringAt = (this.#ringAt + room) % this.#maxTailBytes;
      rest = rest.subarray(room);
    }
  }

  #tail(): Uint8Array {
    const inTail = this.#totalBytes - this.#headBytes;
    if (inTail < this.#maxTailBytes) return this.#ring.subarray(0, inTail);
    const tail = new Uint8Array(this.#maxTailBytes);
    tail.set(this.#ring.subarray(this.#ringAt));
    tail.set(this.#ring.subarray(0, this.#ringAt), this.#maxTailBytes - this.#ringAt);
    return tail;
  }
}

function withRoom(
  buffer: Uint8Array<ArrayBuffer>,
  used: number,
  more: number,
  max: number,
): Uint8Array<ArrayBuffer> {
  const wanted = Math.min(used + more, max);
  if (buffer.length >= wanted) return buffer;
  const grown = new Uint8Array(Math.min(max, Math.max(wanted, buffer.length * 2, 4096)));
  grown.set(buffer.subarray(0, used));
  return grown;
}

/** After the last line feed; when that is far away, before a character that was cut. */
function headEnd(head: Uint8Array): number {
  const line = head.lastIndexOf(LINE_FEED) + 1;
  if (line > head.length / 2) return line;
  let start = head.length - 1;
  while (start >= 0 && isContinuation(head[start])) start -= 1;
  const lead = head[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start < 0 || start + length <= head.length ? head.length : start;
}

/** After the first line feed; when that is far away, after a character that was cut. */
function tailStart(tail: Uint8Array): number {
  const line = tail.indexOf(LINE_FEED) + 1;
  if (line > 0 && line < tail.length / 2) return line;
  let start = 0;
  while (start < tail.length && isContinuation(tail[start])) start += 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
