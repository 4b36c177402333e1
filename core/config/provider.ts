/** The wire protocol that a provider speaks. */
export type ProviderApi = "chat_completions" | "responses";

/** A model server, as resolved from flags and configuration. */
export interface Provider {
  /** The name that people use for it, unique among the configured ones. */
  readonly name: string;
  /** The full URL that requests are posted to. */
  readonly endpoint: string;
  readonly api: ProviderApi;
  /** The environment variable that holds the key; the key itself is never kept here. */
  readonly apiKeyEnv?: string;
  readonly defaultModel?: string;
  /** Where the model list is; derived from `endpoint` when absent. */
  readonly modelsEndpoint?: string;
  /** Extra request headers; a value `$NAME` stands for the environment variable `NAME`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Time limits of one request, in milliseconds; 0 turns a limit off. */
export interface RequestLimits {
  readonly connectTimeoutMs: number;
  readonly firstTokenTimeoutMs: number;
  readonly streamIdleTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

/** The host and port of a URL, for messages; the text itself when it is no URL. */
export function endpointHost(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).host : endpoint;
}

/** Whether an endpoint is on this machine: 127/8, `::1` or `localhost`. */
export function isLoopbackEndpoint(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const host = new URL(endpoint).hostname.toLowerCase();
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Where a provider's model list is: what it says itself, else its endpoint with the last part
 * replaced by `/models`; `undefined` when the endpoint has another form.
 */
export function modelsUrl(provider: Provider): string | undefined {
  if (provider.modelsEndpoint !== undefined) return provider.modelsEndpoint;
  const tail = /\/(?:chat\/completions|responses)\/?$/.exec(provider.endpoint);
  return tail === null ? undefined : `${provider.endpoint.slice(0, tail.index)}/models`;
}

/**
 * Finds a provider by name; `zai` also finds `zai-coding`, the same account under the endpoint of
 * its subscription.
 */
export function findProvider(providers: readonly Provider[], name: string): Provider | undefined {
  return providers.find((provider) => provider.name === name) ??
    (name === "zai" ? providers.find((provider) => provider.name === "zai-coding") : undefined);
}
