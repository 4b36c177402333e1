import { unreachable } from "../../core/base/errors.ts";
import type { Entry, EntryPayload, Resolution, StoredMessage } from "../entry.ts";
import { renderCompaction } from "./render_compaction.ts";
import { shrinkCall } from "./shrink_arguments.ts";

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

/** The longest value of a call's arguments that stays, in UTF-16 units, by resolution. */
const OUTLINED_VALUE_UNITS = 240;
const SUMMARIZED_VALUE_UNITS = 80;

interface Rendered {
  readonly resolution: Resolution;
  readonly message: StoredMessage | undefined;
}

/** Entries never change, so each one is rendered once for the resolution that it has. */
const RENDERED = new WeakMap<Entry, Rendered>();

/**
 * The message that an entry is in the model's context, or `undefined` when it is not in it.
 * Compactions, branch summaries and custom messages are user messages there.
 */
export function renderEntry(entry: Entry, resolution: Resolution): StoredMessage | undefined {
  const known = RENDERED.get(entry);
  if (known?.resolution === resolution) return known.message;
  const message = renderAt(entry.payload, resolution);
  RENDERED.set(entry, { resolution, message });
  return message;
}

function renderAt(payload: EntryPayload, resolution: Resolution): StoredMessage | undefined {
  const message = fullMessage(payload);
  if (message === undefined) return undefined;
  switch (resolution.level) {
    case "Full":
    case "Pinned":
      return message;
    case "Compacted":
      return undefined;
    case "Attached":
      return payload.type === "Message" ? { ...message, content: mention(message) } : undefined;
    case "Outlined":
      return shortened(message, resolution.outline, OUTLINED_VALUE_UNITS);
    case "Summarized":
      return shortened(message, resolution.summary, SUMMARIZED_VALUE_UNITS);
    default:
      return unreachable(resolution);
  }
}

/** A message with another text, and its calls with their longer values left out. */
export function shortened(
  message: StoredMessage,
  content: string,
  maxValueUnits: number,
): StoredMessage {
  if (message.role !== "assistant") return { ...message, content };
  const { reasoning: _reasoning, tool_calls, ...rest } = message;
  return {
    ...rest,
    content,
    ...(tool_calls === undefined
      ? {}
      : { tool_calls: tool_calls.map((call) => shrinkCall(call, maxValueUnits)) }),
  };
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
