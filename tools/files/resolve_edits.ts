import { type Anchor, isInformative } from "./anchors.ts";
import { findAnchor } from "./anchor_lookup.ts";
import { echoProblem } from "./echo_check.ts";
import type { Edit } from "./edit.ts";
import type { EditableText, Splice } from "./editable_text.ts";
import { findOnce } from "./old_text.ts";

/** An edit that found its place. Offsets are those of the view with line feeds only. */
export interface PlacedEdit {
  /** The number of the edit in the call, from 1. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly insert: string;
  /** Where the part ends that no other edit may touch: behind a line's ending for whole lines. */
  readonly claimEnd: number;
  /** Order at one place: what goes after a line, what goes before the next one, that line itself. */
  readonly rank: 0 | 1 | 2;
  /** The line that an insert hangs on. */
  readonly anchorLine?: number;
  /** The lines that a deletion takes away, both ends included. */
  readonly deletes?: readonly [number, number];
  readonly splice: Splice;
  /** Remarks for the model. */
  readonly notes: readonly string[];
}

/** An edit that cannot be applied. */
export interface EditFailure {
  readonly number: number;
  readonly message: string;
  /** Lines to show with fresh anchors, by index. */
  readonly around: readonly number[];
}

/** Every edit with its place, or everything that is wrong. */
export type ResolvedEdits =
  | { readonly type: "placed"; readonly edits: readonly PlacedEdit[] }
  | { readonly type: "failed"; readonly failures: readonly EditFailure[] };

type Found = number | { readonly message: string; readonly around: readonly number[] };
type Placing = Omit<PlacedEdit, "number" | "splice"> & { readonly ending: "\n" | "\r\n" };
type Placed = Placing | { readonly message: string; readonly around: readonly number[] };

/**
 * Finds the place of every edit in the text as it is now; none is applied before all have one.
 *
 * @param served The texts that the model was shown under an anchor.
 */
export function resolveEdits(
  text: EditableText,
  edits: readonly Edit[],
  served: (anchor: Anchor) => ReadonlySet<string>,
): ResolvedEdits {
  const failures: EditFailure[] = [];
  const placed: PlacedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    const number = index + 1;
    const place = placeEdit(text, edit, served);
    if ("message" in place) {
      failures.push({ number, ...place });
      continue;
    }
    const { ending, ...rest } = place;
    const removed = text.view.slice(place.start, place.end);
    const problem = echoProblem({ removed, inserted: place.insert });
    if (problem !== undefined) {
      failures.push({ number, message: problem, around: [] });
      continue;
    }
    placed.push({ ...rest, number, splice: text.toSplice(place, place.insert, ending) });
  }
  placed.sort((a, b) => a.start - b.start || a.rank - b.rank || a.number - b.number);
  if (failures.length === 0) failures.push(...overlaps(placed));
  return failures.length > 0 ? { type: "failed", failures } : { type: "placed", edits: placed };
}

function placeEdit(
  text: EditableText,
  edit: Edit,
  served: (anchor: Anchor) => ReadonlySet<string>,
): Placed {
  switch (edit.type) {
    case "text":
      return placeText(text, edit);
    case "insert":
      return placeInsert(text, edit, served);
    case "range":
      return placeRange(text, edit, served);
  }
}

function placeText(text: EditableText, edit: Edit & { readonly type: "text" }): Placed {
  const found = findOnce(text, edit.oldText);
  if (found.type === "failed") return found;
  const { start } = found;
  const ending = text.endingNear(text.lineAt(start));
  const end = start + edit.oldText.length;
  return { start, end, claimEnd: end, insert: edit.newText, rank: 2, notes: [], ending };
}

function placeInsert(
  text: EditableText,
  edit: Edit & { readonly type: "insert" },
  served: (anchor: Anchor) => ReadonlySet<string>,
): Placed {
  const { lines, side } = edit;
  const whole = lines.map((line) => `${line}\n`).join("");
  const rank = side === "after" ? 0 : 1;
  if (text.lines.length === 0 && edit.at === undefined) {
    return { start: 0, end: 0, claimEnd: 0, insert: whole, rank, notes: [], ending: "\n" };
  }
  const edge = side === "after" ? text.lines.length - 1 : 0;
  const at = edit.at === undefined ? edge : locate(text, edit.at, served);
  if (typeof at !== "number") return at;
  const ending = text.endingNear(at);
  const around = side === "after" ? [at, at + 1] as const : [at - 1, at] as const;
  const notes = [...movedNote(edit.at, at), ...echoedNeighbours(text, lines, around)];
  const common = { rank, anchorLine: at, notes, ending } as const;
  if (side === "before") {
    const start = text.viewStart(at);
    return { ...common, start, end: start, claimEnd: start, insert: whole };
  }
  const end = text.viewEnd(at);
  // Behind a last line without ending the new lines bring the missing break, and none of their own.
  if (text.lines[at]?.ending === "") {
    return { ...common, start: end, end, claimEnd: end, insert: `\n${lines.join("\n")}` };
  }
  const start = end + 1;
  return { ...common, start, end: start, claimEnd: start, insert: whole };
}

