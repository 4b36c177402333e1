import { App } from "../app.ts";
import type { CliOptions } from "./command_line.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { processIo } from "./process_io.ts";

/** The signals that end rho, and what it exits with. */
const SIGNALS: readonly (readonly [Deno.Signal, number])[] = Deno.build.os === "windows"
  ? [["SIGINT", EXIT_CODES.interrupted], ["SIGBREAK", EXIT_CODES.terminated]]
  : [["SIGINT", EXIT_CODES.interrupted], ["SIGTERM", EXIT_CODES.terminated], ["SIGHUP", 129]];

/** Why rho ends before its input does. */
interface EarlyEnd {
  readonly exitCode: number;
  readonly reason: string;
}

/**
 * Serves the protocol on the process's own stdin and stdout.
 *
 * @returns the exit code.
 */
export async function runRpcCommand(options: CliOptions): Promise<number> {
  const early = Promise.withResolvers<EarlyEnd>();
  const app = await App.start(options, {
    io: processIo(),
    onOutputClosed: () =>
      early.resolve({ exitCode: EXIT_CODES.outputClosed, reason: "output_closed" }),
  });
  listenForSignals((end) => early.resolve(end));
  const served = app.serve().then((): EarlyEnd => ({ exitCode: EXIT_CODES.ok, reason: "eof" }));
  const end = await Promise.race([served, early.promise]);
  await app.stop(end.reason);
  return end.exitCode;
}

/** The first signal ends rho in order, a second one at once. */
function listenForSignals(onEnd: (end: EarlyEnd) => void): void {
  let count = 0;
  for (const [signal, exitCode] of SIGNALS) {
    Deno.addSignalListener(signal, () => {
      count += 1;
      if (count > 1) Deno.exit(exitCode);
      onEnd({ exitCode, reason: signal.toLowerCase() });
    });
  }
}
