import { headUnits, utf8Length } from "../../core/base/text.ts";
import { neutraliseMarkers } from "../framing.ts";
import { lineAnchor } from "./anchors.ts";
import type { TextLine } from "./text_lines.ts";

/** Longer lines are cut, with a mark. In UTF-16 units. */
export const MAX_LINE_UNITS = 2000;
/** What `column` may show of one line. In UTF-16 units. */
const MAX_COLUMN_UNITS = 20_000;

/** The start of the mark behind a cut line; a model that sends it back has copied a cut line. */
export const CUT_MARK = "…[line cut: ";

/** Lines to show. */
export interface RenderRequest {
  readonly text: string;
  readonly lines: readonly TextLine[];
  /** The number of `lines[0]` in the file. @default {1} */
  readonly firstNumber?: number;
  /** The first index of `lines` to show. */
  readonly from: number;
  /** The index behind the last one. */
  readonly to: number;
  /** Whether to put anchors in front. */
  readonly hashline: boolean;
  /** Where to start in the first line, from 1. */
  readonly column?: number;
  /** The most bytes of UTF-8 to give back; the first line is shown in part if need be. */
  readonly maxBytes: number;
}

/** Lines as shown. */
export interface RenderedLines {
  readonly body: string;
  /** The index behind the last line that fitted. */
  readonly to: number;
}

/** Shows lines with anchors (`12#KTXJ:text`), cutting long ones and stopping at the budget. */
export function renderLines(request: RenderRequest): RenderedLines {
  const shown: string[] = [];
  let bytes = 0;
  let index = request.from;
  for (; index < request.to; index++) {
    const row = renderLine(request, index);
    bytes += utf8Length(row.includes("<") ? neutraliseMarkers(row) : row) + 1;
    if (bytes > request.maxBytes && shown.length > 0) break;
    shown.push(row);
  }
  return { body: shown.length === 0 ? "" : `${shown.join("\n")}\n`, to: index };
}

function renderLine(request: RenderRequest, index: number): string {
  const line = request.lines[index];
  if (line === undefined) return "";
  const number = (request.firstNumber ?? 1) + index;
  const text = request.text.slice(line.start, line.end);
  const prefix = request.hashline ? `${lineAnchor(text, number)}:` : "";
  const first = index === request.from;
  const column = first ? request.column ?? 1 : 1;
  const most = column > 1 ? MAX_COLUMN_UNITS : MAX_LINE_UNITS;
  // A UTF-16 unit takes at most three bytes, so the first line always fits into the budget.
  const units = first ? Math.max(1, Math.min(most, Math.floor(request.maxBytes / 3))) : most;
  const piece = headUnits(column > 1 ? text.slice(column - 1) : text, units);
  const last = column - 1 + piece.length;
  const start = column > 1 ? `[characters ${column}-${last} of ${text.length}] ` : "";
  if (last >= text.length) return prefix + start + piece;
  const next = `offset ${number}, column ${last + 1}`;
  return `${prefix}${start}${piece}${CUT_MARK}characters ${column}-${last} of ${text.length}; ` +
    `read on with ${next}]`;
}
