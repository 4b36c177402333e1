import { unreachable } from "../core/base/errors.ts";
import type { SandboxRoot } from "../core/security/sandbox.ts";
import { commandEnvironment } from "../tools/shell/command_environment.ts";
import type { CommandGuard } from "../tools/shell/command_guard.ts";
import type { CommandOutcome } from "../tools/shell/command_outcome.ts";
import type { CommandRegistry } from "../tools/shell/command_registry.ts";
import { spawnCommand } from "../tools/shell/spawner.ts";
import { ExtensionError } from "./extension_error.ts";

/** What running commands for extensions takes. */
export interface HostCommandsOptions {
  readonly sandbox: SandboxRoot;
  readonly commands: CommandRegistry;
  readonly guard: CommandGuard;
  /** rho's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of secret variables that commands see all the same. */
  readonly passEnv: readonly string[];
}

/** A program that an extension asked for. */
export interface HostCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly timeoutMs: number;
}

/** What `rho.runCommand()` returns. */
export interface HostCommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * `rho.runCommand()`: one program with its arguments, never through a shell, behind the same judge
 * and with the same environment as the model's commands. What would have to be asked is refused:
 * nobody is asked on behalf of an extension.
 *
 * @throws {ExtensionError} when it was refused, could not start or was stopped.
 */
export async function runHostCommand(
  command: HostCommand,
  options: HostCommandsOptions & { readonly signal: AbortSignal },
): Promise<HostCommandResult> {
  const { sandbox, guard, signal } = options;
  const { program, args } = command;
  const verdict = await guard.judgeProgram(program, args);
  if (verdict.type !== "allowed") {
    throw new ExtensionError("extension_refused", `Cannot run "${program}": ${verdict.reason}`);
  }
  const cwd = command.cwd === undefined ? sandbox.root : await sandbox.validate(command.cwd);
  const outcome = await spawnCommand({
    program,
    args,
    cwd,
    env: commandEnvironment({ env: options.env, passEnv: options.passEnv }),
    commands: options.commands,
    timeoutMs: command.timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  return { stdout: outcome.stdout.text, stderr: outcome.stderr.text, exitCode: exitCode(outcome) };
}

function exitCode({ end }: CommandOutcome): number {
  switch (end.reason) {
    case "exit":
    case "signal":
      return end.exitCode;
    case "timeout":
      throw new ExtensionError(
        "extension_limit",
        `The command took longer than ${end.timeoutMs / 1000} s and was ended`,
      );
    case "aborted":
      throw new ExtensionError("extension_limit", "The command was ended with its call");
    case "spawn_failed":
      throw new ExtensionError("extension_failed", end.error.message, { cause: end.error });
    default:
      return unreachable(end);
  }
}
