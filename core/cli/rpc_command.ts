import { App } from "../app.ts";
import type { CliOptions } from "./cli_options.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { type EarlyEnd, onEndSignal, processIo } from "./process_io.ts";

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
  onEndSignal((end) => early.resolve(end));
  const served = app.serve().then((): EarlyEnd => ({ exitCode: EXIT_CODES.ok, reason: "eof" }));
  const end = await Promise.race([served, early.promise]);
  await app.stop(end.reason);
  return end.exitCode;
}
