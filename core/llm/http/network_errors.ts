import { endpointHost } from "../../config/provider.ts";
import { describeTarget, type ErrorContext, providerError } from "../error_context.ts";
import type { ProviderError, ProviderErrorCode } from "../provider_error.ts";

/** A text by which Deno's `fetch` tells why it failed; it has no codes (deno-facts 6). */
export interface NetworkErrorRule {
  readonly code: ProviderErrorCode;
  readonly retriable: boolean;
  readonly pattern: RegExp;
  readonly samples: readonly string[];
  /** What to do about it. */
  readonly hint: string;
}

/** The one table of the network layer's texts, in the order they are tried. */
export const NETWORK_ERROR_RULES: readonly NetworkErrorRule[] = [
  {
    code: "blocked_port",
    retriable: false,
    pattern: /Requests to port \d+ are blocked/,
    samples: ["Fetch failed: Requests to port 6000 are blocked"],
    hint: "the fetch standard refuses this port; let the model server listen on another one",
  },
  {
    code: "bad_request",
    retriable: false,
    pattern: /Invalid URL|scheme .{0,40}not supported|URL scheme/i,
    samples: ["Invalid URL: 'http://127.0.0.1:99999/'", "Url scheme 'ftp' not supported"],
    hint: 'set "endpoint" to a full http or https URL',
  },
  {
    code: "connect_failed",
    retriable: true,
    pattern: /connection refused|actively refused/i,
    samples: [
      "client error (Connect): tcp connect error: Connection refused (os error 111)",
      "No connection could be made because the target machine actively refused it. (os error 10061)",
    ],
    hint: "check that the server runs and listens on this host and port",
  },
  {
    code: "connect_failed",
    retriable: true,
    pattern: /dns error|failed to lookup|name or service not known/i,
    samples: [
      "client error (Connect): dns error: failed to lookup address information: Name or service not known",
    ],
    hint: "the host name cannot be resolved; check it and the network",
  },
  {
    code: "connect_failed",
    retriable: false,
    pattern: /certificate|UnknownIssuer|InvalidContentType|corrupt message/i,
    samples: [
      "client error (Connect): invalid peer certificate: UnknownIssuer",
      "client error (Connect): received corrupt message of type InvalidContentType",
    ],
    hint: "the TLS handshake failed; check http against https and the certificate",
  },
  {
    code: "not_a_model_server",
    retriable: false,
    pattern: /invalid HTTP/i,
    samples: ["client error (SendRequest): invalid HTTP version parsed"],
    hint: "what listens there does not speak HTTP",
  },
  {
    code: "stream_interrupted",
    retriable: true,
    pattern: /connection closed before message|connection reset|broken pipe|error reading a body/i,
    samples: [
      "client error (SendRequest): connection closed before message completed",
      "client error (SendRequest): connection error: Connection reset by peer (os error 104)",
      "error reading a body from connection",
    ],
    hint: "the server closed the connection early",
  },
];

/** What {@linkcode networkError} needs to know of the attempt. */
export interface NetworkFailure {
  readonly thrown: unknown;
  /** Whether the response's head had come. */
  readonly afterHead: boolean;
  /** Bytes of the body that had come. */
  readonly receivedBytes?: number;
  /** The addresses that were tried, when there were several. */
  readonly tried?: readonly string[];
}

/** The error for a request that failed below HTTP. */
export function networkError(failure: NetworkFailure, context: ErrorContext): ProviderError {
  const { thrown, afterHead, receivedBytes = 0, tried = [] } = failure;
  const text = causeText(thrown);
  const rule = NETWORK_ERROR_RULES.find(({ pattern }) => pattern.test(text));
  const code = afterHead ? "stream_interrupted" : rule?.code ?? "connect_failed";
  const where = tried.length > 1 ? `; tried ${tried.map(endpointHost).join(", ")}` : "";
  return providerError(context, code, {
    message: (afterHead
      ? `The answer of ${describeTarget(context)} broke off after ${receivedBytes} bytes: ${text}`
      : `Cannot reach ${describeTarget(context)}: ${text}; ${
        rule?.hint ?? "check the endpoint and the network"
      }`) + where,
    retriable: afterHead || (rule?.retriable ?? true),
    cause: thrown,
  });
}

/** Whether a failed `fetch` never got a connection, so that another address may be tried. */
export function isConnectFailure(thrown: unknown): boolean {
  const text = causeText(thrown);
  return NETWORK_ERROR_RULES.find(({ pattern }) => pattern.test(text))?.code === "connect_failed";
}

/** The innermost words of an error; `fetch` itself only says that it failed. */
function causeText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const text = thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
  // The URL in front may carry credentials and says nothing that the message does not.
  return text.replace(/^error sending request .{0,300}?\): /s, "");
}
