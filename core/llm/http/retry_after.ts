/** The longest wait that is believed, in milliseconds: a year. */
const MAX_WAIT_MS = 365 * 24 * 3600 * 1000;

/** How texts of servers name a wait, sample beside pattern. */
const WAIT_TEXTS: readonly { readonly pattern: RegExp; readonly sample: string }[] = [
  {
    pattern: /try again in (\d{1,9}(?:\.\d{1,9})?) ?(ms|s|m|h)\b/i,
    sample: "Rate limit reached for gpt-4o. Please try again in 1.2s.",
  },
  {
    pattern: /"retryDelay": ?"(\d{1,9}(?:\.\d{1,9})?)(s)"/,
    sample: '"retryDelay": "34s"',
  },
];

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * How long a server asks to wait, in milliseconds: `retry-after-ms`, then `retry-after` in seconds
 * or as an HTTP date (RFC 9110, 10.2.3), then its own words.
 */
export function retryAfterMs(
  headers: Headers,
  options: { readonly body?: string; readonly nowMs?: number } = {},
): number | undefined {
  const exact = Number(headers.get("retry-after-ms") ?? NaN);
  if (Number.isFinite(exact) && exact >= 0) return Math.min(exact, MAX_WAIT_MS);
  const value = headers.get("retry-after")?.trim();
  if (value) {
    const seconds = Number(value);
    if (Number.isFinite(seconds)) return Math.min(Math.max(seconds, 0) * 1000, MAX_WAIT_MS);
    const date = Date.parse(value);
    if (Number.isFinite(date)) {
      return Math.min(Math.max(date - (options.nowMs ?? Date.now()), 0), MAX_WAIT_MS);
    }
  }
  for (const { pattern } of WAIT_TEXTS) {
    const found = pattern.exec(options.body ?? "");
    if (found !== null) return Number(found[1]) * (UNIT_MS[found[2]?.toLowerCase() ?? "s"] ?? 1000);
  }
  return undefined;
}
