import { clipLine, counted } from "./clip.ts";
import { parseFramed } from "./framed_text.ts";
import type { OutlineInput, ResultOutline } from "./outline_input.ts";

const DIAGNOSTIC_REGEXP = /^\W{0,4}(error|warning)\b/i;
const PLACE_REGEXP = /(?:-->|\bat\b|^)\s*[^\s:]+:\d+/;
const TEST_REGEXP = /\b(?:FAILED|failed|panicked at)\b|^test result:|\b\d+ passed\b/;
/** The first line of a report: the command, its counts, how it ended. */
const REPORT_REGEXP = /^cargo [a-z]+: (.*)$/;
const MAX_ROWS = 60;

/** The cargo tools: code, place and first line of each diagnostic, failed tests, the totals. */
export function outlineCargo(input: OutlineInput): ResultOutline {
  const { outside, blocks } = parseFramed(input.content);
  const text = [outside, ...blocks.map((block) => block.body)].join("\n");
  const rows = text.split("\n").map((row) => row.trim()).filter((row) => row !== "");
  const [first = ""] = rows;
  const report = REPORT_REGEXP.exec(first)?.[1];
  const kept: string[] = [];
  let errors = 0;
  let warnings = 0;
  rows.forEach((row, index) => {
    const level = DIAGNOSTIC_REGEXP.exec(row)?.[1]?.toLowerCase();
    if (level === "error") errors += 1;
    if (level === "warning") warnings += 1;
    if (level !== undefined) {
      const next = rows[index + 1] ?? "";
      const place = PLACE_REGEXP.test(next) && !DIAGNOSTIC_REGEXP.test(next) ? ` ${next}` : "";
      kept.push(clipLine(row + place, 220));
    } else if (index === 0 && report !== undefined) return;
    else if (TEST_REGEXP.test(row)) kept.push(clipLine(row, 220));
  });
  const counts = `${counted(errors, "error")}, ${counted(warnings, "warning")}`;
  const head = `${input.name}: ${clipLine(report ?? counts, 160)}`;
  return {
    outline: [
      `[shortened] ${head}`,
      ...(report === undefined && first !== "" ? [clipLine(first, 120)] : []),
      ...kept.slice(0, MAX_ROWS),
      ...(kept.length > MAX_ROWS ? [`… ${kept.length - MAX_ROWS} more`] : []),
    ].join("\n"),
    summary: `[shortened] ${head}${kept[0] === undefined ? "" : `; ${clipLine(kept[0], 100)}`}`,
  };
}
