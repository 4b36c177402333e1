import { unreachable } from "../../core/base/errors.ts";
import type { Entry, EntryPayload, Resolution, StoredMessage } from "../entry.ts";
import { renderCompaction } from "./render_compaction.ts";

const FULL: Resolution = { level: "Full" };
const ATTACHED: Resolution = { level: "Attached" };

/** How an entry is shown when its cursor has no stamp for it. */
export function defaultResolution(payload: EntryPayload): Resolution {
  switch (payload.type) {
    case "Message":
    case "Compaction":
    case "BranchSummary":
    case "CustomMessage":
      return FULL;
    case "Custom":
    case "ModelChange":
    case "Label":
    case "SessionInfo":
    case "LeafMoved":
    case "SessionEnded":
    case "Unknown":
      return ATTACHED;
    default:
      return unreachable(payload);
  }
}

/**
 * The message that an entry is in the model's context, or `undefined` when it is not in it.
 * Compactions, branch summaries and custom messages are user messages there.
 */
export function renderEntry(entry: Entry, resolution: Resolution): StoredMessage | undefined {
  const message = fullMessage(entry.payload);
  if (message === undefined) return undefined;
  switch (resolution.level) {
    case "Full":
    case "Pinned":
      return message;
    case "Compacted":
      return undefined;
    case "Attached":
      return { ...message, content: mention(message) };
    case "Outlined":
      return { ...message, content: resolution.outline };
    case "Summarized":
      return { ...message, content: resolution.summary };
    default:
      return unreachable(resolution);
  }
}

function fullMessage(payload: EntryPayload): StoredMessage | undefined {
  switch (payload.type) {
    case "Message":
      return payload.message;
    case "Compaction":
      return { role: "user", content: renderCompaction(payload.compaction) };
    case "BranchSummary":
      return {
        role: "user",
        content: `[Summary of another branch of this conversation]\n${payload.summary}`,
      };
    case "CustomMessage":
      return { role: "user", content: payload.content };
    default:
      return undefined;
  }
}

function mention(message: StoredMessage): string {
  const what = message.role === "tool" ? "tool result" : `${message.role} message`;
  return `[${what} of ${message.content.length} characters, not shown]`;
}
