import { isLoopbackEndpoint } from "../../config/provider.ts";

const PROXY_VARIABLES = [
  "HTTP_PROXY",
  "http_proxy",
  "HTTPS_PROXY",
  "https_proxy",
  "ALL_PROXY",
  "all_proxy",
];

/** Whether requests to other machines go through a proxy, as far as the environment says. */
export function proxyIsConfigured(): boolean {
  return PROXY_VARIABLES.some((name) => (environment(name) ?? "") !== "");
}

/**
 * A client that no proxy variable can capture, for an endpoint on this machine; `undefined` when
 * the shared one does: without proxy variables, or for other machines. Close it once the head of
 * the response is there; the body goes on.
 *
 * Deno reads the variables when a client is made, and only then, so `NO_PROXY` names this machine
 * for just that moment (deno-facts 6).
 */
export function createLoopbackClient(endpoint: string): Deno.HttpClient | undefined {
  if (!isLoopbackEndpoint(endpoint) || !proxyIsConfigured()) return undefined;
  const exempt = `127.0.0.1,127.0.0.0/8,localhost,::1,${new URL(endpoint).hostname}`;
  const names = ["NO_PROXY", "no_proxy"];
  const before = names.map((name) => Deno.env.get(name));
  try {
    for (const name of names) Deno.env.set(name, exempt);
    return Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  } finally {
    names.forEach((name, at) => {
      const value = before[at];
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    });
  }
}

function environment(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    // Without the permission to look there is no telling; the shared client is as good as any.
    return undefined;
  }
}
