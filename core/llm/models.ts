import type { Provider } from "../config/provider.ts";
import { providerError } from "./error_context.ts";
import { askServer, type AskServerOptions } from "./http/ask_server.ts";
import { createErrorContext } from "./http/create_error_context.ts";
import type { ProviderError, ProviderErrorCode } from "./provider_error.ts";

/** A model as its server lists it. */
export interface ListedModel {
  readonly id: string;
  /** In tokens, when the server tells it. */
  readonly contextWindow?: number;
}

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
  options: AskServerOptions = {},
): Promise<ListedModel[]> {
  options.signal?.throwIfAborted();
  const url = modelsUrl(provider);
  if (url === undefined) {
    throw failure(provider, options, {
      code: "bad_request",
      message: `Cannot tell where provider "${provider.name}" lists its models; ` +
        'set "models_endpoint"',
    });
  }
  const body = await askServer(provider, { url }, options);
  const models = parseModelList(body);
  if (models !== undefined) return models;
  throw failure(provider, options, {
    code: "not_a_model_server",
    message: `The answer of provider "${provider.name}" holds no list of models; ` +
      'check "models_endpoint"',
    body,
  });
}

function failure(
  provider: Provider,
  options: AskServerOptions,
  facts: { readonly code: ProviderErrorCode; readonly message: string; readonly body?: string },
): ProviderError {
  const { code, ...rest } = facts;
  const context = createErrorContext(provider, {
    env: options.env ?? ((name: string) => Deno.env.get(name)),
    model: "",
    ...(options.redact === undefined ? {} : { redact: options.redact }),
  });
  return providerError(context, code, { ...rest, retriable: false });
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
