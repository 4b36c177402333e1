import type { ShellSettings } from "../../core/config/settings.ts";
import { commandEnvironment } from "./command_environment.ts";
import type { CommandOutcome } from "./command_outcome.ts";
import type { CommandRegistry } from "./command_registry.ts";
import { chooseShell } from "./shell_choice.ts";
import { spawnCommand } from "./spawner.ts";

/** Where shells and processes come from. */
export interface ShellHost {
  /** The `[shell]` settings. */
  readonly shell: ShellSettings;
  /** Who owns the processes; rho ends it with `killAll()` before it exits. */
  readonly commands: CommandRegistry;
  /** The environment before secrets are removed; rho's own by default. */
  readonly env?: () => Record<string, string>;
}

/** One command line and its limits. */
export interface ShellRun {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly stdin?: string | undefined;
  /** Takes live output as it comes. */
  readonly onOutput?: (chunk: string) => void;
}

/**
 * Runs a line in the shell of the settings, without secrets in its environment, stderr joined to
 * stdout.
 *
 * @throws {ShellNotFoundError} when there is no shell.
 */
export async function runInShell(run: ShellRun, host: ShellHost): Promise<CommandOutcome> {
  const env = host.env?.() ?? Deno.env.toObject();
  const shell = chooseShell(host.shell, { env });
  const { cwd, timeoutMs, signal, stdin, onOutput } = run;
  return await spawnCommand({
    program: shell.path,
    args: shell.args(run.command),
    cwd,
    env: commandEnvironment({ env, passEnv: host.shell.passEnv }),
    commands: host.commands,
    timeoutMs,
    signal,
    mergeStreams: true,
    ...(onOutput === undefined ? {} : { onOutput }),
    ...(stdin === undefined ? {} : { stdin }),
  });
}
