import type { Provider } from "../config/provider.ts";
import { providerError } from "./error_context.ts";
import { bodyText } from "./http/body_text.ts";
import { httpError } from "./http/http_errors.ts";
import { modelFetch } from "./http/model_fetch.ts";
import { type EnvironmentReader, requestHeaders } from "./http/request_headers.ts";
import { createErrorContext } from "./http/create_error_context.ts";

/** A model as its server lists it. */
export interface ListedModel {
  readonly id: string;
  /** In tokens, when the server tells it. */
  readonly contextWindow?: number;
}

/** Options of {@linkcode listModels}. */
export interface ListModelsOptions {
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
}

/** The largest list that is read, in bytes. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;

/** Fields in which servers tell a model's window, the one in force before the one possible. */
const WINDOW_FIELDS = [
  "loaded_context_length",
  "context_length",
  "context_window",
  "max_model_len",
  "max_context_length",
  "context_size",
  "max_input_tokens",
] as const;

/**
 * Where a provider lists its models: `modelsEndpoint`, else the endpoint with `/models` in place of
 * its last part; `undefined` when the endpoint ends in something unknown.
 */
export function modelsUrl(provider: Provider): string | undefined {
  if (provider.modelsEndpoint !== undefined) return provider.modelsEndpoint;
  if (!URL.canParse(provider.endpoint)) return undefined;
  const url = new URL(provider.endpoint);
  const path = url.pathname.replace(/\/+$/, "");
  for (const ending of ["/chat/completions", "/responses"]) {
    if (!path.endsWith(ending)) continue;
    url.pathname = `${path.slice(0, -ending.length)}/models`;
    return url.href;
  }
  return undefined;
}

/**
 * Asks a provider which models it has. Accepts `{data: […]}`, `{models: […]}` and a bare list;
 * items are named by `id`, `slug` or `name`, and each id is listed once.
 *
 * @throws {ProviderError} when the list cannot be had.
 * @throws the signal's reason when it is aborted.
 */
export async function listModels(
  provider: Provider,
  options: ListModelsOptions = {},
): Promise<ListedModel[]> {
  const { signal, timeoutMs = 3000 } = options;
  signal?.throwIfAborted();
  const env = options.env ?? ((name: string) => Deno.env.get(name));
  const context = createErrorContext(provider, {
    env,
    model: "",
    ...(options.redact === undefined ? {} : { redact: options.redact }),
  });
  const url = modelsUrl(provider);
  if (url === undefined) {
    throw providerError(context, "bad_request", {
      message: `Cannot tell where provider "${provider.name}" lists its models; ` +
        'set "models_endpoint"',
      retriable: false,
    });
  }
  const limit = new AbortController();
  const timer = timeoutMs > 0
    ? setTimeout(() =>
      limit.abort(providerError(context, "request_timeout", {
        message: `Provider "${provider.name}" did not list its models within ${timeoutMs / 1000} s`,
        retriable: true,
      })), timeoutMs)
    : undefined;
  const combined = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  try {
    const response = await modelFetch(url, {
      method: "GET",
      headers: requestHeaders(context, { env, accept: "application/json" }),
      signal: combined,
      context,
    });
    const body = await bodyText(response, { maxBytes: MAX_LIST_BYTES, signal: combined });
    if (!response.ok) {
      throw httpError({ status: response.status, headers: response.headers, body }, context);
    }
    const models = parseModelList(body);
    if (models !== undefined) return models;
    throw providerError(context, "not_a_model_server", {
      message: `The answer of provider "${provider.name}" holds no list of models; ` +
        'check "models_endpoint"',
      retriable: false,
      body,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The models in a server's answer, or `undefined` when it is no list. */
export function parseModelList(body: string): ListedModel[] | undefined {
  let wire: unknown;
  try {
    wire = JSON.parse(body);
  } catch {
    return undefined;
  }
  const items = Array.isArray(wire) ? wire : record(wire)["data"] ?? record(wire)["models"];
  if (!Array.isArray(items)) return undefined;
  const models = new Map<string, ListedModel>();
  for (const item of items) {
    const entry = record(item);
    const id = typeof item === "string"
      ? item
      : [entry["id"], entry["slug"], entry["name"]].find((name) =>
        typeof name === "string" && name !== ""
      );
    if (typeof id !== "string" || id === "" || models.has(id)) continue;
    const contextWindow = windowOf(entry);
    models.set(id, { id, ...(contextWindow === undefined ? {} : { contextWindow }) });
  }
  return [...models.values()];
}

function windowOf(entry: Record<string, unknown>): number | undefined {
  const meta = record(entry["meta"]);
  for (const value of [...WINDOW_FIELDS.map((field) => entry[field]), meta["n_ctx"]]) {
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  }
  return undefined;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
