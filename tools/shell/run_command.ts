import * as v from "valibot";
import { errorMessage } from "../../core/base/errors.ts";
import { frame } from "../framing.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { CommandGuard } from "./command_guard.ts";
import type { CommandOutcome } from "./command_outcome.ts";
import { commandReport } from "./command_report.ts";
import { ProgressThrottle } from "./progress_throttle.ts";
import { runInShell, type ShellHost } from "./run_in_shell.ts";

/** Options of {@linkcode createRunCommand}. */
export interface CreateRunCommandOptions extends ShellHost {
  /**
   * Judges each command before it runs.
   * @default {new CommandGuard(options)}
   */
  readonly guard?: CommandGuard;
}

/** The arguments of `run_command`. */
export type RunCommandArgs = v.InferOutput<typeof SCHEMA>;

const DEFAULT_TIMEOUT_SECS = 120;
const MAX_TIMEOUT_SECS = 3600;

const SCHEMA = v.object({
  command: v.pipe(
    v.string(),
    v.check((text) => text.trim() !== "", "must not be blank"),
    v.check((text) => !text.includes("\0"), "must not hold a NUL character"),
    v.description("The command as you would type it, pipes and && included"),
  ),
  cwd: v.optional(
    v.pipe(v.string(), v.description("Folder to run in, inside the root; the root by default")),
  ),
  timeout_secs: v.optional(v.pipe(
    v.number(),
    v.minValue(0.1),
    v.maxValue(MAX_TIMEOUT_SECS),
    v.description(`Seconds until it is ended; ${DEFAULT_TIMEOUT_SECS} by default`),
  )),
  stdin: v.optional(
    v.pipe(v.string(), v.description("Text for standard input, which is empty otherwise")),
  ),
});

const DESCRIPTION =
  "Run one command in a non-interactive shell (no terminal, no editor, no prompts) " +
  "and return its exit code and output, stderr included. " +
  'Example: {"command": "cargo build 2>&1 | tail -n 30", "timeout_secs": 600}. ' +
  "Start servers in the background with their output in a file: server >out.log 2>&1 &";

/** The `run_command` tool: one shell command, run to its end. */
export function createRunCommand(options: CreateRunCommandOptions): Tool<RunCommandArgs> {
  const guard = options.guard ?? new CommandGuard(options);
  return {
    name: "run_command",
    description: DESCRIPTION,
    schema: SCHEMA,
    risk: "destructive",
    highestRisk: "destructive",
    source: "builtin",
    judge: (args) => guard.judgeShell(args),
    preview: (args) => Promise.resolve({ text: previewText(args) }),
    execute: (args, context) => runCommand(args, context, options),
  };
}

async function runCommand(
  args: RunCommandArgs,
  context: ToolContext,
  options: CreateRunCommandOptions,
): Promise<ToolResult> {
  const { sandbox, signal } = context;
  const cwd = args.cwd === undefined ? sandbox.root : await sandbox.validate(args.cwd);
  const progress = new ProgressThrottle({ emit: (chunk) => showProgress(chunk, context) });
  try {
    const outcome = await runInShell({
      command: args.command,
      cwd,
      timeoutMs: (args.timeout_secs ?? DEFAULT_TIMEOUT_SECS) * 1000,
      signal,
      stdin: args.stdin,
      onOutput: (chunk) => progress.push(chunk),
    }, options);
    return result(outcome);
  } finally {
    progress.finish();
  }
}

// Some chunks come from a timer, where an error would end rho.
function showProgress(chunk: string, context: ToolContext): void {
  try {
    context.progress(chunk);
  } catch (thrown) {
    context.logger.debug(`cannot show live output: ${errorMessage(thrown)}`);
  }
}

function result(outcome: CommandOutcome): ToolResult {
  const { end, stderr } = outcome;
  const report = commandReport(outcome);
  if (end.reason === "spawn_failed") return toolFailure(report);
  // stderr is apart only where the shell cannot join it to stdout.
  const text = outcome.stdout.text + stderr.text;
  const isSilent = outcome.stdout.rawBytes + stderr.rawBytes === 0;
  const body = text.trim() === ""
    ? isSilent ? "(no output)" : "(no visible output)"
    : frame({ source: "run_command" }, text);
  const output = `${report}\n${body}`;
  return end.reason === "exit" && end.exitCode === 0 ? toolSuccess(output) : toolFailure(output);
}

function previewText(args: RunCommandArgs): string {
  const parts = [args.command];
  if (args.cwd !== undefined) parts.push(`in folder: ${args.cwd}`);
  if (args.stdin !== undefined) parts.push(`with standard input:\n${args.stdin}`);
  return parts.join("\n\n");
}
