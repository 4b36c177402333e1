import * as v from "valibot";
import { utf8Length } from "../../core/base/text.ts";
import { validateExisting } from "../files/missing_path.ts";
import { frame } from "../framing.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { newTally, pacedFiles, walkFiles } from "./file_walker.ts";
import { Glob } from "./glob.ts";
import { leftOutSentences, plural } from "./search_sentences.ts";
import { shownPath } from "./shown_path.ts";
import { TimeSlices } from "./time_slices.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 2000;
const DEADLINE_MS = 20_000;
const RESERVED_BYTES = 1024;
const MIN_BODY_BYTES = 512;

const SCHEMA = v.object({
  pattern: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.maxLength(1000),
    v.description('A glob: "*.ts" in any folder, "src/**/*_test.{ts,js}" for paths.'),
  ),
  path: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.description("A folder; the root if left out.")),
  ),
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(MAX_LIMIT),
      v.description(`The most files to show; ${DEFAULT_LIMIT} if left out.`),
    ),
  ),
});

/** Arguments of {@linkcode FIND_FILES}. */
export type FindFilesArgs = v.InferOutput<typeof SCHEMA>;

/** Finds files by name, newest first. */
export const FIND_FILES: Tool<FindFilesArgs> = {
  name: "find_files",
  description: "Finds files by a glob, newest first. Hidden files count; .git, ignored files, " +
    "node_modules, target, dist, .venv and secret files are skipped. " +
    'Example: {"pattern": "src/**/*.ts"}',
  schema: SCHEMA,
  risk: "read",
  highestRisk: "read",
  source: "builtin",
  execute: (args, context) => withFailures(() => findFiles(args, context)),
};

async function findFiles(args: FindFilesArgs, context: ToolContext): Promise<ToolResult> {
  const { sandbox, signal } = context;
  signal.throwIfAborted();
  const canonical = await validateExisting(sandbox, args.path ?? ".");
  const path = sandbox.relative(canonical);
  if (!Deno.statSync(canonical).isDirectory) {
    return toolFailure(`Cannot look for files in "${path}": it is no folder; use read_file`);
  }
  const glob = new Glob(args.pattern, path);
  const slices = new TimeSlices({ signal, deadlineMs: DEADLINE_MS });
  const tally = newTally();
  const walk = walkFiles(sandbox, { canonical, tally });
  const found: { readonly path: string; readonly changedMs: number }[] = [];
  const accepts = (file: Parameters<Glob["matches"]>[0]) => glob.matches(file);
  for await (const file of pacedFiles(walk, { slices, accepts })) {
    found.push({ path: file.path, changedMs: changedMs(file.canonical) });
  }
  found.sort((a, b) => b.changedMs - a.changedMs || (a.path < b.path ? -1 : 1));
  const leftOut = leftOutSentences(tally, slices);
  if (found.length === 0) {
    const where = path === "." ? "" : ` in "${path}"`;
    return toolSuccess([
      `None of ${plural(tally.files, "file")}${where} matches "${args.pattern}".`,
      "Ignored files and heavy folders are only searched when path names one.",
      ...leftOut,
    ].join(" "));
  }
  const rows = fitting(found.slice(0, args.limit ?? DEFAULT_LIMIT), context.maxOutputBytes);
  const framed = frame({ pattern: args.pattern, path }, rows.join("\n"));
  const count = rows.length === found.length
    ? `${plural(found.length, "file")}.`
    : `The newest ${rows.length} of ${found.length} files; narrow the pattern or path, ` +
      "or raise limit.";
  return toolSuccess(`${framed}\n${[count, ...leftOut].join(" ")}`);
}

/** As many paths as the budget takes, at least one. */
function fitting(found: readonly { readonly path: string }[], maxOutputBytes: number): string[] {
  let left = Math.max(MIN_BODY_BYTES, maxOutputBytes - RESERVED_BYTES);
  const rows: string[] = [];
  for (const { path } of found) {
    const row = shownPath(path);
    left -= utf8Length(row) + 1;
    if (left < 0 && rows.length > 0) break;
    rows.push(row);
  }
  return rows;
}

function changedMs(canonical: string): number {
  try {
    return Deno.lstatSync(canonical).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}
