import type { Provider } from "../../config/provider.ts";
import type { ErrorContext } from "../error_context.ts";
import { type EnvironmentReader, providerKey, providerSecrets } from "./request_headers.ts";

/** What errors of a provider name and mask. */
export function createErrorContext(
  provider: Provider,
  options: {
    readonly env: EnvironmentReader;
    readonly model: string;
    readonly redact?: (text: string) => string;
  },
): ErrorContext {
  const { env, model, redact } = options;
  const secrets = providerSecrets(provider, env);
  return {
    provider,
    model,
    ...(provider.apiKeyEnv === undefined
      ? {}
      : { keyIsSet: providerKey(provider, env) !== undefined }),
    scrub(text) {
      const masked = secrets.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
      return redact === undefined ? masked : redact(masked);
    },
  };
}
