import { type Clock, SYSTEM_CLOCK } from "../../core/base/clock.ts";
import { tailUnits } from "../../core/base/text.ts";

/** Options of a {@linkcode ProgressThrottle}. */
export interface ProgressThrottleOptions {
  /** Takes each chunk. */
  readonly emit: (chunk: string) => void;
  /**
   * The least time between two chunks, in milliseconds.
   * @default {100}
   */
  readonly intervalMs?: number;
  /**
   * The longest chunk, in UTF-16 units; of more only the end is shown.
   * @default {8192}
   */
  readonly maxUnits?: number;
  /** Where the time comes from. */
  readonly clock?: Clock;
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const DEFAULT_INTERVAL_MS = 100;
const DEFAULT_MAX_UNITS = 8192;

/**
 * Live output at a rate and size that a client can show: at most ten chunks a second, redrawn lines
 * folded within a chunk. A chunk that redraws the line shown before starts with a carriage return.
 */
export class ProgressThrottle {
  readonly #options: ProgressThrottleOptions;
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #maxUnits: number;
  #store: Uint8Array<ArrayBuffer> | undefined;
  #storedBytes = 0;
  #storedUnits = 0;
  #pending = "";
  #skippedUnits = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastMs = -Infinity;

  constructor(options: ProgressThrottleOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#maxUnits = options.maxUnits ?? DEFAULT_MAX_UNITS;
    this.#intervalMs = options.intervalMs ?? DEFAULT_INTERVAL_MS;
  }

  /** Takes text in whole characters; it is shown at once or with the next chunk. */
  push(text: string): void {
    if (this.#pending.length + text.length > 2 * this.#maxUnits) this.#makeRoom(text);
    else this.#pending += text;
    const waitMs = this.#lastMs + this.#intervalMs - this.#clock.monotonicMs();
    if (waitMs <= 0) this.#flush(false);
    else this.#timer ??= setTimeout(() => this.#flush(false), waitMs);
  }

  /** Shows what is left and stops the timer. */
  finish(): void {
    this.#flush(true);
  }

  #flush(isLast: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = this.#takeStored() + this.#pending;
    // A carriage return at the end may belong to a line feed still to come.
    const end = all.length - (all.endsWith("\r") && !isLast ? 1 : 0);
    const shown = tailUnits(all.slice(0, end), this.#maxUnits);
    const skipped = this.#skippedUnits + end - shown.length;
    this.#pending = all.slice(end);
    this.#skippedUnits = 0;
    const folded = foldLines(shown);
    if (folded === "") return;
    this.#lastMs = this.#clock.monotonicMs();
    this.#options.emit(skipped === 0 ? folded : `[… ${skipped} characters not shown …]\n${folded}`);
  }

  /**
   * Keeps only the end of what waits, as bytes in one buffer: a flood brings 64 KiB at a time, and
   * a slice of each would keep the whole piece alive until the old generation is collected.
   */
  #makeRoom(text: string): void {
    const before = this.#storedUnits + this.#pending.length;
    const all = text.length < this.#maxUnits ? this.#takeStored() + this.#pending + text : text;
    const kept = tailUnits(all, this.#maxUnits);
    this.#store ??= new Uint8Array(3 * this.#maxUnits);
    this.#storedBytes = ENCODER.encodeInto(kept, this.#store).written;
    this.#storedUnits = kept.length;
    this.#skippedUnits += before + text.length - kept.length;
    this.#pending = "";
  }

  #takeStored(): string {
    const stored = this.#store?.subarray(0, this.#storedBytes);
    this.#storedBytes = 0;
    this.#storedUnits = 0;
    return stored === undefined ? "" : DECODER.decode(stored);
  }
}

function foldLines(text: string): string {
  if (!text.includes("\r")) return text;
  return text.split("\n").map((line, index) => {
    let end = line.length;
    while (line[end - 1] === "\r") end -= 1;
    const at = line.slice(0, end).lastIndexOf("\r");
    // Only the first line can redraw something that was already shown.
    return line.slice(index === 0 && at >= 0 ? at : at + 1, end);
  }).join("\n");
}
