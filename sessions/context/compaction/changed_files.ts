import { stringField } from "../../json_value.ts";
import { clipLine } from "../outline/clip.ts";
import { outlineResult } from "../outline/outline_result.ts";
import type { ChangedFile } from "./compaction_summary.ts";
import type { PathCall } from "./path_calls.ts";

/** The files that calls changed, in the order of their first change, each with its last state. */
export function changedFiles(
  calls: readonly PathCall[],
  earlier: readonly ChangedFile[],
): ChangedFile[] {
  const states = new Map<string, string>(earlier.map(({ path, state }) => [path, state]));
  const edits = new Map<string, number>();
  for (const call of calls) {
    const path = stringField(call.args, "path");
    if (path === undefined || call.isError) continue;
    if (call.name === "edit_file") {
      const count = (edits.get(path) ?? 0) + 1;
      edits.set(path, count);
      states.set(path, `edited ${count}×, last ${lastChange(call)}`);
    } else if (call.name === "write_file") {
      edits.delete(path);
      states.set(path, clipLine(withoutPath(call.result, path), 80));
    }
  }
  return [...states].map(([path, state]) => ({ path, state }));
}

function lastChange(call: PathCall): string {
  const { summary } = outlineResult({
    name: call.name,
    args: call.args,
    content: call.result,
    isError: call.isError,
  });
  return clipLine(summary.slice(summary.indexOf(": ") + 2), 60);
}

/** `Created "a.ts": 3 lines, 20 B.` without the name that stands before it already. */
function withoutPath(result: string, path: string): string {
  return result.split(`"${path}"`).join("").replace(/\s+([:,.])/g, "$1");
}
