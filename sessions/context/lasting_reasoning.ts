import type { StoredReasoning } from "../entry.ts";

/** What of a message's reasoning is sent in later turns: the items that only its model can read. */
export function lastingReasoning(
  reasoning: StoredReasoning | undefined,
): StoredReasoning | undefined {
  if (reasoning?.items === undefined || reasoning.items.length === 0) return undefined;
  const { items, model } = reasoning;
  return { text: "", items, ...(model === undefined ? {} : { model }) };
}
