import { headUnits, makeVisible } from "../base/text.ts";
import type { SessionSummary } from "../../sessions/session_store.ts";

/** Options of {@linkcode sessionsTable}. */
export interface SessionsTableOptions {
  /** Milliseconds since the Unix epoch, for ages. */
  readonly nowMs: number;
  /** Whether to show the folder of each session's project. */
  readonly withFolder?: boolean;
}

/** The most of a title or first prompt that is shown, in UTF-16 units. */
const MAX_TITLE_UNITS = 60;

const HEADS = ["ID", "CHANGED", "ENTRIES", "SIZE", "TITLE OR FIRST PROMPT", "FOLDER"] as const;

/** Columns whose cells end at the same place: numbers. */
const RIGHT_COLUMNS: ReadonlySet<number> = new Set([2, 3]);

/** Sessions as lines for a person, line breaks included. */
export function sessionsTable(
  sessions: readonly SessionSummary[],
  options: SessionsTableOptions,
): string {
  const columns = options.withFolder === true ? HEADS.length : HEADS.length - 1;
  const rows = [
    [...HEADS],
    ...sessions.map((session) => [
      session.id,
      ageOf(options.nowMs - session.mtimeSecs * 1000),
      String(session.entryCount),
      sizeOf(session.sizeKb),
      titleOf(session),
      safe(session.cwd),
    ]),
  ].map((row) => row.slice(0, columns));
  const widths = HEADS.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length))
  );
  return rows.map((row) => `${lineOf(row, widths)}\n`).join("");
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return RIGHT_COLUMNS.has(column) ? cell.padStart(width) : cell.padEnd(width);
  }).join("  ").trimEnd();
}

function titleOf({ title, firstPrompt }: SessionSummary): string {
  const text = title ?? firstPrompt ?? "";
  const head = headUnits(text, MAX_TITLE_UNITS);
  return safe(head.length < text.length ? `${head}…` : head);
}

/** A text from a file, on one line, so that it can neither move the cursor nor fake a row. */
function safe(text: string): string {
  return makeVisible(text).replace(/[\n\t]+/g, " ");
}

/** How long ago something was: the largest unit that gives at least 1. */
export function ageOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

/** A size for a person. */
export function sizeOf(sizeKb: number): string {
  return sizeKb < 1024 ? `${sizeKb} KB` : `${(sizeKb / 1024).toFixed(1)} MB`;
}
