import { unreachable } from "../../core/base/errors.ts";
import type { CommandEnd, CommandOutcome } from "./command_outcome.ts";

const SIGNAL_NAMES: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
};

/** The first lines of a command's result: exit code, duration, what ended it, what goes on. */
export function commandReport(outcome: CommandOutcome): string {
  const lines = [describeEnd(outcome.end, formatDuration(outcome.durationMs))];
  const { backgroundPids, isOutputHeld } = outcome;
  if (backgroundPids.length > 0) {
    const some = backgroundPids.slice(0, 10).join(", ");
    const more = backgroundPids.length > 10 ? ", …" : "";
    lines.push(`Still running in the background until rho ends: process ${some}${more}.`);
  }
  if (isOutputHeld) {
    const subject = backgroundPids.length > 0
      ? "It"
      : "Something that the command started still runs and";
    lines.push(
      `${subject} keeps the output open; what it prints from now on is lost. ` +
        "Start background programs with their output in a file: program >out.log 2>&1 &",
    );
  }
  return lines.join("\n");
}

function describeEnd(end: CommandEnd, duration: string): string {
  switch (end.reason) {
    case "exit":
      return `Exit code ${end.exitCode} after ${duration}${explainExitCode(end.exitCode)}`;
    case "signal":
      return `Exit code ${end.exitCode} after ${duration}: ended by ${end.signal}` +
        (end.signal === "SIGKILL" ? " (killed from outside, often for lack of memory)" : "");
    case "timeout":
      return `No exit code after ${duration}: timed out, the limit was ` +
        `${formatDuration(end.timeoutMs)}; the command and what it started were ended. ` +
        "Give a larger timeout_secs (at most 3600) if it needs longer";
    case "aborted":
      return `No exit code after ${duration}: aborted; the command and what it started were ended`;
    case "spawn_failed":
      return end.error.message;
    default:
      return unreachable(end);
  }
}

function explainExitCode(code: number): string {
  if (code === 126) return ": 126 means found but not executable (permission, or a folder)";
  if (code === 127) return ": 127 means command not found; check the spelling or install it";
  const signal = SIGNAL_NAMES[code - 128];
  return signal === undefined ? "" : `: ${code} is 128 + ${code - 128}, so probably ${signal}`;
}

function formatDuration(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 2 : 1)} s`;
}
