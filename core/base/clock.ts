/**
 * Time as the code sees it. Durations come from the monotonic clock, which no change of the
 * system's date can turn back; dates are only ever stored or shown.
 */
export interface Clock {
  /** Milliseconds since an arbitrary start, never decreasing. */
  monotonicMs(): number;
  /** Milliseconds since the Unix epoch, as the system tells it. */
  epochMs(): number;
}

/** The machine's own clock. */
export const SYSTEM_CLOCK: Clock = {
  monotonicMs: () => performance.now(),
  epochMs: () => Date.now(),
};
