import type { SessionLog } from "../session_log.ts";
import type { Branch } from "./branch.ts";
import type { Conversation, Piece } from "./conversation.ts";

/**
 * What fitting took out of sight, by log and branch. Nothing is stored of it: a session that is
 * opened again has no warm cache to protect and is fitted anew.
 */
const EVICTED = new WeakMap<SessionLog, Map<string, Set<string>>>();

const NONE: ReadonlySet<string> = new Set();

/**
 * The ids of the entries that are out of sight on a branch. What is protected now, since the branch
 * was moved back or an entry was pinned, is in sight again with everything of its iteration.
 */
export function evictedEntries(branch: Branch, conversation: Conversation): ReadonlySet<string> {
  const evicted = EVICTED.get(branch.log)?.get(branch.cursorId);
  if (evicted === undefined) return NONE;
  const kept = keptIterations(conversation.pieces);
  const isGone = (piece: Piece) => evicted.has(piece.entryId) && isEvictable(piece, kept);
  return new Set(conversation.pieces.filter(isGone).map((piece) => piece.entryId));
}

/** The iterations that hold something protected: they stay whole. */
export function keptIterations(pieces: readonly Piece[]): ReadonlySet<number> {
  const kept = new Set<number>();
  for (const { iteration, isProtected } of pieces) {
    if (isProtected && iteration !== undefined) kept.add(iteration);
  }
  return kept;
}

/** Whether a piece may go out of sight. */
export function isEvictable(piece: Piece, kept: ReadonlySet<number>): boolean {
  return !piece.isProtected && (piece.iteration === undefined || !kept.has(piece.iteration));
}

/** Takes entries out of sight. */
export function evictEntries(branch: Branch, entryIds: readonly string[]): void {
  let cursors = EVICTED.get(branch.log);
  if (cursors === undefined) EVICTED.set(branch.log, cursors = new Map());
  const evicted = cursors.get(branch.cursorId) ?? new Set<string>();
  for (const id of entryIds) evicted.add(id);
  cursors.set(branch.cursorId, evicted);
}
