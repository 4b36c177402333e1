/** One request as it went out. */
export interface LoggedRequest {
  readonly id: number;
  readonly provider: string;
  readonly method: string;
  /** Without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One response as it came in; `error` says why it has no end, or no beginning. */
export interface LoggedResponse {
  readonly id: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly error?: string;
}

/** Takes every request and response of the model layer, for `--log-requests`. */
export interface RequestLog {
  /** A number for the next exchange, from 1. */
  nextId(): number;
  request(entry: LoggedRequest): void;
  response(entry: LoggedResponse): void;
  close(): void;
}

/** Headers whose values are written; others show as `…`. */
const SHOWN_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "content-length",
  "content-type",
  "date",
  "retry-after",
  "retry-after-ms",
  "server",
  "user-agent",
  "x-request-id",
]);

/**
 * Opens a request log: a file of JSON lines that only its owner may read, appended to.
 *
 * @param options.redact Masks secrets in every line.
 * @throws the system's error when the file cannot be opened.
 */
export function openRequestLog(
  path: string,
  options: { readonly redact?: (text: string) => string } = {},
): RequestLog {
  const file = Deno.openSync(path, { create: true, append: true, mode: 0o600 });
  // The mode above is for a new file only.
  if (Deno.build.os !== "windows") Deno.chmodSync(path, 0o600);
  const redact = options.redact ?? ((text: string) => text);
  const encoder = new TextEncoder();
  let lastId = 0;
  function write(entry: Record<string, unknown>): void {
    const bytes = encoder.encode(redact(JSON.stringify(entry)) + "\n");
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  }
  return {
    nextId: () => ++lastId,
    request(entry) {
      write({ type: "request", timestamp: new Date().toISOString(), ...entry });
    },
    response(entry) {
      write({ type: "response", timestamp: new Date().toISOString(), ...entry });
    },
    close: () => file.close(),
  };
}

/** Headers for the log: the harmless ones by value, the others by name. */
export function loggedHeaders(headers: Headers): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of headers) shown[name] = SHOWN_HEADERS.has(name) ? value : "…";
  return shown;
}

/** A URL for the log, without user, password, query and fragment. */
export function loggedUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
