import type { Entry, Resolution, StoredMessage } from "../entry.ts";
import { defaultResolution, renderEntry } from "./render_entry.ts";

/** A message of the active path, as it is shown at its entry's resolution. */
export interface PathMessage {
  readonly entryId: string;
  readonly message: StoredMessage;
  readonly resolution: Resolution;
}

/**
 * The messages of a path, in the order in which a model reads them: a compaction stands where the
 * part begins that it kept, every other entry where it is.
 */
export function renderPath(
  path: readonly Entry[],
  stamps: ReadonlyMap<string, Resolution>,
): PathMessage[] {
  const messages: PathMessage[] = [];
  const moved = compactionsByFirstKept(path);
  for (const entry of path) {
    const before = moved?.get(entry.id);
    if (before !== undefined) { for (const compaction of before) add(compaction); }
    if (moved === undefined || !isMoved(entry, moved)) add(entry);
  }
  return messages;

  function add(entry: Entry): void {
    const resolution = stamps.get(entry.id) ?? defaultResolution(entry.payload);
    const message = renderEntry(entry, resolution);
    if (message !== undefined) messages.push({ entryId: entry.id, message, resolution });
  }
}

/** Compactions by the entry that they are shown before, or `undefined` when there are none. */
function compactionsByFirstKept(path: readonly Entry[]): Map<string, Entry[]> | undefined {
  if (!path.some((entry) => entry.payload.type === "Compaction")) return undefined;
  const compactions = path.filter((entry) => entry.payload.type === "Compaction");
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
