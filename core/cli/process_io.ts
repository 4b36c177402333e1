import type { AppIo } from "./app_io.ts";
import { errorMessage, StartupError } from "../base/errors.ts";
import { encodeUtf8 } from "../base/text.ts";

/**
 * The real process.
 *
 * @throws {StartupError} when the working directory is gone.
 */
export function processIo(): AppIo {
  return {
    stdin: Deno.stdin.readable,
    stdout: Deno.stdout,
    stderr: writeToStderr,
    env: Deno.env.toObject(),
    cwd: currentFolder(),
  };
}

/** Writes diagnostics at once; a closed stderr is nobody's loss. */
export function writeToStderr(text: string): void {
  const bytes = encodeUtf8(text);
  try {
    for (let at = 0; at < bytes.length;) at += Deno.stderr.writeSync(bytes.subarray(at));
  } catch {
    // There is no other place to complain.
  }
}

function currentFolder(): string {
  try {
    return Deno.cwd();
  } catch (cause) {
    throw new StartupError(
      `Cannot start: the working directory does not exist any more (${errorMessage(cause)}); ` +
        "change to one that does, or pass --root",
      { cause },
    );
  }
}
