import { delay } from "../base/abort.ts";
import { systemErrorCode } from "../base/errors.ts";
import { encodeUtf8 } from "../base/text.ts";

const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 5;

/**
 * Replaces a file's text at once: readers, who never lock, see the old text or the new one. Only
 * the owner can read it. A file that another process holds for a moment, as virus scanners do on
 * Windows, is tried again.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    writeSynced(temporary, encodeUtf8(text));
    await renameWithRetry(temporary, path);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It was never made, or is not ours to remove.
    }
    throw error;
  }
}

function writeSynced(path: string, bytes: Uint8Array): void {
  using file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  file.syncSync();
}

async function renameWithRetry(from: string, to: string): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      Deno.renameSync(from, to);
      return;
    } catch (error) {
      const code = systemErrorCode(error) ?? "";
      if (!["EACCES", "EPERM", "EBUSY"].includes(code) || attempt === ATTEMPTS) throw error;
    }
    await delay(FIRST_PAUSE_MS * attempt);
  }
}
