import { endpointHost, type Provider } from "../config/provider.ts";
import { ProviderError, type ProviderErrorCode } from "./provider_error.ts";

/** What a message about a failed request names, and how secrets leave it. */
export interface ErrorContext {
  readonly provider: Provider;
  readonly model: string;
  /** Whether the key's environment variable is set; `undefined` when the provider names none. */
  readonly keyIsSet?: boolean;
  /** Masks secrets, the provider's own key among them. */
  readonly scrub: (text: string) => string;
}

/** Facts of {@linkcode providerError} beside its code and message. */
export interface ProviderErrorExtras {
  readonly retriable: boolean;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The server's own words, not yet scrubbed. */
  readonly body?: string;
  readonly cause?: unknown;
}

/** The longest part of a server's answer that an error carries, in UTF-16 units. */
const MAX_BODY_UNITS = 4000;

/** How messages name the other side: provider, model and host. */
export function describeTarget(context: ErrorContext): string {
  const { provider, model } = context;
  const named = model === "" ? "" : `model "${model}", `;
  return `provider "${provider.name}" (${named}${endpointHost(provider.endpoint)})`;
}

/** Makes the one error of a failed request; message and body are scrubbed here. */
export function providerError(
  context: ErrorContext,
  code: ProviderErrorCode,
  details: ProviderErrorExtras & { readonly message: string },
): ProviderError {
  const { message, body, ...facts } = details;
  return new ProviderError(context.scrub(message), {
    ...facts,
    code,
    provider: context.provider.name,
    ...(body === undefined ? {} : { body: context.scrub(body.slice(0, MAX_BODY_UNITS)) }),
  });
}
