import * as v from "valibot";
import { delay } from "../../core/base/abort.ts";
import { frame } from "../framing.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { CommandGuard } from "./command_guard.ts";
import type { CommandOutcome } from "./command_outcome.ts";
import { commandReport } from "./command_report.ts";
import { outputPattern } from "./output_pattern.ts";
import type { CreateRunCommandOptions } from "./run_command.ts";
import { runInShell } from "./run_in_shell.ts";

/** The arguments of `wait_for`. */
export type WaitForArgs = v.InferOutput<typeof SCHEMA>;

const DEFAULT_TIMEOUT_SECS = 60;
const MAX_TIMEOUT_SECS = 3600;
const DEFAULT_POLL_SECS = 1;
const MAX_POLL_SECS = 600;
/** The least time that a poll gets, in milliseconds; also for the last one, at the deadline. */
const MIN_POLL_RUN_MS = 1000;

const SCHEMA = v.object({
  command: v.pipe(
    v.string(),
    v.check((text) => text.trim() !== "", "must not be blank"),
    v.check((text) => !text.includes("\0"), "must not hold a NUL character"),
    v.description("Run again and again; it should end soon by itself"),
  ),
  until: v.optional(v.pipe(
    v.string(),
    v.nonEmpty(),
    v.description("Regular expression (RE2) for its output; without it, exit code 0 is awaited"),
  )),
  timeout_secs: v.optional(v.pipe(
    v.number(),
    v.minValue(0.1),
    v.maxValue(MAX_TIMEOUT_SECS),
    v.description(`Seconds to wait at most; ${DEFAULT_TIMEOUT_SECS} by default`),
  )),
  poll_secs: v.optional(v.pipe(
    v.number(),
    v.minValue(0.1),
    v.maxValue(MAX_POLL_SECS),
    v.description(`Seconds between two runs; ${DEFAULT_POLL_SECS} by default`),
  )),
  cwd: v.optional(
    v.pipe(v.string(), v.description("Folder to run in, inside the root; the root by default")),
  ),
});

const DESCRIPTION =
  "Wait until a command succeeds, or until its output matches, in one call; use it in place of " +
  'sleep. Example: {"command": "tail -n 20 out.log", "until": "listening on \\\\d+"}.';

/** The `wait_for` tool: polls one shell command. */
export function createWaitFor(options: CreateRunCommandOptions): Tool<WaitForArgs> {
  const guard = options.guard ?? new CommandGuard(options);
  return {
    name: "wait_for",
    description: DESCRIPTION,
    schema: SCHEMA,
    risk: "destructive",
    highestRisk: "destructive",
    source: "builtin",
    judge: (args) => guard.judgeShell(args),
    preview: (args) => Promise.resolve({ text: previewText(args) }),
    execute: (args, context) => waitFor(args, context, options),
  };
}

async function waitFor(
  args: WaitForArgs,
  context: ToolContext,
  options: CreateRunCommandOptions,
): Promise<ToolResult> {
  const { sandbox, signal } = context;
  const { clock } = options.commands;
  const matches = args.until === undefined ? undefined : await outputPattern(args.until);
  const cwd = args.cwd === undefined ? sandbox.root : await sandbox.validate(args.cwd);
  const pollMs = (args.poll_secs ?? DEFAULT_POLL_SECS) * 1000;
  const startMs = clock.monotonicMs();
  const endMs = startMs + (args.timeout_secs ?? DEFAULT_TIMEOUT_SECS) * 1000;
  let outcome: CommandOutcome | undefined;
  let polls = 0;
  for (;;) {
    const leftMs = endMs - clock.monotonicMs();
    outcome = await runInShell({
      command: args.command,
      cwd,
      timeoutMs: Math.max(leftMs, MIN_POLL_RUN_MS),
      signal,
    }, options);
    polls += 1;
    const state = { outcome, polls, waitedMs: clock.monotonicMs() - startMs };
    if (outcome.end.reason === "spawn_failed") return toolFailure(commandReport(outcome));
    if (isMet(outcome, matches)) return toolSuccess(describe("The condition is met", state));
    if (signal.aborted) return toolFailure(describe("Aborted, the condition is not met", state));
    context.progress(`poll ${polls}: ${firstLine(commandReport(outcome))}\n`);
    if (clock.monotonicMs() >= endMs) {
      const what = args.until === undefined ? "exit code 0" : `output that matches ${args.until}`;
      return toolFailure(
        `${describe("Timed out, the condition is not met", state)}\n` +
          `Awaited: ${what}. Look at the output, or wait longer with timeout_secs.`,
      );
    }
    try {
      await delay(Math.max(0, Math.min(pollMs, endMs - clock.monotonicMs())), { signal });
    } catch {
      return toolFailure(describe("Aborted, the condition is not met", state));
    }
  }
}

function isMet(
  outcome: CommandOutcome,
  matches: ((text: string) => boolean) | undefined,
): boolean {
  if (matches !== undefined) return matches(outcome.stdout.text + outcome.stderr.text);
  return outcome.end.reason === "exit" && outcome.end.exitCode === 0;
}

function describe(
  head: string,
  state: { readonly outcome: CommandOutcome; readonly polls: number; readonly waitedMs: number },
): string {
  const { outcome, polls, waitedMs } = state;
  const times = polls === 1 ? "1 poll" : `${polls} polls`;
  const text = outcome.stdout.text + outcome.stderr.text;
  const body = text.trim() === "" ? "(no output)" : frame({ source: "wait_for" }, text);
  return `${head} after ${times} in ${(waitedMs / 1000).toFixed(1)} s. The last one:\n` +
    `${commandReport(outcome)}\n${body}`;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function previewText(args: WaitForArgs): string {
  const every = args.poll_secs ?? DEFAULT_POLL_SECS;
  const most = args.timeout_secs ?? DEFAULT_TIMEOUT_SECS;
  const parts = [args.command, `again every ${every} s for at most ${most} s`];
  if (args.until !== undefined) parts.push(`until its output matches: ${args.until}`);
  if (args.cwd !== undefined) parts.push(`in folder: ${args.cwd}`);
  return parts.join("\n\n");
}
