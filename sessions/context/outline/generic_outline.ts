import { utf8Length } from "../../../core/base/text.ts";
import { clipLine, counted } from "./clip.ts";
import { diagnosticLines } from "./diagnostic_lines.ts";
import type { OutlineInput, ResultOutline } from "./outline_input.ts";

const FIRST_LINES = 3;
const LAST_LINES = 3;
const MAX_DIAGNOSTICS = 6;
const MAX_ROW_UNITS = 160;

/** Any tool: its name and arguments, counts, the first and last lines, diagnostics. */
export function outlineGeneric(input: OutlineInput): ResultOutline {
  const rows = input.content.split("\n").filter((row) => row.trim() !== "");
  const call = `${input.name} ${clipLine(JSON.stringify(input.args), 160)}`;
  const state = input.isError ? " failed" : "";
  const head = `${call}${state}: ${counted(rows.length, "line")}, ` +
    `${utf8Length(input.content)} bytes`;
  const first = rows.slice(0, FIRST_LINES);
  const last = rows.slice(Math.max(FIRST_LINES, rows.length - LAST_LINES));
  const middle = rows.slice(FIRST_LINES, Math.max(FIRST_LINES, rows.length - LAST_LINES));
  return {
    outline: [
      `[shortened] ${head}`,
      ...first.map(shown),
      ...(middle.length > 0 ? [`… ${middle.length} lines left out`] : []),
      ...diagnosticLines(middle, MAX_DIAGNOSTICS).map((row) => `! ${clipLine(row, MAX_ROW_UNITS)}`),
      ...last.map(shown),
    ].join("\n"),
    summary: `[shortened] ${input.name}${state}: ${clipLine(rows[0] ?? "nothing", 100)}`,
  };
}

function shown(row: string): string {
  return `| ${clipLine(row, MAX_ROW_UNITS)}`;
}
