import type { Clock } from "../base/clock.ts";
import { RhoError } from "../base/errors.ts";
import type { BudgetSettings } from "../config/settings.ts";
import { textWeight } from "../../sessions/context/text_weight.ts";
import type { TokenEstimator } from "../../sessions/context/token_estimator.ts";
import type { Session } from "../../sessions/session.ts";

/** The reason that a turn aborts its work with when it may use no more. */
export class BudgetReachedError extends RhoError {
  constructor(message: string) {
    super("budget", message);
  }
}

/** Options of {@linkcode TurnLimits}. */
export interface TurnLimitsOptions {
  readonly limits: BudgetSettings;
  readonly session: Session;
  readonly estimator: TokenEstimator;
  readonly clock: Clock;
  /** Cancels the turn. */
  readonly signal: AbortSignal;
}

/**
 * The hard limits of a turn: money and tokens of its session, its own time. They hold between
 * requests and inside of them: a request is asked for no more than what is left, and one that goes
 * over it all the same is aborted.
 */
export class TurnLimits implements Disposable {
  /** Aborted by whoever cancels the turn, and when its time or its tokens run out. */
  readonly signal: AbortSignal;
  readonly #options: TurnLimitsOptions;
  readonly #controller = new AbortController();
  readonly #startedMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #streamed = 0;

  constructor(options: TurnLimitsOptions) {
    const { limits, clock, signal } = options;
    this.#options = options;
    this.#startedMs = clock.monotonicMs();
    const isLimited = limits.maxTurnMs > 0 || limits.maxTotalTokens > 0;
    this.signal = isLimited ? AbortSignal.any([signal, this.#controller.signal]) : signal;
    if (limits.maxTurnMs > 0) {
      this.#timer = setTimeout(() => this.#abort(this.#timeReached()), limits.maxTurnMs);
    }
  }

  /** Which limit is reached, as a sentence for people; `undefined` while none is. */
  get reached(): string | undefined {
    if (this.#controller.signal.aborted) return this.#controller.signal.reason.message;
    const { limits, session, clock } = this.#options;
    if (limits.maxTurnMs > 0 && clock.monotonicMs() - this.#startedMs >= limits.maxTurnMs) {
      return this.#timeReached();
    }
    if (limits.maxCostUsd === 0 && limits.maxTotalTokens === 0) return undefined;
    const { cost, spentTokens } = session.totals;
    if (limits.maxCostUsd > 0 && cost >= limits.maxCostUsd) {
      return `This session has cost $${cost.toFixed(4)}; the limit is $${limits.maxCostUsd} ` +
        "(max_cost_usd)";
    }
    if (limits.maxTotalTokens > 0 && spentTokens >= limits.maxTotalTokens) {
      return this.#tokensReached(spentTokens);
    }
    return undefined;
  }

  /**
   * The most tokens that a reply may have.
   *
   * @param promptTokens What the request itself will take, as estimated.
   * @returns 0 when not even the request is left.
   */
  replyTokens(promptTokens: number, reserve: number): number {
    const { limits, session } = this.#options;
    this.#streamed = 0;
    if (limits.maxTotalTokens === 0) return reserve;
    const left = limits.maxTotalTokens - session.totals.spentTokens - promptTokens;
    return Math.max(0, Math.min(reserve, Math.floor(left)));
  }

  /** Watches the text of a reply as it streams in. */
  watch(delta: string, replyTokens: number): void {
    if (this.#options.limits.maxTotalTokens === 0) return;
    this.#streamed += textWeight(delta);
    // Some slack: the estimate may be off, and a server that keeps to what it was asked for is fine.
    if (this.#options.estimator.tokensOf(this.#streamed) > replyTokens * 1.25 + 16) {
      this.#abort(this.#tokensReached(this.#options.limits.maxTotalTokens));
    }
  }

  /** Stops the clock. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #abort(message: string): void {
    this.#controller.abort(new BudgetReachedError(message));
  }

  #timeReached(): string {
    return `This turn has taken ${this.#options.limits.maxTurnMs / 1000} s, which is its limit ` +
      "(max_turn_secs)";
  }

  #tokensReached(spentTokens: number): string {
    return `This session has used ${spentTokens} tokens; the limit is ` +
      `${this.#options.limits.maxTotalTokens} (max_total_tokens)`;
  }
}
