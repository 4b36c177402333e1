import type { Entry, Resolution } from "../entry.ts";

/**
 * The compacted entries that are shown all the same, because a message of their iteration is
 * pinned: a result without its call, or a call without its result, could not be sent.
 */
export function revealedEntries(
  path: readonly Entry[],
  stamps: ReadonlyMap<string, Resolution>,
): ReadonlySet<string> {
  const revealed = new Set<string>();
  let iteration: string[] = [];
  for (const { id, payload } of path) {
    if (payload.type !== "Message") continue;
    const { role } = payload.message;
    if (role === "tool") iteration.push(id);
    else {
      reveal();
      iteration = role === "assistant" ? [id] : [];
    }
  }
  reveal();
  return revealed;

  function reveal(): void {
    if (!iteration.some((id) => stamps.get(id)?.level === "Pinned")) return;
    for (const id of iteration) {
      if (stamps.get(id)?.level === "Compacted") revealed.add(id);
    }
  }
}
