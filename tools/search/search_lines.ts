import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { SandboxError } from "../../core/security/sandbox_error.ts";
import { splitLines, type TextLine } from "../files/text_lines.ts";
import type { LineMatcher } from "./line_matcher.ts";
import { type TextPiece, textPieces } from "./text_pieces.ts";
import type { TimeSlices } from "./time_slices.ts";

/** A line of a result. */
export interface FoundLine {
  /** From 1. */
  readonly number: number;
  /** The whole line, without its ending. */
  readonly text: string;
  /** Where the match starts, in UTF-16 units from 0; -1 for a line of context. */
  readonly at: number;
}

/** Options of {@linkcode searchLines}. */
export interface SearchLinesOptions {
  readonly sandbox: SandboxRoot;
  readonly matcher: LineMatcher;
  readonly slices: TimeSlices;
  /** How many lines to give before and after a match. */
  readonly contextLines: number;
  /** From 0, which only finds out whether there is one. */
  readonly maxMatches: number;
}

/** What {@linkcode searchLines} has found. */
export interface FoundLines {
  readonly lines: readonly FoundLine[];
  /** Whether more lines match than were asked for. */
  readonly hasMore: boolean;
}

/**
 * The lines of a file that match, with those around them, in the order of the file. A file that
 * vanished, or was replaced by something else, has none.
 */
export async function searchLines(
  canonical: string,
  options: SearchLinesOptions,
): Promise<FoundLines> {
  const lines: FoundLine[] = [];
  let hasMore = false;
  let left = options.maxMatches;
  try {
    for (const piece of textPieces(options.sandbox, canonical)) {
      if (options.slices.isDue) await options.slices.rest();
      if (hasMore || options.slices.isOver) break;
      if (!options.matcher.mayMatch(piece.text)) continue;
      const matches = await matchesIn(piece, { ...options, maxMatches: left });
      hasMore = matches.size > left;
      const kept = hasMore ? new Map([...matches].slice(0, left)) : matches;
      left -= kept.size;
      for (const line of withContext(piece, kept, options)) lines.push(line);
    }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
  }
  return { lines, hasMore };
}

/** Where matches start, by the index of their line; one more than asked for if there is one. */
async function matchesIn(
  piece: TextPiece,
  { matcher, slices, maxMatches }: SearchLinesOptions,
): Promise<Map<number, number>> {
  const matches = new Map<number, number>();
  let index = 0;
  for (const line of splitLines(piece.text)) {
    if (slices.isDue) await slices.rest();
    if (slices.isOver) break;
    const at = matcher.find(lineText(piece, line));
    if (at >= 0) matches.set(index, at);
    if (matches.size > maxMatches) break;
    index += 1;
  }
  return matches;
}

function withContext(
  piece: TextPiece,
  matches: ReadonlyMap<number, number>,
  { contextLines }: { readonly contextLines: number },
): FoundLine[] {
  const lines = splitLines(piece.text);
  const found: FoundLine[] = [];
  let next = 0;
  for (const index of matches.keys()) {
    next = Math.max(next, index - contextLines);
    for (; next <= index + contextLines; next++) {
      const line = lines[next];
      if (line === undefined) break;
      const at = matches.get(next) ?? -1;
      found.push({ number: piece.firstLine + next, text: lineText(piece, line), at });
    }
  }
  return found;
}

function lineText({ text }: TextPiece, line: TextLine): string {
  return text.slice(line.start, line.end);
}
