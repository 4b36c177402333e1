import type { Cursor } from "./cursor.ts";
import type { Entry } from "./entry.ts";
import { historyLines, historyOf, type HistoryOptions } from "./history.ts";

/** The most requests that a summary shows; of more, the first and the last ones. */
const MAX_ITEMS = 30;

/** How many of the first requests stay when there are too many. */
const FIRST_ITEMS = 5;

/** The entries of a cursor's path that moving to another entry leaves behind, oldest first. */
export function entriesLeftBehind(cursor: Cursor, target: string): Entry[] {
  const kept = new Set<string>();
  for (let at = cursor.log.get(target); at !== undefined && !kept.has(at.id);) {
    kept.add(at.id);
    at = at.parentId === null ? undefined : cursor.log.get(at.parentId);
  }
  return cursor.livePath.filter((entry) => !kept.has(entry.id));
}

/**
 * What happened on a branch, put together without a model: the same entries always give the same
 * text. `undefined` when nobody asked for anything there.
 */
export function summariseBranch(
  entries: readonly Entry[],
  options: HistoryOptions,
): string | undefined {
  const items = historyOf(entries, options);
  if (items.length === 0) return undefined;
  const requests = items.length === 1 ? "1 request" : `${items.length} requests`;
  const parts = [
    `Another branch of this conversation was left behind after ${requests}. ` +
    "Files it changed stay changed.",
  ];
  const lastItems = items.length - (MAX_ITEMS - FIRST_ITEMS);
  items.forEach((item, index) => {
    const isShown = items.length <= MAX_ITEMS || index < FIRST_ITEMS || index >= lastItems;
    if (isShown) parts.push(`${index + 1}. ${historyLines(item).join("\n   ")}`);
    else if (index === FIRST_ITEMS) parts.push(`… ${lastItems - FIRST_ITEMS} requests left out`);
  });
  return parts.join("\n");
}
