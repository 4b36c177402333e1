import { errorMessage } from "../../core/base/errors.ts";
import { VERSION } from "../../core/base/version.ts";
import { RustToolError } from "./rust_error.ts";

/** Options of {@linkcode fetchCratesIo}. */
export interface FetchCratesIoOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  /** The most bytes of an answer. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The site itself; it asks programs to name themselves. */
export const CRATES_IO_URL = "https://crates.io";

const USER_AGENT = `rho/${VERSION} (coding agent; crates_io_lookup)`;

/**
 * Asks the API of crates.io for a JSON object; `undefined` when there is nothing of that name.
 *
 * @param path Behind `/api/v1/`, escaped.
 * @throws {RustToolError} when nothing usable comes; `signal.reason` when the call is cancelled.
 */
export async function fetchCratesIo(
  path: string,
  options: FetchCratesIoOptions,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { signal, timeoutMs } = options;
  const clock = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${options.baseUrl}/api/v1/${path}`, {
      headers: { accept: "application/json", "user-agent": USER_AGENT },
      redirect: "error",
      signal: AbortSignal.any([signal, clock]),
    });
    if (response.status === 404) {
      await response.body?.cancel();
      return undefined;
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new RustToolError(
        `Cannot ask crates.io: it answered with status ${response.status}` +
          (response.status === 429 ? "; wait a minute before the next call" : ""),
      );
    }
    return parseObject(await readBody(response, options.maxBytes));
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof RustToolError) throw thrown;
    const reason = clock.aborted
      ? `no answer within ${timeoutMs / 1000} s`
      : errorMessage(thrown instanceof Error ? thrown.cause ?? thrown : thrown);
    throw new RustToolError(
      `Cannot reach crates.io: ${reason}; without the network see Cargo.lock for what is there`,
      { cause: thrown },
    );
  }
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new RustToolError(`Cannot read the answer of crates.io: it is over ${maxBytes} bytes`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RustToolError("Cannot read the answer of crates.io: it is not JSON", { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { ...value };
  }
  throw new RustToolError("Cannot read the answer of crates.io: it is no JSON object");
}
