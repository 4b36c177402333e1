import { delay } from "../base/abort.ts";
import { errorMessage, systemErrorCode } from "../base/errors.ts";
import { ConfigError } from "./config_error.ts";

/** The largest configuration file, in bytes. */
const MAX_BYTES = 1024 * 1024;

const BUSY_ATTEMPTS = 10;
const BUSY_PAUSE_MS = 10;

/**
 * Reads a configuration file without locking it. One that another process holds for a moment is
 * tried again.
 *
 * @throws {ConfigError} `config_unreadable`
 */
export async function readConfigBytes(file: string): Promise<Uint8Array<ArrayBuffer>> {
  for (let attempt = 1;; attempt++) {
    try {
      return readOnce(file);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      if (systemErrorCode(error) !== "EBUSY" || attempt === BUSY_ATTEMPTS) {
        throw unreadable(file, errorMessage(error), error);
      }
    }
    await delay(BUSY_PAUSE_MS);
  }
}

/**
 * The text of a file's bytes.
 *
 * @throws {ConfigError} `config_unreadable` when it is no UTF-8.
 */
export function configText(bytes: Uint8Array<ArrayBuffer>, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(file, "it is not UTF-8 text", cause);
  }
}

function readOnce(file: string): Uint8Array<ArrayBuffer> {
  const { isFile, size } = Deno.statSync(file);
  // Reading a pipe or a device would wait or never end.
  if (!isFile) throw unreadable(file, "it is no file");
  if (size > MAX_BYTES) throw unreadable(file, `it is larger than ${MAX_BYTES} bytes`);
  return Deno.readFileSync(file);
}

function unreadable(file: string, reason: string, cause?: unknown): ConfigError {
  return new ConfigError("config_unreadable", `Cannot read "${file}": ${reason}`, { file, cause });
}
