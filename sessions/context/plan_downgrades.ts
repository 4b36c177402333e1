import type { SessionLog } from "../session_log.ts";
import type { Conversation, Piece } from "./conversation.ts";
import { type Downgrade, downgradesOf } from "./downgraded.ts";

/** A downgrade has to save this part of a piece to be worth a change. */
const MIN_SAVED_PART = 0.2;
/** A downgrade has to save this much, in average characters. */
const MIN_SAVED_WEIGHT = 60;

/** Options of {@linkcode planDowngrades}. */
export interface PlanDowngradesOptions {
  readonly log: SessionLog;
  /** The pieces that are out of sight already, by entry. */
  readonly evicted: ReadonlySet<string>;
  /** The weight now, and the one to get down to, in average characters. */
  readonly weight: number;
  readonly target: number;
}

/** What to stamp, and the weight that is left then. */
export interface DowngradePlan {
  readonly downgrades: readonly Downgrade[];
  readonly weight: number;
}

/**
 * Walks from the oldest turn to the latest, first from Full to Outlined, then to Summarized, until
 * the target is reached: what is old gets coarse, what is recent stays. Inside a turn the largest
 * savings come first, in the latest turn the oldest messages. Nothing protected is touched.
 */
export function planDowngrades(
  conversation: Conversation,
  options: PlanDowngradesOptions,
): DowngradePlan {
  const { evicted, target, log } = options;
  const open = conversation.pieces.filter((piece) =>
    !piece.isProtected && !evicted.has(piece.entryId)
  );
  const planned = new Map<string, Downgrade>();
  let weight = options.weight;
  for (const level of ["outlined", "summarized"] as const) {
    for (const turn of turnsOf(open)) {
      if (weight <= target) break;
      for (const { piece, downgrade, saved } of savingsOf(turn, level)) {
        if (weight <= target) break;
        planned.set(piece.entryId, downgrade);
        weight -= saved;
      }
    }
  }
  return { downgrades: [...planned.values()], weight };

  function savingsOf(turn: readonly Piece[], level: "outlined" | "summarized") {
    const savings = turn.flatMap((piece) => {
      if (!canGoTo(piece, level)) return [];
      const before = planned.get(piece.entryId)?.weight ?? piece.weight;
      if (before < MIN_SAVED_WEIGHT) return [];
      const downgrade = downgradesOf(piece, log)?.[level];
      if (downgrade === undefined) return [];
      const saved = before - downgrade.weight;
      const isWorthIt = saved >= MIN_SAVED_WEIGHT && saved >= before * MIN_SAVED_PART;
      return isWorthIt ? [{ piece, downgrade, saved }] : [];
    });
    const isLatest = turn[0]?.turn === conversation.lastTurn;
    return isLatest ? savings : savings.sort((a, b) => b.saved - a.saved);
  }
}

function canGoTo(piece: Piece, level: "outlined" | "summarized"): boolean {
  if (piece.resolution.level === "Full") return true;
  return level === "summarized" && piece.resolution.level === "Outlined";
}

function turnsOf(pieces: readonly Piece[]): Piece[][] {
  const turns: Piece[][] = [];
  for (const piece of pieces) {
    const last = turns.at(-1);
    if (last?.[0]?.turn === piece.turn) last.push(piece);
    else turns.push([piece]);
  }
  return turns;
}
