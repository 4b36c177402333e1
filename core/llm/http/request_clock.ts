import type { RequestLimits } from "../../config/provider.ts";
import { describeTarget, type ErrorContext, providerError } from "../error_context.ts";
import type { ProviderErrorCode } from "../provider_error.ts";

/** How often waiting is announced, in milliseconds. */
export const WAITING_INTERVAL_MS = 10_000;

/**
 * How long a reply that has told its finish reason may take to end, in milliseconds. Usage follows
 * at once; some servers never close.
 */
export const FINISHING_LIMIT_MS = 5_000;

/** Options of {@linkcode RequestClock}. */
export interface RequestClockOptions {
  readonly limits: RequestLimits;
  readonly context: ErrorContext;
  /** The caller's own signal; its reason is passed on as it is. */
  readonly signal: AbortSignal;
  readonly onWaiting?: (waitedMs: number) => void;
  /** @default {WAITING_INTERVAL_MS} */
  readonly waitingIntervalMs?: number;
  /** Tells whether the host takes connections, asked when no head came within the connect limit. */
  readonly probe: (signal: AbortSignal) => Promise<boolean>;
}

type Phase = "connecting" | "first_token" | "streaming" | "finishing";

/**
 * All time limits of one request behind one abort signal and one timer. Activity only notes the
 * time; the timer looks at the notes when it fires, so a chunk costs no timer call.
 *
 * Anything that arrives counts as activity, comments too: a server that keeps the line alive while
 * it loads a model is alive. Time in which the caller does not read is not held against it.
 */
export class RequestClock {
  readonly #options: RequestClockOptions;
  readonly #controller = new AbortController();
  readonly #startedMs = performance.now();
  readonly #onAbort = () => this.#controller.abort(this.#options.signal.reason);
  #phase: Phase = "connecting";
  #sinceMs = this.#startedMs;
  #paused = false;
  #nextWaitingMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #probing: AbortController | undefined;

  constructor(options: RequestClockOptions) {
    this.#options = options;
    this.#nextWaitingMs = this.#startedMs + this.#intervalMs;
    if (options.signal.aborted) this.#onAbort();
    else {
      options.signal.addEventListener("abort", this.#onAbort, { once: true });
      this.#arm();
    }
  }

  /** Aborted with the caller's reason, or with the `ProviderError` of the limit that ran out. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The response's head came. */
  headArrived(): void {
    this.#probing?.abort();
    this.#enter("first_token");
  }

  /** Content came: from now on the idle limit holds. */
  tokenArrived(): void {
    if (this.#phase === "first_token") this.#enter("streaming");
  }

  /** The finish reason came. */
  finishReasonArrived(): void {
    if (this.#phase !== "finishing") this.#enter("finishing");
  }

  /** Starts to wait for the server. */
  resume(): void {
    this.#paused = false;
    this.#sinceMs = performance.now();
  }

  /** The server said something, and the caller is busy with it. */
  pause(): void {
    this.#paused = true;
  }

  /** Ends everything; the signal is never aborted afterwards. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#probing?.abort();
    this.#options.signal.removeEventListener("abort", this.#onAbort);
  }

  get #intervalMs(): number {
    return this.#options.waitingIntervalMs ?? WAITING_INTERVAL_MS;
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#sinceMs = performance.now();
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#controller.signal.aborted) return;
    const dueMs = Math.min(
      this.#totalDueMs(),
      this.#probeDueMs(),
      this.#waitingDueMs(),
      this.#phaseDueMs(),
    );
    if (dueMs === Infinity) return;
    const waitMs = Math.max(Math.ceil(dueMs - performance.now()), 1);
    // A timer holds 31 bits of milliseconds; a longer one just looks again.
    this.#timer = setTimeout(() => this.#tick(), Math.min(waitMs, 2 ** 31 - 1));
  }

  #tick(): void {
    const now = performance.now();
    if (now >= this.#totalDueMs()) {
      return this.#fail("request_timeout", this.#options.limits.requestTimeoutMs, "in total");
    }
    if (!this.#paused && now >= this.#phaseDueMs()) {
      return this.#phase === "streaming" || this.#phase === "finishing"
        ? this.#fail("stream_idle_timeout", this.#phaseLimitMs(), "in the middle of its answer")
        : this.#fail("first_token_timeout", this.#phaseLimitMs(), "before its first token");
    }
    if (now >= this.#probeDueMs()) {
      this.#probe();
    }
    if (now >= this.#waitingDueMs()) {
      this.#nextWaitingMs += this.#intervalMs;
      try {
        this.#options.onWaiting?.(Math.round(now - this.#startedMs));
      } catch (thrown) {
        return this.#controller.abort(thrown);
      }
    }
    this.#arm();
  }

  async #probe(): Promise<void> {
    const { connectTimeoutMs } = this.#options.limits;
    this.#probing = new AbortController();
    const { signal } = this.#probing;
    const live = await this.#options.probe(signal);
    if (live || signal.aborted) return;
    this.#fail("connect_timeout", connectTimeoutMs, "and takes no connection");
  }

  #fail(code: ProviderErrorCode, limitMs: number, when: string): void {
    const { context } = this.#options;
    this.#controller.abort(providerError(context, code, {
      message: `No answer from ${describeTarget(context)} within ${limitMs / 1000} s ${when}; ` +
        `check the server, or raise ${LIMIT_NAMES[code] ?? "the limit"}`,
      retriable: true,
    }));
  }

  #totalDueMs(): number {
    return due(this.#startedMs, this.#options.limits.requestTimeoutMs);
  }

  #probeDueMs(): number {
    if (this.#phase !== "connecting" || this.#probing !== undefined) return Infinity;
    return due(this.#startedMs, this.#options.limits.connectTimeoutMs);
  }

  #waitingDueMs(): number {
    if (this.#options.onWaiting === undefined) return Infinity;
    return this.#phase === "connecting" || this.#phase === "first_token"
      ? this.#nextWaitingMs
      : Infinity;
  }

  #phaseDueMs(): number {
    // While paused the deadline only says when to look again.
    return due(this.#paused ? performance.now() : this.#sinceMs, this.#phaseLimitMs());
  }

  #phaseLimitMs(): number {
    const { firstTokenTimeoutMs, streamIdleTimeoutMs } = this.#options.limits;
    switch (this.#phase) {
      case "connecting":
      case "first_token":
        return firstTokenTimeoutMs;
      case "streaming":
        return streamIdleTimeoutMs;
      case "finishing":
        return streamIdleTimeoutMs === 0
          ? FINISHING_LIMIT_MS
          : Math.min(streamIdleTimeoutMs, FINISHING_LIMIT_MS);
    }
  }
}

/** The settings that hold the limits, as the configuration calls them. */
const LIMIT_NAMES: Readonly<Partial<Record<ProviderErrorCode, string>>> = {
  connect_timeout: '"connect_timeout_secs"',
  first_token_timeout: '"first_token_timeout_secs"',
  stream_idle_timeout: '"stream_idle_timeout_secs"',
  request_timeout: '"request_timeout_secs"',
};

function due(sinceMs: number, limitMs: number): number {
  return limitMs > 0 ? sinceMs + limitMs : Infinity;
}
