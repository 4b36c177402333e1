import type { Entry, Resolution, StoredToolCall } from "../entry.ts";
import type { SessionLog } from "../session_log.ts";
import type { Piece } from "./conversation.ts";
import { weighStored } from "./message_weight.ts";
import { callArguments, type ResultOutline } from "./outline/outline_input.ts";
import { outlineResult, outlineText } from "./outline/outline_result.ts";
import { renderEntry } from "./render_entry.ts";

/** A lower resolution of a piece and what it weighs there. */
export interface Downgrade {
  readonly entryId: string;
  readonly resolution: Resolution;
  readonly weight: number;
}

interface Levels {
  readonly outlined: Downgrade;
  readonly summarized: Downgrade;
}

/** Entries never change, so each one is outlined once. */
const LEVELS = new WeakMap<Entry, Levels>();

/** A piece at the two lower resolutions; `undefined` when its entry is not in the log. */
export function downgradesOf(piece: Piece, log: SessionLog): Levels | undefined {
  const entry = log.get(piece.entryId);
  if (entry === undefined) return undefined;
  const known = LEVELS.get(entry);
  if (known !== undefined) return known;
  const { outline, summary } = outlineOf(entry, piece.call);
  const levels: Levels = {
    outlined: at(entry, { level: "Outlined", outline: outline.toWellFormed() }),
    summarized: at(entry, { level: "Summarized", summary: summary.toWellFormed() }),
  };
  LEVELS.set(entry, levels);
  return levels;
}

/** The outlines of an entry's full text. */
function outlineOf(entry: Entry, call: StoredToolCall | undefined): ResultOutline {
  const message = renderEntry(entry, { level: "Full" });
  const content = message?.content ?? "";
  if (message?.role !== "tool") return outlineText(content);
  return outlineResult({
    name: call?.function.name ?? "tool",
    args: callArguments(call?.function.arguments ?? "{}"),
    content,
    isError: message.is_error === true,
  });
}

function at(entry: Entry, resolution: Resolution): Downgrade {
  const message = renderEntry(entry, resolution);
  const weight = message === undefined ? 0 : weighStored(message, { withReasoning: false });
  return { entryId: entry.id, resolution, weight };
}
