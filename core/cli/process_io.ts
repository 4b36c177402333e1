import type { AppIo } from "./app_io.ts";
import { errorMessage, StartupError } from "../base/errors.ts";
import { encodeUtf8 } from "../base/text.ts";
import { EXIT_CODES } from "./exit_codes.ts";

/** The signals that end rho, and what it exits with. */
const SIGNALS: readonly (readonly [Deno.Signal, number])[] = Deno.build.os === "windows"
  ? [["SIGINT", EXIT_CODES.interrupted], ["SIGBREAK", EXIT_CODES.terminated]]
  : [["SIGINT", EXIT_CODES.interrupted], ["SIGTERM", EXIT_CODES.terminated], ["SIGHUP", 129]];

/** Why rho ends before its work does. */
export interface EarlyEnd {
  readonly exitCode: number;
  readonly reason: string;
}

/** The first signal ends rho in order, a second one at once. */
export function onEndSignal(onEnd: (end: EarlyEnd) => void): void {
  let count = 0;
  for (const [signal, exitCode] of SIGNALS) {
    Deno.addSignalListener(signal, () => {
      count += 1;
      if (count > 1) Deno.exit(exitCode);
      onEnd({ exitCode, reason: signal.toLowerCase() });
    });
  }
}

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
