import { type ErrorContext, providerError } from "../error_context.ts";
import type { Provider } from "../../config/provider.ts";

/** Reads one environment variable. */
export type EnvironmentReader = (name: string) => string | undefined;

const VARIABLE_REGEXP = /^\$([A-Za-z_][A-Za-z0-9_]*)$/;

/** The provider's key, or `undefined` when it names no variable or the variable is empty. */
export function providerKey(provider: Provider, env: EnvironmentReader): string | undefined {
  return provider.apiKeyEnv === undefined
    ? undefined
    : env(provider.apiKeyEnv)?.trim() || undefined;
}

/** The values that must not show in errors and logs: the key and headers from the environment. */
export function providerSecrets(provider: Provider, env: EnvironmentReader): string[] {
  const values = [
    providerKey(provider, env),
    ...Object.values(provider.headers ?? {}).map((value) => {
      const name = VARIABLE_REGEXP.exec(value)?.[1];
      return name === undefined ? undefined : env(name)?.trim();
    }),
  ];
  // Shorter ones would blot out ordinary words.
  return values.filter((value): value is string => value !== undefined && value.length >= 6);
}

/**
 * The headers of a request. `accept-encoding` is left to `fetch`, which decodes only what it asked
 * for itself. A header whose variable is unset is left out.
 *
 * @throws {ProviderError} when a value holds characters that no header may hold.
 */
export function requestHeaders(
  context: ErrorContext,
  options: { readonly env: EnvironmentReader; readonly accept: string },
): Headers {
  const { provider } = context;
  const { env, accept } = options;
  const headers = new Headers({ accept, "user-agent": "rho" });
  const key = providerKey(provider, env);
  if (key !== undefined) set("authorization", `Bearer ${key}`);
  for (const [name, value] of Object.entries(provider.headers ?? {})) {
    const variable = VARIABLE_REGEXP.exec(value)?.[1];
    const actual = variable === undefined ? value : env(variable)?.trim();
    if (actual !== undefined && actual !== "") set(name, actual);
  }
  return headers;

  function set(name: string, value: string): void {
    try {
      headers.set(name, value);
    } catch (cause) {
      throw providerError(context, "bad_request", {
        message: `Cannot send the header "${name}" to provider "${provider.name}": ` +
          `its name or value holds characters that headers may not hold; correct it`,
        retriable: false,
        cause,
      });
    }
  }
}
