import type { Resolution, StoredMessage, StoredToolCall } from "../entry.ts";
import type { SessionLog } from "../session_log.ts";
import { weighStored } from "./message_weight.ts";
import type { PathMessage } from "./path_messages.ts";

/** A message of the path as fitting looks at it. */
export interface Piece {
  /** Its place in the rendered path. */
  readonly index: number;
  readonly entryId: string;
  readonly message: StoredMessage;
  readonly resolution: Resolution;
  /** In average characters, as rendered now. */
  readonly weight: number;
  /** Counts the requests of the user; what comes before the first one belongs to 0. */
  readonly turn: number;
  /** Counts model responses; a result belongs to the one it answers, a user message to none. */
  readonly iteration: number | undefined;
  /** The call that a result answers. */
  readonly call?: StoredToolCall;
  /** What a person said, and no summary or note of rho. */
  readonly isRequest: boolean;
  /** A compaction's summary. */
  readonly isCompaction: boolean;
  /** Neither downgraded nor evicted. */
  readonly isProtected: boolean;
}

/** The rendered path, taken apart into turns and iterations. */
export interface Conversation {
  /** Without the system message. */
  readonly pieces: readonly Piece[];
  /** The number of the latest turn. */
  readonly lastTurn: number;
  /** The index in the path of the message that began the latest turn; -1 when there is none. */
  readonly turnStart: number;
  /** The sum of all weights. */
  readonly weight: number;
}

/** How many of the latest iterations are never touched. */
const PROTECTED_ITERATIONS = 2;

type Draft = { -readonly [Key in keyof Piece]: Piece[Key] };

/** Takes a rendered path apart. */
export function readConversation(path: readonly PathMessage[], log: SessionLog): Conversation {
  const pieces = draftPieces(path, log);
  const requests = pieces.filter((piece) => piece.isRequest);
  const turnStart = requests.findLast((piece) => startsTurn(piece, path))?.index ?? -1;
  const lastRequest = requests.at(-1)?.index ?? -1;
  const firstKept = firstKeptIndex(pieces);
  let weight = 0;
  for (const piece of pieces) {
    piece.isProtected = piece.index >= firstKept || piece.isCompaction ||
      piece.resolution.level === "Pinned" || piece === requests[0] ||
      piece.index === turnStart || piece.index === lastRequest;
    piece.weight = weighStored(piece.message, { withReasoning: piece.index > lastRequest });
    weight += piece.weight;
  }
  return { pieces, lastTurn: pieces.at(-1)?.turn ?? 0, turnStart, weight };
}

function draftPieces(path: readonly PathMessage[], log: SessionLog): Draft[] {
  const pieces: Draft[] = [];
  let turn = 0;
  let iteration = -1;
  let calls: readonly StoredToolCall[] = [];
  path.forEach(({ entryId, message, resolution }, index) => {
    if (index === 0 && message.role === "system") return;
    const type = log.get(entryId)?.payload.type;
    const isRequest = message.role === "user" && type === "Message";
    if (isRequest && startsTurn({ index }, path)) turn += 1;
    if (message.role === "assistant") {
      iteration += 1;
      calls = message.tool_calls ?? [];
    }
    const answered = message.role === "tool" ? message.tool_call_id : undefined;
    const call = answered === undefined ? undefined : calls.find(({ id }) => id === answered);
    pieces.push({
      index,
      entryId,
      message,
      resolution,
      weight: 0,
      turn,
      iteration: message.role === "assistant" || message.role === "tool" ? iteration : undefined,
      ...(call === undefined ? {} : { call }),
      isRequest,
      isCompaction: type === "Compaction",
      isProtected: false,
    });
  });
  return pieces;
}

/** Whether a request begins a turn; one behind tool results steers the turn that runs. */
function startsTurn({ index }: { readonly index: number }, path: readonly PathMessage[]): boolean {
  return path[index - 1]?.message.role !== "tool";
}

/** Where the latest iterations begin: everything from there on stays as it is. */
function firstKeptIndex(pieces: readonly Piece[]): number {
  let left = PROTECTED_ITERATIONS;
  for (let i = pieces.length - 1; i >= 0; i--) {
    const piece = pieces[i];
    if (piece?.message.role === "assistant" && --left === 0) return piece.index;
  }
  return pieces.find((piece) => piece.message.role === "assistant")?.index ?? Infinity;
}
