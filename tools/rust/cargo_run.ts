import { errorMessage } from "../../core/base/errors.ts";
import type { CommandOutcome } from "../shell/command_outcome.ts";
import type { CommandRegistry } from "../shell/command_registry.ts";
import { ControlStripper } from "../shell/control_stripper.ts";
import { ProgressThrottle } from "../shell/progress_throttle.ts";
import { spawnCommand } from "../shell/spawner.ts";
import type { ToolContext } from "../tool.ts";
import { parseCargoMessage, type RawDiagnostic } from "./cargo_message.ts";
import { type CargoStderr, readCargoStderr } from "./cargo_stderr.ts";
import { LineCutter } from "./line_cutter.ts";
import { TestOutput, type TestRun } from "./test_output.ts";
import type { RustProgram } from "./toolchain.ts";

/** Options of {@linkcode runCargo}. */
export interface RunCargoOptions {
  readonly cargo: RustProgram;
  /** Subcommand and arguments, `--message-format` left out. */
  readonly args: readonly string[];
  /** What goes behind `--`. */
  readonly passedOn: readonly string[];
  /** An absolute path. */
  readonly cwd: string;
  readonly commands: CommandRegistry;
  readonly timeoutMs: number;
  readonly context: Pick<ToolContext, "signal" | "progress" | "logger">;
  /** Takes each message of the compiler while cargo runs. */
  readonly onDiagnostic: (raw: RawDiagnostic, manifestPath: string) => void;
}

/** A cargo command that has ended. */
export interface CargoRun {
  readonly outcome: CommandOutcome;
  readonly tests: TestRun;
  readonly stderr: CargoStderr;
  /** Whether it ran with `--offline` after the network did not answer. */
  readonly wasOffline: boolean;
}

const MAX_JSON_UNITS = 16 * 1024 * 1024;
/** Of each stream; stdout is read while it comes. */
const MAX_OUTPUT_BYTES = 256 * 1024;
const OFFLINE_FLAGS: readonly string[] = ["--offline", "--frozen"];

/**
 * Runs cargo and reads its messages line by line. When the index is out of reach it is run once
 * more with `--offline`, in what is left of the time.
 */
export async function runCargo(options: RunCargoOptions): Promise<CargoRun> {
  const first = await attempt(options);
  const { outcome, stderr } = first;
  const canRetry = outcome.end.reason === "exit" && outcome.end.exitCode !== 0 &&
    stderr.isOutOfReach && !options.args.some((arg) => OFFLINE_FLAGS.includes(arg));
  if (!canRetry) return first;
  const timeoutMs = Math.max(1000, options.timeoutMs - outcome.durationMs);
  const args = [...options.args, "--offline"];
  return { ...await attempt({ ...options, args, timeoutMs }), wasOffline: true };
}

async function attempt(options: RunCargoOptions): Promise<CargoRun> {
  const { context, passedOn } = options;
  const tests = new TestOutput();
  const testText = new ControlStripper();
  const errText = new ControlStripper();
  const progress = new ProgressThrottle({ emit: (chunk) => show(chunk, context) });
  let isBuilt = false;
  const lines = new LineCutter({
    maxUnits: MAX_JSON_UNITS,
    onLine: (line) => {
      // Behind the build only tests print, and what they print is not to be believed.
      const message = isBuilt ? undefined : parseCargoMessage(line);
      if (message?.type === "finished") isBuilt = true;
      if (message?.type === "diagnostic") {
        options.onDiagnostic(message.diagnostic, message.manifestPath);
      }
      if (message !== undefined) return;
      const text = testText.push(line + "\n");
      progress.push(text);
      tests.line(text.replace(/\n$/, ""));
    },
  });
  try {
    const outcome = await spawnCommand({
      program: options.cargo.path,
      args: [...options.args, "--message-format=json", ...behindDashes(passedOn)],
      cwd: options.cwd,
      env: options.cargo.env,
      commands: options.commands,
      timeoutMs: options.timeoutMs,
      signal: context.signal,
      mergeStreams: false,
      keepControls: true,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      onOutput: (chunk, stream) => {
        if (stream === "stdout") lines.push(chunk);
        else progress.push(errText.push(chunk));
      },
    });
    lines.finish();
    const stderr = readCargoStderr(new ControlStripper().push(outcome.stderr.text));
    return { outcome, tests: tests.result(), stderr, wasOffline: false };
  } finally {
    progress.finish();
  }
}

function behindDashes(args: readonly string[]): readonly string[] {
  return args.length === 0 ? [] : ["--", ...args];
}

// Some chunks come from a timer, where an error would end rho.
function show(chunk: string, context: Pick<ToolContext, "progress" | "logger">): void {
  try {
    context.progress(chunk);
  } catch (thrown) {
    context.logger.debug(`cannot show live output: ${errorMessage(thrown)}`);
  }
}
