import { clipLine, counted } from "./clip.ts";
import { parseFramed } from "./framed_text.ts";
import { type OutlineInput, pathArgument, type ResultOutline } from "./outline_input.ts";

const MAX_HUNKS = 12;

/** `edit_file`: path, the hunks' headers, lines added and removed. */
export function outlineEdit(input: OutlineInput): ResultOutline {
  const path = pathArgument(input.args);
  const { outside, blocks } = parseFramed(input.content);
  if (input.isError) return failed(`edit_file ${path}`, outside);
  const diff = blocks.find((block) => block.attributes.diff !== undefined)?.body ?? "";
  const rows = diff.split("\n");
  const hunks = rows.filter((row) => row.startsWith("@@"));
  const added = rows.filter((row) => row.startsWith("+") && !row.startsWith("+++")).length;
  const removed = rows.filter((row) => row.startsWith("-") && !row.startsWith("---")).length;
  const head = `edit_file ${path}: applied, +${added} −${removed} lines`;
  const more = hunks.length > MAX_HUNKS ? [`… ${hunks.length - MAX_HUNKS} more`] : [];
  return {
    outline: [
      `[shortened] ${head} in ${counted(hunks.length, "hunk")}`,
      ...hunks.slice(0, MAX_HUNKS).map((row) => clipLine(row, 100)),
      ...more,
      "[read the file again for anchors]",
    ].join("\n"),
    summary: `[shortened] ${head}`,
  };
}

/** `write_file`: what was written where; its result is one sentence already. */
export function outlineWrite(input: OutlineInput): ResultOutline {
  const { outside } = parseFramed(input.content);
  const path = pathArgument(input.args);
  if (input.isError) return failed(`write_file ${path}`, outside);
  return {
    outline: `[shortened] write_file ${path}: ${clipLine(outside, 300)}`,
    summary: `[shortened] write_file ${path}: ${clipLine(outside, 80)}`,
  };
}

function failed(head: string, text: string): ResultOutline {
  const [first = "", ...reasons] = text.split("\n").filter((line) => line.trim() !== "");
  return {
    outline: [
      `[shortened] ${head} failed: ${clipLine(first, 200)}`,
      ...reasons.slice(0, 4).map((line) => clipLine(line, 200)),
    ].join("\n"),
    summary: `[shortened] ${head} failed: ${clipLine(reasons[0] ?? first, 100)}`,
  };
}
