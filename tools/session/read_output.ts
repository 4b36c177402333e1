import * as v from "valibot";
import { errorMessage } from "../../core/base/errors.ts";
import { MAX_ROW_UNITS, outputRows } from "../../sessions/output_rows.ts";
import { frame } from "../framing.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { type OutputRow, rowsThatFit } from "./output_window.ts";

const POSITIVE = v.pipe(v.number(), v.integer(), v.minValue(1));

const SCHEMA = v.object({
  id: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.description("As the note in the shortened result gives it"),
  ),
  offset: v.optional(v.pipe(POSITIVE, v.description("The first line; 1 by default"))),
  limit: v.optional(v.pipe(POSITIVE, v.description("How many lines; as many as fit by default"))),
  pattern: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description("Only lines that match this regular expression (RE2)"),
    ),
  ),
});

type ReadOutputArgs = v.InferOutput<typeof SCHEMA>;

const DESCRIPTION = "Read the full text of a result that was shortened, by lines or by pattern. " +
  'Example: {"id": "…", "offset": 200, "limit": 100} or {"id": "…", "pattern": "error\\\\["}. ' +
  `A line over ${MAX_ROW_UNITS} characters counts as several.`;

/** Kept free for the frame and the sentence that says how to go on, in bytes. */
const FRAME_BYTES = 512;

/** The `read_output` tool: the whole of what a bounded result left out. */
export const READ_OUTPUT: Tool<ReadOutputArgs> = {
  name: "read_output",
  description: DESCRIPTION,
  schema: SCHEMA,
  risk: "read",
  highestRisk: "read",
  source: "builtin",
  execute: readOutput,
};

async function readOutput(args: ReadOutputArgs, context: ToolContext): Promise<ToolResult> {
  const { id, pattern } = args;
  const text = await context.record?.fullOutput(id);
  if (text === undefined) {
    return toolFailure(
      `Cannot read output "${id}": this session has no such result; ` +
        "use the id exactly as the note in the shortened result gives it",
    );
  }
  const rows: OutputRow[] = outputRows(text).map((row, index) => ({
    number: index + 1,
    text: row,
  }));
  if (pattern === undefined) return showRange(rows, args, context);
  const matches = await matcherOf(pattern);
  if (typeof matches === "string") return toolFailure(matches);
  return showMatches(rows.filter((row) => matches(row.text)), {
    args: { ...args, pattern },
    total: rows.length,
    context,
  });
}

function showRange(
  rows: readonly OutputRow[],
  args: ReadOutputArgs,
  context: ToolContext,
): ToolResult {
  const { id, offset = 1, limit = rows.length } = args;
  const total = rows.length;
  if (total === 0) return toolSuccess("The output is empty.");
  if (offset > total) {
    return toolFailure(`Cannot read from line ${offset}: the output has ${total} lines`);
  }
  const wanted = rows.slice(offset - 1, offset - 1 + limit);
  const shown = rowsThatFit(wanted, { maxBytes: context.maxOutputBytes - FRAME_BYTES });
  const last = offset - 1 + shown.length;
  const framed = frame(
    { source: "read_output", id, lines: `${offset}-${last}/${total}` },
    shown.map((row) => row.text).join("\n"),
  );
  return toolSuccess(
    last === total
      ? framed
      : `${framed}\nLines ${offset}-${last} of ${total}; read on with offset ${last + 1}.`,
  );
}

function showMatches(
  matching: readonly OutputRow[],
  options: {
    readonly args: ReadOutputArgs & { readonly pattern: string };
    readonly total: number;
    readonly context: ToolContext;
  },
): ToolResult {
  const { args: { id, pattern, offset = 1, limit = matching.length }, total, context } = options;
  const found = matching.filter((row) => row.number >= offset);
  if (found.length === 0) {
    const where = offset === 1 ? "" : ` from line ${offset} on`;
    return toolSuccess(`No line of ${total} matches ${JSON.stringify(pattern)}${where}.`);
  }
  const numbered = found.slice(0, limit).map(({ number, text }) => ({
    number,
    text: `${number}:${text}`,
  }));
  const shown = rowsThatFit(numbered, { maxBytes: context.maxOutputBytes - FRAME_BYTES });
  const framed = frame(
    { source: "read_output", id, pattern },
    shown.map((row) => row.text).join("\n"),
  );
  const next = (shown.at(-1)?.number ?? 0) + 1;
  return toolSuccess(
    shown.length === found.length
      ? framed
      : `${framed}\n${shown.length} of ${found.length} matching lines; read on with offset ${next}.`,
  );
}

/** Whether a row matches, or why the pattern is none. RE2 takes linear time for any pattern. */
async function matcherOf(pattern: string): Promise<((row: string) => boolean) | string> {
  const { RE2JS } = await (import("re2js" as string) as Promise<typeof import("re2js")>);
  try {
    const compiled = RE2JS.compile(pattern);
    return (row) => compiled.matcher(row).find();
  } catch (error) {
    return `Cannot search for ${JSON.stringify(pattern)}: ${errorMessage(error)}; ` +
      "it must be a regular expression as RE2 has them, without look-around and back references";
  }
}
