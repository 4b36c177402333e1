import { utf8Length } from "../../../core/base/text.ts";
import { stringField } from "../../json_value.ts";
import { clipLine, counted } from "./clip.ts";
import { diagnosticLines } from "./diagnostic_lines.ts";
import { parseFramed } from "./framed_text.ts";
import type { OutlineInput, ResultOutline } from "./outline_input.ts";

const LAST_LINES = 6;
const LAST_LINES_AFTER_FAILURE = 12;
const MAX_DIAGNOSTICS = 6;
const MAX_ROW_UNITS = 200;

/** `run_command`, `wait_for`: the command, its exit code, its errors and its last lines. */
export function outlineCommand(input: OutlineInput): ResultOutline {
  const command = clipLine(stringField(input.args, "command") ?? "?", 200);
  const { outside, blocks } = parseFramed(input.content);
  const output = blocks.map((block) => block.body).join("\n");
  const rows = output.split("\n").filter((row) => row.trim() !== "");
  const [report = ""] = (outside === "" ? output : outside).split("\n", 1);
  const end = clipLine(report, 120);
  const tailSize = input.isError ? LAST_LINES_AFTER_FAILURE : LAST_LINES;
  const tail = rows.slice(-tailSize);
  const errors = diagnosticLines(rows.slice(0, -tailSize), MAX_DIAGNOSTICS);
  const left = rows.length - tail.length;
  return {
    outline: [
      `[shortened] ${input.name} \`${command}\`: ${end}; ` +
      `${counted(rows.length, "line")}, ${utf8Length(output)} bytes`,
      ...errors.map((row) => `! ${clipLine(row, MAX_ROW_UNITS)}`),
      ...(left > 0 && tail.length > 0 ? [`… ${left} earlier lines left out`] : []),
      ...tail.map((row) => `| ${clipLine(row, MAX_ROW_UNITS)}`),
    ].join("\n"),
    summary: `[shortened] \`${clipLine(command, 90)}\`: ${clipLine(end, 60)}` +
      (input.isError ? `; ${clipLine(errors[0] ?? tail.at(-1) ?? "", 90)}` : ""),
  };
}
