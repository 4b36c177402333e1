import { utf8Length } from "../../core/base/text.ts";
import { boundOutput } from "../bound_output.ts";
import type { StoredMessage } from "../entry.ts";
import type { SessionLog } from "../session_log.ts";
import type { Conversation, Piece } from "./conversation.ts";
import { type Downgrade, downgradesOf } from "./downgraded.ts";
import { weighStored } from "./message_weight.ts";

/** No result is bounded below this, in average characters. */
const MIN_RESULT_WEIGHT = 400;
/** How often a bound is lowered until a text of heavy characters fits. */
const MAX_ATTEMPTS = 6;

/** Options of {@linkcode boundLatest}. */
export interface BoundLatestOptions {
  readonly log: SessionLog;
  /** The weight now, and the most it may be, in average characters. */
  readonly weight: number;
  readonly target: number;
  /** What was stamped in the same plan. */
  readonly planned: ReadonlyMap<string, Downgrade>;
}

/**
 * The last resort before giving up: the largest of the latest results are cut to one common size,
 * then calls with long arguments are shown shortened, then results with an outline only.
 */
export function boundLatest(
  conversation: Conversation,
  options: BoundLatestOptions,
): { readonly downgrades: readonly Downgrade[]; readonly weight: number } {
  const latest = conversation.pieces.filter((piece) =>
    piece.isProtected && piece.resolution.level !== "Pinned" && piece.iteration !== undefined
  );
  const chosen = new Map<string, Downgrade>();
  let weight = options.weight;
  const results = latest.filter((piece) => piece.message.role === "tool");
  const size = commonSize(results, options.weight - options.target);
  for (const piece of results) {
    if (weight <= options.target) break;
    if (piece.weight > size) take(piece, bounded(piece, size));
  }
  for (const piece of latest) {
    if (weight <= options.target) break;
    if (piece.message.role === "assistant") take(piece, downgradesOf(piece, options.log)?.outlined);
  }
  for (const level of ["outlined", "summarized"] as const) {
    for (const piece of latest) {
      if (weight <= options.target) break;
      take(piece, downgradesOf(piece, options.log)?.[level]);
    }
  }
  return { downgrades: [...chosen.values()], weight };

  function take(piece: Piece, downgrade: Downgrade | undefined): void {
    const before = chosen.get(piece.entryId)?.weight ?? piece.weight;
    if (downgrade === undefined || downgrade.weight >= before) return;
    chosen.set(piece.entryId, downgrade);
    weight -= before - downgrade.weight;
  }
}

/** The size that the larger ones are cut to, so that together they save what has to be saved. */
function commonSize(results: readonly Piece[], excess: number): number {
  const weights = results.map((piece) => piece.weight).sort((a, b) => b - a);
  let sum = 0;
  for (const [index, weight] of weights.entries()) {
    sum += weight;
    const size = (sum - excess) / (index + 1);
    if (size >= (weights[index + 1] ?? 0)) return Math.max(size, MIN_RESULT_WEIGHT);
  }
  return MIN_RESULT_WEIGHT;
}

function bounded(piece: Piece, size: number): Downgrade | undefined {
  const { message } = piece;
  const overhead = piece.weight / Math.max(utf8Length(message.content), 1);
  let maxBytes = Math.floor(size / Math.max(overhead, 0.01));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { text } = boundOutput(message.content, {
      maxBytes,
      howToRead: () => "the context window is full; ask for less at once",
    });
    const weight = weighStored({ ...message, content: text } as StoredMessage, {
      withReasoning: false,
    });
    if (weight <= size || maxBytes < 200) {
      const resolution = { level: "Outlined", outline: text } as const;
      return { entryId: piece.entryId, resolution, weight };
    }
    maxBytes = Math.floor(maxBytes * 0.75);
  }
  return undefined;
}
