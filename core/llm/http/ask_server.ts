import { errorMessage } from "../../base/errors.ts";
import type { Provider } from "../../config/provider.ts";
import { providerError } from "../error_context.ts";
import type { RequestLog } from "../request_log.ts";
import { ExchangeLog } from "../stream/exchange_log.ts";
import { bodyText } from "./body_text.ts";
import { createErrorContext } from "./create_error_context.ts";
import { httpError } from "./http_errors.ts";
import { modelFetch } from "./model_fetch.ts";
import { type EnvironmentReader, requestHeaders } from "./request_headers.ts";

/** Options of {@linkcode askServer}. */
export interface AskServerOptions {
  /** @default {Deno.env.get} */
  readonly env?: EnvironmentReader;
  readonly signal?: AbortSignal;
  /**
   * The most time it may take, in milliseconds; 0 turns the limit off.
   * @default {3000}
   */
  readonly timeoutMs?: number;
  /** Masks secrets in messages and bodies of errors; the provider's own key always is. */
  readonly redact?: (text: string) => string;
  readonly requestLog?: RequestLog;
}

/** Where to ask; with a body it is a POST of JSON. */
export interface ServerQuestion {
  readonly url: string;
  readonly body?: string;
}

/** The largest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Asks a provider's server something that is no conversation, with its key and headers.
 *
 * @returns the answer's text.
 * @throws {ProviderError} when there is none.
 * @throws the signal's reason when it is aborted.
 */
export async function askServer(
  provider: Provider,
  question: ServerQuestion,
  options: AskServerOptions = {},
): Promise<string> {
  const { signal, timeoutMs = 3000, redact, requestLog } = options;
  signal?.throwIfAborted();
  const env = options.env ?? ((name: string) => Deno.env.get(name));
  const context = createErrorContext(provider, {
    env,
    model: "",
    ...(redact === undefined ? {} : { redact }),
  });
  const { url, body } = question;
  const method = body === undefined ? "GET" : "POST";
  const headers = requestHeaders(context, { env, accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  const log = requestLog &&
    new ExchangeLog({ log: requestLog, provider: provider.name, scrub: context.scrub });
  const limit = new AbortController();
  const late = () =>
    limit.abort(providerError(context, "request_timeout", {
      message: `Provider "${provider.name}" did not answer within ${timeoutMs / 1000} s`,
      retriable: true,
    }));
  const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
  const combined = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  try {
    log?.request(url, { method, headers, body: body ?? "" });
    const response = await modelFetch(url, {
      method,
      headers,
      signal: combined,
      context,
      ...(body === undefined ? {} : { body }),
    });
    log?.head(response);
    const text = await bodyText(response, { maxBytes: MAX_ANSWER_BYTES, signal: combined });
    log?.text(text);
    log?.end();
    if (response.ok) return text;
    throw httpError({ status: response.status, headers: response.headers, body: text }, context);
  } catch (thrown) {
    log?.end(errorMessage(thrown));
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}
