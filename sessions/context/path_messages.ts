import type { Entry, Resolution, StoredMessage } from "../entry.ts";
import { defaultResolution, renderEntry } from "./render_entry.ts";
import { revealedEntries } from "./revealed_entries.ts";

/** A message of the active path, as it is shown at its entry's resolution. */
export interface PathMessage {
  readonly entryId: string;
  readonly message: StoredMessage;
  readonly resolution: Resolution;
}

/**
 * The messages of a path, in the order in which a model reads them: a compaction stands where the
 * part begins that it kept, every other entry where it is. What was compacted into an entry that is
 * not on the path, since the branch was moved back, is shown again, as is what a pin brings back.
 */
export function renderPath(
  path: readonly Entry[],
  stamps: ReadonlyMap<string, Resolution>,
): PathMessage[] {
  const messages: PathMessage[] = [];
  const compactions = path.filter((entry) => entry.payload.type === "Compaction");
  const compactionIds = new Set(compactions.map((entry) => entry.id));
  const revealed = compactions.length === 0 ? undefined : revealedEntries(path, stamps);
  const moved = compactions.length === 0 ? undefined : compactionsByFirstKept(path, compactions);
  for (const entry of path) {
    const before = moved?.get(entry.id);
    if (before !== undefined) { for (const compaction of before) add(compaction); }
    if (moved === undefined || !isMoved(entry, moved)) add(entry);
  }
  return messages;

  function add(entry: Entry): void {
    const resolution = resolutionOf(entry);
    const message = renderEntry(entry, resolution);
    if (message !== undefined) messages.push({ entryId: entry.id, message, resolution });
  }

  function resolutionOf(entry: Entry): Resolution {
    const stamp = stamps.get(entry.id);
    const isVoid = stamp?.level === "Compacted" &&
      (!compactionIds.has(stamp.into) || revealed?.has(entry.id) === true);
    return stamp === undefined || isVoid ? defaultResolution(entry.payload) : stamp;
  }
}

/** Compactions by the entry that they are shown before. */
function compactionsByFirstKept(
  path: readonly Entry[],
  compactions: readonly Entry[],
): Map<string, Entry[]> {
  const onPath = new Set(path.map((entry) => entry.id));
  const moved = new Map<string, Entry[]>();
  for (const entry of compactions) {
    const firstKept = firstKeptOf(entry);
    if (firstKept === null || !onPath.has(firstKept)) continue;
    moved.set(firstKept, [...moved.get(firstKept) ?? [], entry]);
  }
  return moved;
}

function firstKeptOf(entry: Entry): string | null {
  return entry.payload.type === "Compaction" ? entry.payload.compaction.first_kept : null;
}

function isMoved(entry: Entry, moved: ReadonlyMap<string, readonly Entry[]>): boolean {
  const firstKept = firstKeptOf(entry);
  return firstKept !== null && (moved.get(firstKept)?.includes(entry) ?? false);
}
