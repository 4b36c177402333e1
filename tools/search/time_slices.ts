import { type Clock, SYSTEM_CLOCK } from "../../core/base/clock.ts";

/** Options of {@linkcode TimeSlices}. */
export interface TimeSlicesOptions {
  readonly signal: AbortSignal;
  /** How long the work may take in all, in milliseconds. */
  readonly deadlineMs: number;
  readonly clock?: Clock;
}

const SLICE_MS = 10;

/**
 * Cuts long synchronous work into slices of 10 ms, between which the rest of rho runs: reading
 * files synchronously is twice as fast as in parallel and asynchronously.
 */
export class TimeSlices {
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  readonly #endMs: number;
  #restMs: number;

  constructor(options: TimeSlicesOptions) {
    this.#signal = options.signal;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    const nowMs = this.#clock.monotonicMs();
    this.#endMs = nowMs + options.deadlineMs;
    this.#restMs = nowMs + SLICE_MS;
  }

  /** Whether it is time for {@linkcode TimeSlices.rest}, at once when the work was called off. */
  get isDue(): boolean {
    return this.#signal.aborted || this.#clock.monotonicMs() >= this.#restMs;
  }

  /** Whether the time for the whole work is up. */
  get isOver(): boolean {
    return this.leftMs <= 0;
  }

  /** The time left for the whole work, in milliseconds. */
  get leftMs(): number {
    return this.#endMs - this.#clock.monotonicMs();
  }

  /**
   * Lets others run.
   *
   * @throws the signal's reason when the work was called off.
   */
  async rest(): Promise<void> {
    // A timer of 0 ms comes back after 3 ms, `setImmediate` before any input was looked at; a call
    // to the file system comes back in 0.15 ms and lets everything run.
    await Deno.lstat(".").catch(() => {});
    this.#signal.throwIfAborted();
    this.#restMs = this.#clock.monotonicMs() + SLICE_MS;
  }
}
