import type { ProviderError } from "../llm/provider_error.ts";

/** The longest wait between two attempts of our own choice, in milliseconds. */
const MAX_BACKOFF_MS = 30_000;

/** The longest wait that a server may ask for, in milliseconds. */
const MAX_RETRY_AFTER_MS = 120_000;

const JITTER = 0.2;

/** Options of {@linkcode backoffMs}. */
export interface BackoffOptions {
  /** The wait after the first failed attempt, in milliseconds. */
  readonly initialBackoffMs: number;
  /**
   * A number from 0 up to 1 that spreads the waits of several clients.
   * @default {Math.random()}
   */
  readonly random?: number;
}

/** Whether a failed request is worth repeating at all. */
export function isWorthRetrying(error: ProviderError): boolean {
  return error.retriable && (error.retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS;
}

/**
 * How long to wait before the next attempt, in milliseconds: what the server asked for, else the
 * initial wait doubled with each attempt, at most 30 s, spread by ±20 %.
 *
 * @param attempt The number of the attempt that failed, from 1.
 */
export function backoffMs(
  error: Pick<ProviderError, "retryAfterMs">,
  attempt: number,
  options: BackoffOptions,
): number {
  if (error.retryAfterMs !== undefined) return Math.min(error.retryAfterMs, MAX_RETRY_AFTER_MS);
  const doubled = Math.min(options.initialBackoffMs * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  const spread = 1 + JITTER * (2 * (options.random ?? Math.random()) - 1);
  return Math.round(doubled * spread);
}
