import { stringField } from "../../json_value.ts";
import { clipLine } from "../outline/clip.ts";
import { diagnosticLines } from "../outline/diagnostic_lines.ts";
import { outlineResult } from "../outline/outline_result.ts";
import type { OpenFailure } from "./compaction_summary.ts";
import type { PathCall } from "./path_calls.ts";

const MAX_DIAGNOSTICS = 4;

/**
 * The checks, commands and changes that failed and have not succeeded since, oldest first. A later
 * success of the same command, or of any change to the same file, closes one.
 *
 * @param calls All calls of the path: one that is kept may close a failure that is compacted.
 * @param isCompacted Whether a call is; failures of the kept ones are still in sight.
 */
export function openFailures(
  calls: readonly PathCall[],
  options: {
    readonly earlier: readonly OpenFailure[];
    readonly isCompacted: (call: PathCall) => boolean;
  },
): OpenFailure[] {
  const open = new Map<string, string>(options.earlier.map(({ key, text }) => [key, text]));
  for (const call of calls) {
    const key = keyOf(call);
    if (key === undefined) continue;
    open.delete(key);
    if (call.isError && options.isCompacted(call)) open.set(key, describe(call));
  }
  return [...open].map(([key, text]) => ({ key, text }));
}

function keyOf({ name, args }: PathCall): string | undefined {
  switch (name) {
    case "run_command":
    case "wait_for":
      return `command ${stringField(args, "cwd") ?? ""} ${stringField(args, "command") ?? ""}`;
    case "edit_file":
    case "write_file":
      return `change ${stringField(args, "path") ?? ""}`;
    case "cargo_check":
    case "cargo_clippy":
    case "cargo_test":
    case "cargo_fix":
      return `${name} ${stringField(args, "package") ?? ""}`;
    default:
      return undefined;
  }
}

function describe(call: PathCall): string {
  const { name, args, result, isError } = call;
  const { summary } = outlineResult({ name, args, content: result, isError });
  const head = summary.slice(summary.startsWith("[shortened] ") ? 12 : 0);
  const details = diagnosticLines(result.split("\n"), MAX_DIAGNOSTICS)
    .map((line) => clipLine(line, 160))
    .filter((line) => line !== "" && !head.includes(line));
  return [head, ...details].join("\n  ");
}
