import type { ErrorContext } from "../error_context.ts";
import { createLoopbackClient } from "./loopback_client.ts";
import { isConnectFailure, networkError } from "./network_errors.ts";

/** What {@linkcode modelFetch} sends. */
export interface ModelFetchInit {
  readonly method: "GET" | "POST";
  readonly headers: Headers;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/**
 * `fetch` as model servers need it: past proxies on this machine, `localhost` on both address
 * families, redirects not followed (they may leave the host that the user agreed to), and failures
 * as `ProviderError`.
 *
 * @throws {ProviderError} when no head of a response comes.
 * @throws the signal's reason when it is aborted.
 */
export async function modelFetch(
  url: string,
  init: ModelFetchInit & { readonly context: ErrorContext },
): Promise<Response> {
  const { context, method, headers, body, signal } = init;
  const tried: string[] = [];
  for (const candidate of candidates(url)) {
    tried.push(candidate);
    let client: Deno.HttpClient | undefined;
    try {
      client = createLoopbackClient(candidate);
      return await fetch(candidate, {
        method,
        headers,
        signal,
        redirect: "manual",
        ...(body === undefined ? {} : { body }),
        ...(client === undefined ? {} : { client }),
      });
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      const last = tried.length === candidates(url).length;
      if (last || !isConnectFailure(thrown)) {
        throw networkError({ thrown, afterHead: false, tried }, context);
      }
    } finally {
      client?.close();
    }
  }
  throw networkError({ thrown: "no address", afterHead: false }, context);
}

/** The addresses to try: the URL, and for `localhost` both families by number. */
function candidates(url: string): string[] {
  if (!URL.canParse(url) || new URL(url).hostname !== "localhost") return [url];
  return [url, withHostname(url, "127.0.0.1"), withHostname(url, "[::1]")];
}

function withHostname(url: string, hostname: string): string {
  const changed = new URL(url);
  changed.hostname = hostname;
  return changed.href;
}
