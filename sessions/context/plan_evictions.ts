import type { Conversation, Piece } from "./conversation.ts";
import { isEvictable, keptIterations } from "./evicted_entries.ts";

/** Options of {@linkcode planEvictions}. */
export interface PlanEvictionsOptions {
  /** The pieces that are out of sight already, by entry. */
  readonly evicted: ReadonlySet<string>;
  /** The weight now, and the one to get down to, in average characters. */
  readonly weight: number;
  readonly target: number;
  /** What a piece weighs now, when that is not what it was rendered with. */
  readonly weightOf: (piece: Piece) => number;
}

/** What goes out of sight, and the weight that is left then. */
export interface EvictionPlan {
  readonly entryIds: readonly string[];
  readonly weight: number;
}

/**
 * Takes whole turns out of sight, oldest first, until the target is reached; of the latest turn,
 * whole iterations. What is protected stays, and with a pinned call or result everything of its
 * iteration, so that no call loses its result and no result its call.
 */
export function planEvictions(
  conversation: Conversation,
  options: PlanEvictionsOptions,
): EvictionPlan {
  const { evicted, target } = options;
  const entryIds: string[] = [];
  let weight = options.weight;
  const kept = keptIterations(conversation.pieces);
  for (const unit of unitsOf(conversation)) {
    if (weight <= target) break;
    for (const piece of unit) {
      if (evicted.has(piece.entryId) || !isEvictable(piece, kept)) continue;
      entryIds.push(piece.entryId);
      weight -= options.weightOf(piece);
    }
  }
  return { entryIds, weight };
}

/** What goes at once: a turn, or an iteration of the latest turn. */
function unitsOf({ pieces, lastTurn }: Conversation): Piece[][] {
  const units: Piece[][] = [];
  let last: string | undefined;
  for (const piece of pieces) {
    const unit = piece.turn === lastTurn
      ? `${piece.turn} ${piece.iteration ?? ""}`
      : `${piece.turn}`;
    if (unit === last) units.at(-1)?.push(piece);
    else units.push([piece]);
    last = unit;
  }
  return units;
}
