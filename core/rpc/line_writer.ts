import { encodeUtf8 } from "../base/text.ts";

/** Where the bytes go; `Deno.stdout` is one. */
export interface ByteSink {
  /** Writes some of the bytes, returns how many. */
  write(bytes: Uint8Array): Promise<number>;
}

/** Options of {@linkcode LineWriter}. */
export interface LineWriterOptions {
  readonly sink: ByteSink;
  /**
   * Queued text, in UTF-16 units, from which {@linkcode LineWriter.drained} makes producers wait.
   * @default {8388608}
   */
  readonly highWaterUnits?: number;
  /** Called once when the other side is gone; what is queued then is dropped. */
  readonly onClosed?: (error: unknown) => void;
}

/** A line whose text may still grow while it waits: deltas of one message are merged in it. */
interface QueuedDelta {
  readonly key: string;
  delta: string;
  readonly render: (delta: string) => string;
}

type QueuedLine = string | QueuedDelta;

const HIGH_WATER_UNITS = 8 * 1024 * 1024;

/**
 * The one owner of stdout. Lines keep the order in which they were sent; whatever waits is joined
 * into one write, and one write is in flight at a time.
 *
 * `Deno.stdout.writeSync` would block the event loop and overtake pending writes, and one write a
 * line costs ten times as much; both were measured.
 */
export class LineWriter {
  readonly #sink: ByteSink;
  readonly #highWaterUnits: number;
  readonly #onClosed: (error: unknown) => void;
  #queue: QueuedLine[] = [];
  #queuedUnits = 0;
  #flushing: Promise<void> | undefined;
  #isClosed = false;
  #waiting: (() => void)[] = [];

  constructor(options: LineWriterOptions) {
    this.#sink = options.sink;
    this.#highWaterUnits = options.highWaterUnits ?? HIGH_WATER_UNITS;
    this.#onClosed = options.onClosed ?? (() => {});
  }

  /** Queues one line; the text must hold no line feed. */
  send(line: string): void {
    if (this.#isClosed) return;
    this.#queue.push(line);
    this.#queuedUnits += line.length;
    this.#start();
  }

  /**
   * Queues a piece of streamed text. While it waits at the end of the queue, further pieces with
   * the same key are added to it instead of making lines of their own.
   */
  sendDelta(key: string, delta: string, render: (delta: string) => string): void {
    if (this.#isClosed) return;
    this.#queuedUnits += delta.length;
    const last = this.#queue.at(-1);
    if (typeof last === "object" && last.key === key) last.delta += delta;
    else this.#queue.push({ key, delta, render });
    this.#start();
  }

  /** Whether producers should wait for {@linkcode LineWriter.drained}. */
  get isFull(): boolean {
    return this.#queuedUnits >= this.#highWaterUnits;
  }

  /** Resolves while less than the high-water mark is queued, at once or as soon as it is. */
  drained(): Promise<void> {
    if (this.#isClosed || !this.isFull) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when everything sent so far is written or the other side is gone. */
  async flush(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
  }

  #start(): void {
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined;
      // Something may have been sent between the last look at the queue and this moment.
      if (this.#queue.length > 0) this.#start();
    });
  }

  async #writeAll(): Promise<void> {
    // Lines sent in the same task are joined.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const lines = this.#queue;
      const units = this.#queuedUnits;
      this.#queue = [];
      const text = lines.map((line) => typeof line === "string" ? line : line.render(line.delta));
      try {
        await this.#writeBytes(encodeUtf8(text.join("\n") + "\n"));
      } catch (error) {
        this.#close(error);
        return;
      }
      this.#queuedUnits -= units;
      if (!this.isFull) this.#release();
    }
  }

  async #writeBytes(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await this.#sink.write(bytes.subarray(at));
  }

  #close(error: unknown): void {
    this.#isClosed = true;
    this.#queue = [];
    this.#queuedUnits = 0;
    this.#release();
    this.#onClosed(error);
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
