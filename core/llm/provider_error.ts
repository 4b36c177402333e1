import { RhoError } from "../base/errors.ts";

/** Stable codes of a failed request, for programs. */
export type ProviderErrorCode =
  | "connect_failed"
  | "blocked_port"
  | "connect_timeout"
  | "first_token_timeout"
  | "stream_idle_timeout"
  | "request_timeout"
  | "stream_interrupted"
  | "stream_error"
  | "malformed_stream"
  | "empty_stream"
  | "not_a_model_server"
  | "auth_failed"
  | "model_not_found"
  | "context_length_exceeded"
  | "quota_exhausted"
  | "rate_limited"
  | "bad_request"
  | "server_error"
  | "http_error";

/** Facts of a failed request. */
export interface ProviderErrorFacts {
  readonly code: ProviderErrorCode;
  /** The HTTP status, when one came. */
  readonly status?: number;
  /** Whether the same request may succeed when it is sent again. */
  readonly retriable: boolean;
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The provider's name. */
  readonly provider: string;
  /** The start of the server's own words, redacted. */
  readonly body?: string;
  readonly cause?: unknown;
}

/** A request to a model that failed: the only error a model stream throws of its own. */
export class ProviderError extends RhoError {
  declare readonly code: ProviderErrorCode;
  readonly status: number | undefined;
  readonly retriable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly provider: string;
  readonly body: string | undefined;

  constructor(message: string, facts: ProviderErrorFacts) {
    super(facts.code, message, {
      cause: facts.cause,
      data: {
        provider: facts.provider,
        retriable: facts.retriable,
        ...(facts.status === undefined ? {} : { status: facts.status }),
        ...(facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs }),
      },
    });
    this.status = facts.status;
    this.retriable = facts.retriable;
    this.retryAfterMs = facts.retryAfterMs;
    this.provider = facts.provider;
    this.body = facts.body;
  }
}
