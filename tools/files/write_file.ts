import * as v from "valibot";
import { makeVisible } from "../../core/base/text.ts";
import { pathExists } from "../../core/security/path_probe.ts";
import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { type Tool, type ToolContext, toolFailure, type ToolPreviewContext } from "../tool.ts";
import { type ToolPreview, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { writeAtomically } from "./atomic_write.ts";
import { echoProblem } from "./echo_check.ts";
import { formatBytes } from "./file_bytes.ts";
import { checkJudged, guardWrite } from "./file_guards.ts";
import { loadFile, notTextReason } from "./load_file.ts";
import { withPathLock } from "./path_lock.ts";
import { unseenReason } from "./seen_check.ts";
import { encodeFile, PLAIN_UTF8, textAsRead, type TextEncoding } from "./text_file.ts";
import { splitLines } from "./text_lines.ts";
import { unifiedDiff } from "./unified_diff.ts";

const SCHEMA = v.object({
  path: v.pipe(v.string(), v.nonEmpty(), v.description('Relative to the root, like "src/a.ts".')),
  content: v.pipe(v.string(), v.description("The whole text of the file, final newline included.")),
});

/** Arguments of {@linkcode WRITE_FILE}. */
export type WriteFileArgs = v.InferOutput<typeof SCHEMA>;

/** Creates a text file, or overwrites one that the model has read. */
export const WRITE_FILE: Tool<WriteFileArgs> = {
  name: "write_file",
  description: "Creates a file, folders included, or overwrites one that you have read. Send the " +
    "whole text, without anchors. To change parts of a file use edit_file.",
  schema: SCHEMA,
  risk: "write",
  highestRisk: "write",
  source: "builtin",
  guard: guardWrite,
  preview: previewWrite,
  execute: (args, context) => withFailures(() => writeFile(args, context)),
};

async function writeFile(args: WriteFileArgs, context: ToolContext): Promise<ToolResult> {
  context.signal.throwIfAborted();
  const { sandbox, signal } = context;
  const canonical = await sandbox.validateForWrite(args.path);
  return withPathLock(canonical, {
    signal,
    body: async () => {
      checkJudged(args, { sandbox, canonical });
      return await writeLocked(args, { context, canonical });
    },
  });
}

async function writeLocked(
  args: WriteFileArgs,
  target: { readonly context: ToolContext; readonly canonical: string },
): Promise<ToolResult> {
  const { canonical } = target;
  const { sandbox, tracker } = target.context;
  const path = sandbox.relative(canonical);
  const plan = planWrite(args, { sandbox, canonical });
  if (plan.type === "refused") return toolFailure(`Cannot overwrite "${path}": ${plan.reason}`);
  if (plan.before !== null) {
    const file = { canonical, path, text: plan.before, action: "overwrite" };
    const unseen = await unseenReason(tracker, file);
    if (unseen !== undefined) return toolFailure(unseen);
    if (plan.before === plan.after) {
      return toolSuccess(`"${path}" holds exactly this text already; nothing was written.`);
    }
  }
  const problem = echoProblem({ removed: plan.before ?? "", inserted: plan.after });
  if (problem !== undefined) return toolFailure(`Cannot write "${path}": ${problem}`);
  const bytes = encodeFile(plan.after, plan.encoding);
  writeAtomically(sandbox, canonical, { bytes, before: plan.beforeBytes });
  tracker.record(canonical, textAsRead(plan.after, plan.encoding));
  const lines = splitLines(plan.after).length;
  const verb = plan.before === null ? "Created" : "Overwrote";
  const before = plan.before ?? "";
  const { checkSyntax } =
    await (import("./syntax_check.ts" as string) as Promise<typeof import("./syntax_check.ts")>);
  const { problem: fault } = await checkSyntax({
    path,
    before,
    after: plan.after,
    edits: [],
    firstChange: 0,
  });
  // A whole file is often written in a dialect or from a template; it is said, never refused.
  const note = fault === undefined ? "" : `\nNote: it has ${fault}`;
  return toolSuccess(
    `${verb} "${path}": ${lines === 1 ? "1 line" : `${lines} lines`}, ${
      formatBytes(bytes.length)
    }` +
      `${plan.remark}.${note}`,
    { type: "FileChange", path, before: plan.before, after: plan.after },
  );
}

type WritePlan =
  | { readonly type: "refused"; readonly reason: string }
  | {
    readonly type: "write";
    readonly before: string | null;
    readonly beforeBytes: Uint8Array | null;
    readonly after: string;
    readonly encoding: TextEncoding;
    /** What was kept of the old file, for the result. */
    readonly remark: string;
  };

/** What a call would do to the file as it is now. Encoding and uniform CRLF endings are kept. */
function planWrite(
  args: WriteFileArgs,
  target: { readonly sandbox: SandboxRoot; readonly canonical: string },
): WritePlan {
  const after = args.content.toWellFormed();
  if (!pathExists(target.canonical)) {
    return {
      type: "write",
      before: null,
      beforeBytes: null,
      after,
      encoding: PLAIN_UTF8,
      remark: "",
    };
  }
  const loaded = loadFile(target.sandbox, target.canonical);
  if (loaded.type !== "text") return { type: "refused", reason: notTextReason(loaded) };
  const crlf = keepsCrlf(loaded.text, after);
  const kept = [
    ...(loaded.encoding.name === "utf-8" ? [] : [loaded.encoding.name.toUpperCase()]),
    ...(loaded.encoding.bom ? ["byte order mark"] : []),
    ...(crlf ? ["CRLF line endings"] : []),
  ];
  return {
    type: "write",
    before: loaded.text,
    beforeBytes: loaded.bytes,
    after: crlf ? after.replaceAll("\n", "\r\n") : after,
    encoding: loaded.encoding,
    remark: kept.length === 0 ? "" : ` (kept: ${kept.join(", ")})`,
  };
}

/** Whether every old line ends in CRLF and no new one does: models write line feeds. */
function keepsCrlf(before: string, after: string): boolean {
  return before.includes("\r\n") && !/(?<!\r)\n/.test(before) && !after.includes("\r\n");
}

async function previewWrite(
  args: WriteFileArgs,
  context: ToolPreviewContext,
): Promise<ToolPreview | undefined> {
  const canonical = await context.sandbox.validateForWrite(args.path);
  const plan = planWrite(args, { sandbox: context.sandbox, canonical });
  if (plan.type === "refused") return undefined;
  const path = context.sandbox.relative(canonical);
  const diff = await unifiedDiff(path, { before: plan.before ?? "", after: plan.after });
  return { text: makeVisible(diff) };
}
