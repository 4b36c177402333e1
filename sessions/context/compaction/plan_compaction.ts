import type { Conversation, Piece } from "../conversation.ts";

/** How many turns a compaction keeps unless told otherwise. */
export const KEPT_TURNS = 4;

/** Options of {@linkcode planCompaction}. */
export interface PlanCompactionOptions {
  /** How many of the latest turns stay. */
  readonly keepTurns: number;
  /** What the kept part may weigh, in average characters, before it is cut further. */
  readonly maxTailWeight: number;
}

/** What a compaction would stand for. */
export interface CompactionRange {
  readonly pieces: readonly Piece[];
  /** The entry that the summary is shown before. */
  readonly firstKept: string;
}

/**
 * What to compact: everything between the first request and the kept tail, except what is pinned
 * and the request that is being worked on. The tail begins where a call and its result are not
 * parted. `undefined` when there is nothing to compact.
 */
export function planCompaction(
  conversation: Conversation,
  options: PlanCompactionOptions,
): CompactionRange | undefined {
  const { pieces } = conversation;
  const tailStart = tailStartOf(conversation, options);
  const firstKept = pieces[tailStart];
  if (firstKept === undefined) return undefined;
  const first = pieces.findIndex((piece) => piece.isRequest);
  const pinned = pinnedIterations(pieces);
  const range = pieces.slice(first + 1, tailStart).filter((piece) => {
    if (piece.isCompaction) return piece.resolution.level !== "Pinned";
    if (piece.resolution.level === "Pinned" || piece.isRequest && piece.isProtected) return false;
    return piece.iteration === undefined || !pinned.has(piece.iteration);
  });
  const isMore = range.some((piece) => !piece.isCompaction);
  return isMore ? { pieces: range, firstKept: firstKept.entryId } : undefined;
}

function tailStartOf(
  { pieces, lastTurn }: Conversation,
  { keepTurns, maxTailWeight }: PlanCompactionOptions,
): number {
  const firstTurn = lastTurn - keepTurns + 1;
  let start = pieces.findIndex((piece) => piece.turn >= firstTurn);
  if (start < 0) start = pieces.length - 1;
  let weight = pieces.slice(start).reduce((sum, piece) => sum + piece.weight, 0);
  const last = lastCut(pieces);
  let at = start;
  while (weight > maxTailWeight && at < last) {
    weight -= pieces[at]?.weight ?? 0;
    at += 1;
    if (isCut(pieces[at])) start = at;
  }
  return start;
}

/** The latest place to cut: the beginning of the latest iterations, which stay whatever they weigh. */
function lastCut(pieces: readonly Piece[]): number {
  const at = pieces.findIndex((piece) =>
    piece.iteration !== undefined && piece.isProtected &&
    piece.resolution.level !== "Pinned"
  );
  return at < 0 ? pieces.length - 1 : at;
}

/** Whether no call is parted from its result before this piece. */
function isCut(piece: Piece | undefined): boolean {
  return piece !== undefined && piece.message.role !== "tool";
}

function pinnedIterations(pieces: readonly Piece[]): Set<number> {
  const pinned = new Set<number>();
  for (const { iteration, resolution } of pieces) {
    if (iteration !== undefined && resolution.level === "Pinned") pinned.add(iteration);
  }
  return pinned;
}
