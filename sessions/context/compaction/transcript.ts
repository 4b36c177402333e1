import type { Entry, StoredToolCall } from "../../entry.ts";
import { clipLine, clipMiddle } from "../outline/clip.ts";
import { callArguments } from "../outline/outline_input.ts";
import { outlineResult } from "../outline/outline_result.ts";
import { textWeight } from "../text_weight.ts";

/** Options of {@linkcode transcript}. */
export interface TranscriptOptions {
  /** The most that one piece may weigh, in average characters. */
  readonly maxWeight: number;
  /** The most pieces; of what does not fit into them the oldest is left out. */
  readonly maxPieces: number;
}

interface Detail {
  readonly userUnits: number;
  readonly assistantUnits: number;
  readonly callUnits: number;
  readonly result: "outline" | "summary";
}

/** From generous to frugal; the first that fits into the pieces is taken. */
const DETAILS: readonly Detail[] = [
  { userUnits: 6000, assistantUnits: 2000, callUnits: 400, result: "outline" },
  { userUnits: 2000, assistantUnits: 600, callUnits: 160, result: "summary" },
  { userUnits: 500, assistantUnits: 160, callUnits: 80, result: "summary" },
];

/** Entries as text for a model to summarise, in pieces that fit its window. */
export function transcript(entries: readonly Entry[], options: TranscriptOptions): string[] {
  const { maxWeight, maxPieces } = options;
  if (maxWeight <= 0) return [];
  let pieces: string[] = [];
  for (const detail of DETAILS) {
    pieces = intoPieces(transcriptLines(entries, detail), maxWeight);
    if (pieces.length <= maxPieces) return pieces;
  }
  return pieces.slice(-maxPieces);
}

function transcriptLines(entries: readonly Entry[], detail: Detail): string[] {
  const calls = new Map<string, StoredToolCall>();
  return entries.flatMap(({ payload }) => {
    if (payload.type === "CustomMessage") return [`Note: ${clipLine(payload.content, 200)}`];
    if (payload.type !== "Message") return [];
    const { message } = payload;
    switch (message.role) {
      case "system":
        return [];
      case "user":
        return [`User: ${clipMiddle(message.content, { maxUnits: detail.userUnits })}`];
      case "assistant":
        for (const call of message.tool_calls ?? []) calls.set(call.id, call);
        return [
          ...(message.content.trim() === ""
            ? []
            : [`Agent: ${clipMiddle(message.content, { maxUnits: detail.assistantUnits })}`]),
          ...(message.tool_calls ?? []).map((call) =>
            `Agent calls ${call.function.name} ${
              clipLine(call.function.arguments, detail.callUnits)
            }`
          ),
        ];
      case "tool": {
        const call = calls.get(message.tool_call_id);
        const { [detail.result]: text } = outlineResult({
          name: call?.function.name ?? "tool",
          args: callArguments(call?.function.arguments ?? "{}"),
          content: message.content,
          isError: message.is_error === true,
        });
        return [`Result: ${text}`];
      }
    }
  });
}

function intoPieces(lines: readonly string[], maxWeight: number): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let weight = 0;
  for (const line of lines) {
    const own = textWeight(line) + 2;
    if (weight + own > maxWeight && piece.length > 0) {
      pieces.push(piece.join("\n"));
      piece = [];
      weight = 0;
    }
    // Half a line that no piece has room for is better than a request that is refused.
    const fitting = own <= maxWeight
      ? line
      : clipMiddle(line, { maxUnits: Math.max(Math.floor(line.length * maxWeight / own) - 64, 0) });
    piece.push(fitting);
    weight += textWeight(fitting) + 2;
  }
  if (piece.length > 0) pieces.push(piece.join("\n"));
  return pieces;
}
