import { ConsentError } from "./core/config/model_choice.ts";
import { errorMessage, RhoError, UsageError } from "./core/base/errors.ts";
import { parseCommandLine, SUBCOMMANDS } from "./core/cli/command_line.ts";
import { guardConsole } from "./core/cli/console_guard.ts";
import { EXIT_CODES } from "./core/cli/exit_codes.ts";
import { processIo, writeToStderr } from "./core/cli/process_io.ts";

/** Runs the command line; returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  // How a compiled or bundled rho starts the process in which extensions live.
  if (args[0] === "__ext-host") {
    await (await (import("./ext/host/run_host.ts" as string) as Promise<
      typeof import("./ext/host/run_host.ts")
    >)).runHost();
  }
  const command = parseCommandLine(args);
  switch (command.type) {
    case "rpc":
      return await (await import("./core/cli/rpc_command.ts")).runRpcCommand(command.options);
    case "run": {
      const { runRunCommand } = await (import("./core/cli/run_command.ts" as string) as Promise<
        typeof import("./core/cli/run_command.ts")
      >);
      return await runRunCommand(command.args, processIo());
    }
    case "demo":
      return await (await (import("./core/cli/demo/demo_command.ts" as string) as Promise<
        typeof import("./core/cli/demo/demo_command.ts")
      >)).runDemo(command);
    case "trust": {
      const { runTrustCommand } = await (import("./core/cli/trust_command.ts" as string) as Promise<
        typeof import("./core/cli/trust_command.ts")
      >);
      const io = { ...processIo(), isTerminal: Deno.stdin.isTerminal() };
      return await runTrustCommand(command.args, io);
    }
    case "ext":
      return await (await (import("./core/cli/ext_command.ts" as string) as Promise<
        typeof import("./core/cli/ext_command.ts")
      >)).runExtCommand(
        command.args,
        processIo(),
      );
    case "sessions": {
      const { runSessionsCommand } =
        await (import("./core/cli/sessions_command.ts" as string) as Promise<
          typeof import("./core/cli/sessions_command.ts")
        >);
      return await runSessionsCommand(command.args, processIo());
    }
    case "doctor":
      return await (await (import("./core/cli/doctor_command.ts" as string) as Promise<
        typeof import("./core/cli/doctor_command.ts")
      >)).runDoctor(
        command.args,
        processIo(),
      );
    case "completions":
      return await (await (import("./core/cli/print_command.ts" as string) as Promise<
        typeof import("./core/cli/print_command.ts")
      >)).printCompletions(
        command.shell,
        SUBCOMMANDS,
      );
    case "schema":
      return await (await (import("./core/cli/print_command.ts" as string) as Promise<
        typeof import("./core/cli/print_command.ts")
      >)).printSchema();
    case "help":
      return await (await (import("./core/cli/print_command.ts" as string) as Promise<
        typeof import("./core/cli/print_command.ts")
      >)).printHelp();
    case "version":
      return await (await (import("./core/cli/print_command.ts" as string) as Promise<
        typeof import("./core/cli/print_command.ts")
      >)).printVersion();
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_CODES.badFlags;
  if (error instanceof ConsentError) return EXIT_CODES.consentMissing;
  return EXIT_CODES.startFailed;
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `rho: ${error.message}\nrho: see rho --help\n`;
  if (error instanceof RhoError) return `rho: ${error.message}\n`;
  const stack = error instanceof Error ? error.stack : undefined;
  return `rho: internal error: ${stack ?? errorMessage(error)}\n`;
}

guardConsole();
try {
  Deno.exit(await main(Deno.args));
} catch (error) {
  writeToStderr(explain(error));
  Deno.exit(exitCodeOf(error));
}
