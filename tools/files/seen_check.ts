import type { FileTracker } from "../../sessions/file_tracker.ts";
import { headUnits } from "../../core/base/text.ts";
import { frame } from "../framing.ts";
import { unifiedDiff } from "./unified_diff.ts";

const MAX_SHOWN_UNITS = 4000;

/**
 * Why a file must be read before it is changed, or `undefined` when the model has seen what it
 * holds now. Shows what has changed since, where that is still known.
 *
 * @param file.action For the sentence, such as `edit`.
 */
export async function unseenReason(
  tracker: FileTracker,
  file: {
    readonly canonical: string;
    readonly path: string;
    readonly text: string;
    readonly action: string;
  },
): Promise<string | undefined> {
  const { canonical, path, text, action } = file;
  switch (tracker.status(canonical, text)) {
    case "current":
      return undefined;
    case "unread":
      return `Cannot ${action} "${path}": you have not read it; read it with read_file first`;
    case "changed": {
      const before = tracker.lastSeen(canonical);
      const head =
        `Cannot ${action} "${path}": it has changed since you last saw it; nothing was ` +
        "written, read it again with read_file";
      if (before === undefined) return head;
      const diff = await unifiedDiff(path, { before, after: text });
      const shown = headUnits(diff, MAX_SHOWN_UNITS);
      const rest = shown.length < diff.length ? "\n(more changes follow)" : "";
      return `${head}. What has changed:\n${
        frame({ path, diff: "since your last read" }, shown)
      }${rest}`;
    }
  }
}
