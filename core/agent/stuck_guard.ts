/** What the guard thinks of the latest step: fine, worth a word to the model, or hopeless. */
export type StuckVerdict = "ok" | "nudge" | "stuck";

/**
 * Notices a turn that repeats itself: the same calls with the same results, or the same text.
 *
 * At `threshold` equal steps in a row it asks for one nudge, at twice that it gives up. Steps that
 * differ start the count again.
 */
export class StuckGuard {
  readonly #threshold: number;
  #last = "";
  #count = 0;

  /** @param threshold Equal steps in a row that count as stuck; 0 turns the guard off. */
  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  /** Takes one step, described by everything that makes it what it is. */
  observe(step: readonly string[]): StuckVerdict {
    const key = JSON.stringify(step);
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    if (this.#threshold === 0) return "ok";
    if (this.#count >= 2 * this.#threshold) return "stuck";
    return this.#count === this.#threshold ? "nudge" : "ok";
  }
}
