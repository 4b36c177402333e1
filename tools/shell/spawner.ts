import {
  errorMessage,
  RhoError,
  type RhoErrorOptions,
  systemErrorCode,
} from "../../core/base/errors.ts";
import type { CommandEnd, CommandOutcome } from "./command_outcome.ts";
import { CommandOutput, type CommandOutputOptions } from "./command_output.ts";
import type { CommandRegistry } from "./command_registry.ts";
import { CommandRun, type CommandRunResult } from "./command_run.ts";
import type { Launch } from "./process_control.ts";
import { findProgram } from "./find_program.ts";

/** Options of {@linkcode spawnCommand}. */
export interface SpawnCommandOptions {
  /** A name that `env.PATH` leads to, or a path. */
  readonly program: string;
  readonly args: readonly string[];
  /** An absolute path to a folder. */
  readonly cwd: string;
  /** The complete environment; nothing of rho's own is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Who owns the processes; one for the whole of rho. */
  readonly commands: CommandRegistry;
  /** What the command reads; its input is empty otherwise. */
  readonly stdin?: string;
  /** The most time the command has, in milliseconds; no limit when absent. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /**
   * Whether stderr joins stdout, in the order of writing.
   * @default {false}
   */
  readonly mergeStreams?: boolean;
  /**
   * Leaves control sequences and redrawn lines in the output, for output that is parsed.
   * @default {false}
   */
  readonly keepControls?: boolean;
  /** Takes live output in whole characters, as often as it comes. What it throws is ignored. */
  readonly onOutput?: (chunk: string, stream: "stdout" | "stderr") => void;
  /**
   * The most that is kept of each stream, in UTF-8 bytes: a quarter from its start, the rest from
   * its end.
   * @default {2097152}
   */
  readonly maxOutputBytes?: number;
}

/** The signature of {@linkcode spawnCommand}, for code that takes it as a dependency. */
export type Spawner = typeof spawnCommand;

/** A command that could not be started. */
export class CommandStartError extends RhoError {
  constructor(message: string, options: RhoErrorOptions = {}) {
    super("command_start_failed", message, options);
  }
}

const DEFAULT_MAX_OUTPUT_BYTES = 2 * 1024 * 1024;

/**
 * Runs one program to its end: the only way in which rho starts a command for anyone.
 *
 * It never rejects for what happens to the command; {@linkcode CommandOutcome} tells. A timeout or
 * an abort ends everything that the command started (save what called `setsid`): it is asked, and
 * killed 2 seconds later. What a finished command left in the background goes on until rho ends.
 */
