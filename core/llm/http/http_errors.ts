import { describeTarget, type ErrorContext, providerError } from "../error_context.ts";
import type { ProviderError, ProviderErrorCode } from "../provider_error.ts";
import { matchErrorRule } from "./error_rules.ts";
import { errorText } from "./error_text.ts";
import { retryAfterMs } from "./retry_after.ts";

/** The longest `Retry-After` that is worth waiting for, in milliseconds. */
export const MAX_RETRY_AFTER_MS = 120_000;

/** What a server answered instead of a reply. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Headers;
  /** The start of the body. */
  readonly body: string;
}

/** The error for an HTTP status that is no success. */
export function httpError(failure: HttpFailure, context: ErrorContext): ProviderError {
  const { status, headers, body } = failure;
  const code = codeOf(status, body);
  const wait = status >= 408 ? retryAfterMs(headers, { body }) : undefined;
  const retriable = isRetriable(code, status) && (wait ?? 0) <= MAX_RETRY_AFTER_MS;
  const words = status >= 300 && status < 400
    ? `a redirect to "${locationHost(headers)}"`
    : errorText(body);
  const said = words === "" ? "" : `: ${words}`;
  return providerError(context, code, {
    message: `Request to ${describeTarget(context)} failed with HTTP ${status}${said}` +
      resetNote(wait, retriable) + hint(code, context, status),
    status,
    retriable,
    body,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/**
 * The error for an error object that came inside an answer with status 200, as its body or as an
 * event of the stream.
 */
export function inBandError(error: unknown, context: ErrorContext): ProviderError {
  const body = typeof error === "string" ? error : JSON.stringify(error) ?? "";
  const status = statusIn(error);
  const code = status === undefined ? inBandCode(body) : codeOf(status, body);
  const wait = retryAfterMs(new Headers(), { body });
  const retriable = (code === "stream_error" || isRetriable(code, status ?? 0)) &&
    (wait ?? 0) <= MAX_RETRY_AFTER_MS;
  const words = errorText(body);
  return providerError(context, code, {
    message: `The answer of ${describeTarget(context)} is an error` +
      (words === "" ? "" : `: ${words}`) + resetNote(wait, retriable) +
      hint(code, context, status),
    retriable,
    body,
    ...(status === undefined ? {} : { status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

function codeOf(status: number, body: string): ProviderErrorCode {
  const told = matchErrorRule(body);
  switch (status) {
    case 400:
    case 422:
      return told ?? "bad_request";
    case 401:
      return "auth_failed";
    case 402:
      return "quota_exhausted";
    case 403:
      return told === "quota_exhausted" || told === "model_not_found" ? told : "auth_failed";
    case 404:
      return told === "model_not_found" || /\bmodel\b/i.test(errorText(body))
        ? "model_not_found"
        : "not_a_model_server";
    case 405:
      return "not_a_model_server";
    case 413:
      return "context_length_exceeded";
    case 429:
      return told === "quota_exhausted" ? told : "rate_limited";
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return told === "context_length_exceeded" || told === "quota_exhausted" ? told : "server_error";
  }
  return "http_error";
}

function inBandCode(body: string): ProviderErrorCode {
  return matchErrorRule(body) ?? "stream_error";
}

function isRetriable(code: ProviderErrorCode, status: number): boolean {
  if (code === "rate_limited" || code === "server_error") return true;
  return code === "stream_error" && (status === 0 || status >= 500);
}

/** A status that servers put into the error itself, as a number or as digits. */
function statusIn(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { status, code } = error as Record<string, unknown>;
  for (const value of [status, code]) {
    const number = typeof value === "string" && /^[45]\d\d$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= 400 && number < 600) {
      return number;
    }
  }
  return undefined;
}

function resetNote(waitMs: number | undefined, retriable: boolean): string {
  if (waitMs === undefined || retriable) return "";
  return `; it resets at ${new Date(Date.now() + waitMs).toISOString()}`;
}

function locationHost(headers: Headers): string {
  const location = headers.get("location") ?? "";
  return URL.canParse(location) ? new URL(location).host : location.slice(0, 200);
}

function hint(code: ProviderErrorCode, context: ErrorContext, status = 0): string {
  const { apiKeyEnv } = context.provider;
  switch (code) {
    case "auth_failed":
      if (apiKeyEnv === undefined) return '; name the key\'s variable in "api_key_env"';
      return context.keyIsSet === true
        ? `; check the key in the environment variable "${apiKeyEnv}" and what it may use`
        : `; set the environment variable "${apiKeyEnv}" to the key`;
    case "model_not_found":
      return "; check the model id against the provider's model list";
    case "context_length_exceeded":
      return "; the conversation is too long for this model: compact it or use a larger window";
    case "not_a_model_server":
      return '; check that the endpoint is the full URL, such as "…/v1/chat/completions"';
    case "quota_exhausted":
      return "; check the plan and the credits of this account, or use another provider";
    case "bad_request":
      return "; --log-requests <file> shows what was sent";
    default:
      return status >= 300 && status < 400 ? '; set "endpoint" to the final URL' : "";
  }
}