function placeRange(
  text: EditableText,
  edit: Edit & { readonly type: "range" },
  served: (anchor: Anchor) => ReadonlySet<string>,
): Placed {
  const from = locate(text, edit.from, served);
  if (typeof from !== "number") return from;
  const to = locate(text, edit.to, served);
  if (typeof to !== "number") return to;
  // Were the two ends moved by different distances, the range would hold lines that the model did
  // not mean.
  if (to - from !== edit.to.line - edit.from.line) {
    return {
      message: `lines ${edit.from.line} to ${edit.to.line} are not the same range any more`,
      around: [from, to],
    };
  }
  const start = text.viewStart(from);
  const ending = text.endingNear(to);
  const moved = movedNote(edit.from, from);
  const end = text.viewEnd(to);
  const claimEnd = text.lines[to]?.ending === "" ? end : end + 1;
  const common = { start, claimEnd, rank: 2, ending } as const;
  if (edit.lines.length === 0) {
    return { ...common, end: claimEnd, insert: "", deletes: [from, to], notes: moved };
  }
  const neighbours = [
    text.line(from) === text.line(from - 1) ? -1 : from - 1,
    text.line(to) === text.line(to + 1) ? -1 : to + 1,
  ] as const;
  const notes = [...moved, ...echoedNeighbours(text, edit.lines, neighbours)];
  const insert = edit.lines.join("\n");
  return { ...common, end, insert, notes };
}

function locate(
  text: EditableText,
  anchor: Anchor,
  served: (anchor: Anchor) => ReadonlySet<string>,
): Found {
  const index = findAnchor(text, anchor, () => served(anchor));
  if (index !== undefined) return index;
  const total = text.lines.length;
  const shown = `"${anchor.line}#${anchor.hash}"`;
  const message = anchor.line > total || anchor.line < 1
    ? `anchor ${shown} names line ${anchor.line}, but the file has lines 1 to ${total}`
    : `anchor ${shown} is stale: line ${anchor.line} has another text now`;
  return { message, around: [Math.min(Math.max(anchor.line - 1, 0), Math.max(total - 1, 0))] };
}

function movedNote(anchor: Anchor | undefined, index: number): string[] {
  if (anchor === undefined || anchor.line === index + 1) return [];
  return [`line ${anchor.line} had moved to line ${index + 1} and was changed there`];
}

/** Models like to repeat the line next to what they insert; that is reported, never repaired. */
function echoedNeighbours(
  text: EditableText,
  lines: readonly string[],
  [above, below]: readonly [number, number],
): string[] {
  const notes: string[] = [];
  const isEcho = (line: string | undefined, index: number) =>
    line !== undefined && line.trim() !== "" && line === text.line(index) &&
    (lines.length > 1 || isInformative(line));
  if (isEcho(lines[0], above)) {
    notes.push(`its first new line repeats line ${above + 1}, which stands right before it`);
  }
  if (isEcho(lines.at(-1), below)) {
    notes.push(`its last new line repeats line ${below + 1}, which stands right behind it`);
  }
  return notes;
}

function overlaps(sorted: readonly PlacedEdit[]): EditFailure[] {
  const failures: EditFailure[] = [];
  let last: PlacedEdit | undefined;
  for (const edit of sorted) {
    if (last !== undefined && edit.start < last.claimEnd) {
      failures.push({
        number: edit.number,
        message: `it overlaps with edit ${last.number}; make one edit of the two`,
        around: [],
      });
    }
    if (last === undefined || edit.claimEnd > last.claimEnd) last = edit;
  }
  for (const { number, anchorLine } of sorted) {
    if (anchorLine === undefined) continue;
    const by = sorted.find(({ deletes }) =>
      deletes !== undefined && deletes[0] <= anchorLine && anchorLine <= deletes[1]
    );
    if (by === undefined) continue;
    const message = `it hangs on line ${anchorLine + 1}, which edit ${by.number} deletes`;
    failures.push({ number, message, around: [] });
  }
  return failures;
}
