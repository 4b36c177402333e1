import { isLoopbackEndpoint } from "../../config/provider.ts";
import { proxyIsConfigured } from "./loopback_client.ts";

/** How long a host may take to accept a connection, in milliseconds. */
const PROBE_LIMIT_MS = 5_000;

/**
 * Whether the host of an endpoint takes TCP connections. Behind a proxy nobody can tell from here;
 * such a host counts as live.
 */
export async function tcpProbe(endpoint: string, signal: AbortSignal): Promise<boolean> {
  if (!isLoopbackEndpoint(endpoint) && proxyIsConfigured()) return true;
  const url = new URL(endpoint);
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), PROBE_LIMIT_MS);
  try {
    const connection = await Deno.connect({
      hostname,
      port,
      signal: AbortSignal.any([signal, limit.signal]),
    });
    connection.close();
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
