import * as v from "valibot";
import { utf8Length } from "../../core/base/text.ts";
import { historyLines } from "../../sessions/history.ts";
import { frame } from "../framing.ts";
import { type Tool, type ToolContext, type ToolResult, toolSuccess } from "../tool.ts";

const SCHEMA = v.object({});

const DESCRIPTION =
  "List the requests of this conversation and what came of each, numbered, with the tools used and " +
  "the files changed. Use it when earlier messages are no longer in view.";

/** Kept free for the frame and the sentence about what is left out, in bytes. */
const FRAME_BYTES = 512;

/** The `session_summary` tool: what was asked and what came of it. */
export const SESSION_SUMMARY: Tool<v.InferOutput<typeof SCHEMA>> = {
  name: "session_summary",
  description: DESCRIPTION,
  schema: SCHEMA,
  risk: "read",
  highestRisk: "read",
  source: "builtin",
  execute: (_args, context) => Promise.resolve(summarise(context)),
};

function summarise({ record, maxOutputBytes }: ToolContext): ToolResult {
  const items = record?.history() ?? [];
  if (items.length === 0) return toolSuccess("Nothing was asked in this conversation so far.");
  const texts = items.map((item, index) => `${index + 1}. ${historyLines(item).join("\n   ")}`);
  const { kept, leftOut } = lastThatFit(texts, maxOutputBytes - FRAME_BYTES);
  const framed = frame({ source: "session_summary" }, kept.join("\n"));
  const note = leftOut === 0 ? "" : `\nThe first ${leftOut} of ${texts.length} do not fit here.`;
  return toolSuccess(`${framed}${note}`);
}

/** The newest texts within a bound; the last one is always among them. */
function lastThatFit(
  texts: readonly string[],
  maxBytes: number,
): { readonly kept: readonly string[]; readonly leftOut: number } {
  let bytes = 0;
  let start = texts.length;
  while (start > 0) {
    bytes += utf8Length(texts[start - 1] ?? "") + 1;
    if (bytes > maxBytes && start < texts.length) break;
    start -= 1;
  }
  return { kept: texts.slice(start), leftOut: start };
}
