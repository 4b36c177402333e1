import { stringField } from "../../json_value.ts";
import { clipLine, counted, firstOf } from "../outline/clip.ts";
import { parseFramed } from "../outline/framed_text.ts";
import { outlineResult } from "../outline/outline_result.ts";
import { isCheck, type Phase } from "../phase.ts";
import type { PathCall } from "./path_calls.ts";

const PHASES: readonly (readonly [Phase, string])[] = [
  ["exploration", "Exploration"],
  ["execution", "Execution"],
  ["verification", "Verification"],
];

/** A line a phase: what was done in it, by kind of tool, in the order of first use. */
export function phaseLines(
  calls: readonly PathCall[],
  maxItems: number,
): { readonly phase: string; readonly summary: string }[] {
  return PHASES.flatMap(([phase, title]) => {
    const own = calls.filter((call) => call.phase === phase);
    if (own.length === 0) return [];
    return [{
      phase: title,
      summary: kindsOf(own).map((kind) => kindLine(kind, maxItems)).join("; "),
    }];
  });
}

function kindsOf(calls: readonly PathCall[]): PathCall[][] {
  const kinds = new Map<string, PathCall[]>();
  for (const call of calls) {
    const kind = kinds.get(call.name);
    if (kind === undefined) kinds.set(call.name, [call]);
    else kind.push(call);
  }
  return [...kinds.values()];
}

function kindLine(calls: readonly PathCall[], maxItems: number): string {
  const [first] = calls;
  if (first === undefined) return "";
  // What was looked at last matters most when not everything can be named.
  const latest = [...calls].reverse();
  switch (first.name) {
    case "read_file":
    case "batch_read":
      return `read ${firstOf(rangesRead(latest), maxItems)} (${counted(calls.length, "read")})`;
    case "edit_file":
      return `edited ${firstOf(paths(latest), maxItems)} (${counted(calls.length, "edit")})`;
    case "write_file":
      return `wrote ${firstOf(paths(latest), maxItems)}`;
    case "list_dir":
      return `listed ${firstOf(paths(latest), maxItems)}`;
    case "find_files":
    case "search_files":
      return `searched ${firstOf(unique(latest.map(quotedPattern)), maxItems)}`;
    case "run_command":
    case "wait_for":
      return `ran ${firstOf(unique(latest.map(commandWithEnd)), maxItems)} ` +
        `(${counted(calls.length, "command")})`;
    default:
      return isCheck(first.call)
        ? lastOutcome(latest[0] ?? first)
        : `${first.name} (${counted(calls.length, "call")})`;
  }
}

/** Files with the ranges that were seen of them, each file once. */
function rangesRead(calls: readonly PathCall[]): string[] {
  const ranges = new Map<string, Set<string>>();
  for (const { args, result } of calls) {
    const { blocks } = parseFramed(result);
    const seen = blocks.length > 0
      ? blocks.map(({ attributes }) => [attributes.path ?? "?", attributes.lines ?? ""] as const)
      : [[stringField(args, "path") ?? "?", ""] as const];
    for (const [path, lines] of seen) {
      const known = ranges.get(path) ?? new Set();
      if (lines !== "") known.add(lines);
      ranges.set(path, known);
    }
  }
  return [...ranges].map(([path, lines]) =>
    lines.size === 0 ? path : `${path} [${firstOf([...lines], 4)}]`
  );
}

function paths(calls: readonly PathCall[]): string[] {
  return unique(calls.map(({ args }) => stringField(args, "path") ?? "."));
}

function quotedPattern({ args }: PathCall): string {
  return `\`${clipLine(stringField(args, "pattern") ?? "", 60)}\``;
}

function commandWithEnd({ args, isError }: PathCall): string {
  return `\`${clipLine(stringField(args, "command") ?? "", 80)}\`${isError ? " (failed)" : ""}`;
}

/** `cargo_test: 1 error, 0 warnings` of the latest run. */
function lastOutcome({ name, args, result, isError }: PathCall): string {
  const { summary } = outlineResult({ name, args, content: result, isError });
  return clipLine(summary.replace("[shortened] ", ""), 120);
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