export async function spawnCommand(options: SpawnCommandOptions): Promise<CommandOutcome> {
  const { clock } = options.commands;
  const startMs = clock.monotonicMs();
  const stdout = output(options, "stdout");
  const stderr = output(options, "stderr");
  const finish = (result: CommandRunResult): CommandOutcome => ({
    ...result,
    durationMs: clock.monotonicMs() - startMs,
    stdout: stdout.finish(),
    stderr: stderr.finish(),
  });
  let stdinPath: string | undefined;
  try {
    if (isStopped(options)) return finish(unstarted({ reason: "aborted" }));
    const program = await checkStart(options);
    if (options.commands.control.isWatched) stdinPath = await storeStdin(options.stdin);
    if (isStopped(options)) return finish(unstarted({ reason: "aborted" }));
    const child = start(options, { program, args: options.args }, stdinPath);
    const run = new CommandRun(child, {
      commands: options.commands,
      stdout,
      ...(options.mergeStreams && options.commands.control.isWatched ? {} : { stderr }),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return finish(await run.result());
  } catch (thrown) {
    if (!(thrown instanceof CommandStartError)) throw thrown;
    return finish(unstarted({ reason: "spawn_failed", error: thrown }));
  } finally {
    if (stdinPath !== undefined) await Deno.remove(stdinPath).catch(() => {});
  }
}

function output(options: SpawnCommandOptions, stream: "stdout" | "stderr"): CommandOutput {
  const { onOutput } = options;
  const shared: CommandOutputOptions = {
    maxBytes: options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES,
    keepControls: options.keepControls ?? false,
  };
  if (onOutput === undefined) return new CommandOutput(shared);
  const onText = (chunk: string) => {
    try {
      onOutput(chunk, stream);
    } catch {
      // Live output is a courtesy; a watcher that fails must not stop the reading.
    }
  };
  return new CommandOutput({ ...shared, onText });
}

function isStopped(options: SpawnCommandOptions): boolean {
  return options.signal?.aborted === true || options.commands.isClosed;
}

function unstarted(end: CommandEnd): CommandRunResult {
  return { end, backgroundPids: [], isOutputHeld: false };
}

// The operating system answers "not found" for a missing folder and a missing program alike.
async function checkStart(options: SpawnCommandOptions): Promise<string> {
  const { cwd, program, env } = options;
  const info = await Deno.stat(cwd).catch((cause: unknown) => {
    throw new CommandStartError(
      `Cannot run a command in "${cwd}": the folder does not exist or cannot be entered; ` +
        `give an existing folder as "cwd"`,
      { cause, data: { cwd } },
    );
  });
  if (!info.isDirectory) {
    throw new CommandStartError(
      `Cannot run a command in "${cwd}": it is not a folder; give an existing folder as "cwd"`,
      { data: { cwd } },
    );
  }
  const found = findProgram(program, { env });
  if (found !== undefined) return found;
  throw new CommandStartError(
    `Cannot run "${program}": no such program in PATH; check the name or install it`,
    { data: { program } },
  );
}

/** The watch pipe takes the place of stdin, so a text for it goes through a private file. */
async function storeStdin(text: string | undefined): Promise<string | undefined> {
  if (text === undefined || text === "") return undefined;
  let path: string | undefined;
  try {
    path = await Deno.makeTempFile({ prefix: "rho-stdin-" });
    await Deno.writeTextFile(path, text);
    return path;
  } catch (cause) {
    if (path !== undefined) await Deno.remove(path).catch(() => {});
    throw new CommandStartError(
      `Cannot store the text for stdin in the temporary folder: ${errorMessage(cause)}`,
      { cause },
    );
  }
}

function start(
  options: SpawnCommandOptions,
  launch: Launch,
  stdinPath: string | undefined,
): Deno.ChildProcess {
  const { control } = options.commands;
  const mergeStreams = options.mergeStreams ?? false;
  const hasStdinPipe = control.isWatched || options.stdin !== undefined;
  const { program, args } = control.wrap(launch, {
    mergeStreams,
    ...(stdinPath === undefined ? {} : { stdinPath }),
  });
  try {
    const child = new Deno.Command(program, {
      args: [...args],
      cwd: options.cwd,
      env: options.env,
      clearEnv: true,
      stdin: hasStdinPipe ? "piped" : "null",
      stdout: "piped",
      stderr: mergeStreams && control.isWatched ? "null" : "piped",
      detached: control.isWatched,
    }).spawn();
    if (!control.isWatched && options.stdin !== undefined) feed(child, options.stdin);
    return child;
  } catch (cause) {
    throw new CommandStartError(startFailure(launch.program, cause), {
      cause,
      data: { program: launch.program },
    });
  }
}

function startFailure(program: string, cause: unknown): string {
  const code = systemErrorCode(cause);
  if (code === "E2BIG") {
    return `Cannot run "${program}": the command is longer than the system allows ` +
      `(about 128 KiB); write it to a script file and run that`;
  }
  if (cause instanceof TypeError) {
    return `Cannot run "${program}": an argument or variable is not valid, perhaps for a NUL character in it`;
  }
  return `Cannot run "${program}": ${errorMessage(cause)}`;
}

/** Only where no watcher needs the pipe. The command may end without reading all of it. */
function feed(child: Deno.ChildProcess, text: string): void {
  new Blob([text]).stream().pipeTo(child.stdin).catch(() => {});
}
