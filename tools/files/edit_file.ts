import * as v from "valibot";
import { headUnits, makeVisible } from "../../core/base/text.ts";
import type { SandboxRoot } from "../../core/security/sandbox.ts";
import type { FileTracker } from "../../sessions/file_tracker.ts";
import { frame } from "../framing.ts";
import { type Tool, type ToolContext, toolFailure, type ToolPreviewContext } from "../tool.ts";
import { type ToolPreview, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { type AppliedEdits, applyEdits } from "./apply_edits.ts";
import { writeAtomically } from "./atomic_write.ts";
import { holdsMask } from "./echo_check.ts";
import { type Edit, EDIT_SCHEMA, parseEdit } from "./edit.ts";
import { EditableText } from "./editable_text.ts";
import { checkJudged, guardWrite } from "./file_guards.ts";
import { freshAnchors, spanOf } from "./fresh_anchors.ts";
import { type LoadedFile, loadFile, notTextReason } from "./load_file.ts";
import { validateExisting } from "./missing_path.ts";
import { withPathLock } from "./path_lock.ts";
import { type EditFailure, type PlacedEdit, resolveEdits } from "./resolve_edits.ts";
import { unseenReason } from "./seen_check.ts";
import { rememberServed, servedTexts } from "./served_text.ts";
import type { SyntaxReport } from "./syntax_check.ts";
import { encodeFile, textAsRead } from "./text_file.ts";
import { unifiedDiff } from "./unified_diff.ts";

const SCHEMA = v.object({
  path: v.pipe(v.string(), v.nonEmpty(), v.description('Relative to the root, like "src/a.ts".')),
  edits: v.pipe(
    v.array(EDIT_SCHEMA),
    v.minLength(1),
    v.description("Applied together; all anchors mean the file as it is before the first one."),
  ),
  allow_syntax_errors: v.optional(v.pipe(
    v.boolean(),
    v.description("Writes even if the file does not parse afterwards; false by default."),
  )),
});

/** Arguments of {@linkcode EDIT_FILE}. */
export type EditFileArgs = v.InferOutput<typeof SCHEMA>;

/** Changes parts of a text file that the model has read, all or nothing. */
export const EDIT_FILE: Tool<EditFileArgs> = {
  name: "edit_file",
  description: "Changes lines of a file that you have read. All edits apply, or none. Examples: " +
    '{"path": "a.ts", "edits": [{"op": "replace", "pos": "12#KTXJ", "end": "14#ZPQB", "lines": ' +
    '["let x = 2;"]}]}, or {"path": "a.ts", "edits": [{"old_text": "x = 1", "new_text": "x = 2"}]}. ' +
    "The result shows a diff and fresh anchors for the next edit.",
  schema: SCHEMA,
  risk: "write",
  highestRisk: "write",
  source: "builtin",
  guard: guardWrite,
  preview: previewEdit,
  execute: (args, context) => withFailures(() => editFile(args, context)),
};

async function editFile(args: EditFileArgs, context: ToolContext): Promise<ToolResult> {
  context.signal.throwIfAborted();
  const { sandbox, signal } = context;
  const canonical = await validateExisting(sandbox, args.path);
  return withPathLock(canonical, {
    signal,
    body: async () => {
      checkJudged(args, { sandbox, canonical });
      return await editLocked(args, { context, canonical });
    },
  });
}

async function editLocked(
  args: EditFileArgs,
  target: { readonly context: ToolContext; readonly canonical: string },
): Promise<ToolResult> {
  const { canonical } = target;
  const { sandbox, tracker, maxOutputBytes } = target.context;
  const path = sandbox.relative(canonical);
  const loaded = loadFile(sandbox, canonical);
  if (loaded.type !== "text") {
    return toolFailure(`Cannot edit "${path}": ${notTextReason(loaded)}`);
  }
  const unseen = await unseenReason(tracker, {
    canonical,
    path,
    text: loaded.text,
    action: "edit",
  });
  if (unseen !== undefined) return toolFailure(unseen);
  const plan = planEdits(args, { canonical, tracker, loaded });
  if (plan.type === "failed") {
    return toolFailure(describeFailures(plan, { path, maxBytes: maxOutputBytes }));
  }
  const before = loaded.text;
  const { text: after } = plan.applied;
  if (after === before) {
    return toolFailure(
      `Nothing was written: the edits leave "${path}" as it is; what you send stands there already`,
    );
  }
  const { checkSyntax } =
    await (import("./syntax_check.ts" as string) as Promise<typeof import("./syntax_check.ts")>);
  const syntax = await checkSyntax({
    path,
    before,
    after,
    edits: plan.edits,
    firstChange: plan.applied.changes[0]?.start ?? 0,
  });
  if (syntax.problem !== undefined && args.allow_syntax_errors !== true) {
    return toolFailure(describeSyntaxProblem(path, syntax));
  }
  writeAtomically(sandbox, canonical, {
    bytes: encodeFile(after, loaded.encoding),
    before: loaded.bytes,
  });
  const seen = textAsRead(after, loaded.encoding);
  tracker.record(canonical, seen);
  rememberServed(tracker, { path: canonical, text: seen });
  const output = await describeSuccess(plan, { path, before, syntax, maxBytes: maxOutputBytes });
  return toolSuccess(output, { type: "FileChange", path, before, after });
}

type EditPlan =
  | {
    readonly type: "ready";
    readonly edits: readonly PlacedEdit[];
    readonly applied: AppliedEdits;
  }
  | {
    readonly type: "failed";
    readonly text: EditableText;
    readonly failures: readonly EditFailure[];
  };

function planEdits(
  args: EditFileArgs,
  file: {
    readonly canonical: string;
    readonly tracker: FileTracker;
    readonly loaded: LoadedFile & { readonly type: "text" };
  },
): EditPlan {
  const text = new EditableText(file.loaded.text);
  const edits: Edit[] = [];
  const failures: EditFailure[] = [];
  for (const [index, item] of args.edits.entries()) {
    const edit = parseEdit(item);
    if (edit.type !== "problem") edits.push(edit);
    else failures.push({ number: index + 1, message: edit.message, around: [] });
  }
  if (failures.length > 0) return { type: "failed", text, failures };
  const resolved = resolveEdits(
    text,
    edits,
    (anchor) => servedTexts(file.tracker, { path: file.canonical, ...anchor }),
  );
  if (resolved.type === "failed") return { ...resolved, text };
  // A lone surrogate cannot be stored, so it must not stand in what the tracker is told either.
  const applied = applyEdits(text, resolved.edits);
  return {
    type: "ready",
    edits: resolved.edits,
    applied: { ...applied, text: applied.text.toWellFormed() },
  };
}

function describeFailures(
  plan: EditPlan & { readonly type: "failed" },
  options: { readonly path: string; readonly maxBytes: number },
): string {
  const reasons = plan.failures.map(({ number, message }) => `Edit ${number}: ${message}.`);
  const head = `Nothing was written to "${options.path}".\n${reasons.join("\n")}`;
  const spans = plan.failures.flatMap(({ around }) => around)
    .map((index) => ({ from: index, to: index }));
  if (spans.length === 0) return head;
  const maxBytes = Math.floor(options.maxBytes / 2);
  const fresh = freshAnchors(plan.text, { path: options.path, spans, maxBytes });
  return fresh === "" ? head : `${head}\nFresh anchors:\n${fresh}`;
}

function describeSyntaxProblem(path: string, syntax: SyntaxReport): string {
  return [
    `Nothing was written to "${path}": the edits would add ${syntax.problem}`,
    ...syntax.warnings.map((warning) => `Note: ${warning}.`),
    "Correct the edits, or send them with allow_syntax_errors: true if it shall be so for now.",
  ].join("\n");
}

async function describeSuccess(
  plan: EditPlan & { readonly type: "ready" },
  options: {
    readonly path: string;
    readonly before: string;
    readonly syntax: SyntaxReport;
    readonly maxBytes: number;
  },
): Promise<string> {
  const { path, before, syntax } = options;
  const { text: after, changes } = plan.applied;
  const notes = plan.edits.flatMap(({ number, notes, insert }) => [
    ...notes.map((note) => `Note on edit ${number}: ${note}.`),
    ...(holdsMask(insert) ? [`Note on edit ${number}: it wrote [REDACTED] literally.`] : []),
  ]);
  const diff = await unifiedDiff(path, { before, after });
  const half = Math.floor(options.maxBytes * 0.45);
  const shown = headUnits(diff, Math.floor(half / 2));
  const cut = shown.length < diff.length ? "\n(the diff goes on)\n" : "";
  const text = new EditableText(after);
  const spans = changes.map((change) => spanOf(text, change));
  const fresh = freshAnchors(text, { path, spans, maxBytes: half });
  const count = plan.edits.length === 1 ? "1 edit" : `${plan.edits.length} edits`;
  return [
    `Applied ${count} to "${path}".`,
    ...notes,
    ...(syntax.problem === undefined ? [] : [`Note: it now has ${syntax.problem}`]),
    ...syntax.warnings.map((warning) => `Note: ${warning}.`),
    frame({ path, diff: "applied" }, shown + cut),
    ...(fresh === "" ? ["The file is empty now."] : ["Fresh anchors:", fresh]),
  ].join("\n");
}

async function previewEdit(
  args: EditFileArgs,
  context: ToolPreviewContext,
): Promise<ToolPreview | undefined> {
  const { sandbox, tracker } = context;
  const plan = await previewPlan(args, { sandbox, tracker });
  if (plan === undefined) return undefined;
  return { text: makeVisible(await unifiedDiff(plan.path, plan)) };
}

async function previewPlan(
  args: EditFileArgs,
  context: { readonly sandbox: SandboxRoot; readonly tracker: FileTracker },
) {
  const { sandbox, tracker } = context;
  const canonical = await sandbox.validate(args.path);
  const loaded = loadFile(sandbox, canonical);
  if (loaded.type !== "text") return undefined;
  const plan = planEdits(args, { canonical, tracker, loaded });
  if (plan.type === "failed") return undefined;
  return { path: sandbox.relative(canonical), before: loaded.text, after: plan.applied.text };
}
