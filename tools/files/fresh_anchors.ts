import { frame } from "../framing.ts";
import type { EditableText } from "./editable_text.ts";
import { renderLines } from "./render_lines.ts";

const AROUND_LINES = 5;
/** A long change is shown at both ends only. */
const MAX_CHANGE_LINES = 40;

/** First and last line of a change, by index. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** The lines that a part of the text, in UTF-16 units, touches. */
export function spanOf(
  text: EditableText,
  part: { readonly start: number; readonly end: number },
): LineSpan {
  const { lines } = text;
  const find = (offset: number) => {
    let low = 0;
    let high = Math.max(lines.length - 1, 0);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lines[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return { from: find(part.start), to: find(Math.max(part.start, part.end - 1)) };
}

/** Lines with fresh anchors, five around every span, framed; empty for an empty text. */
export function freshAnchors(
  text: EditableText,
  options: {
    readonly path: string;
    readonly spans: readonly LineSpan[];
    readonly maxBytes: number;
  },
): string {
  const total = text.lines.length;
  if (total === 0) return "";
  const windows = mergeWindows(options.spans.flatMap(shorten), total);
  const blocks: string[] = [];
  const ranges: string[] = [];
  let room = options.maxBytes;
  for (const { from, to } of windows) {
    const rendered = renderLines({
      text: text.text,
      lines: text.lines,
      from,
      to: to + 1,
      hashline: true,
      maxBytes: Math.max(room, 64),
    });
    blocks.push(rendered.body);
    ranges.push(`${from + 1}-${rendered.to}`);
    room -= rendered.body.length;
    if (room <= 0) break;
  }
  const lines = `${ranges.join(",")}/${total}`;
  return frame({ path: options.path, lines }, blocks.join("…\n"));
}

function shorten(span: LineSpan): LineSpan[] {
  if (span.to - span.from < MAX_CHANGE_LINES) return [span];
  return [{ from: span.from, to: span.from }, { from: span.to, to: span.to }];
}

function mergeWindows(spans: readonly LineSpan[], total: number): LineSpan[] {
  const windows: LineSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const from = Math.max(0, span.from - AROUND_LINES);
    const to = Math.min(total - 1, span.to + AROUND_LINES);
    const last = windows.at(-1);
    if (last !== undefined && from <= last.to + 1) {
      windows[windows.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else windows.push({ from, to });
  }
  return windows;
}
