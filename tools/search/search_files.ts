import * as v from "valibot";
import { baseName } from "../../core/base/paths.ts";
import { isSecretPath } from "../../core/security/protected_paths.ts";
import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { validateExisting } from "../files/missing_path.ts";
import { frame } from "../framing.ts";
import type { CommandRegistry } from "../shell/command_registry.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { scanContents } from "./content_scan.ts";
import { newTally, pacedFiles, type WalkedFile, walkFiles } from "./file_walker.ts";
import { Glob } from "./glob.ts";
import { LineMatcher } from "./line_matcher.ts";
import { findRipgrep, scanWithRipgrep } from "./ripgrep_scan.ts";
import { searchLines } from "./search_lines.ts";
import { SearchReport } from "./search_report.ts";
import { leftOutSentences, plural } from "./search_sentences.ts";
import { TimeSlices } from "./time_slices.ts";

const DEFAULT_MAX_RESULTS = 100;
const MAX_RESULTS = 1000;
const MAX_CONTEXT_LINES = 20;
const DEADLINE_MS = 20_000;
/** Kept free for the frame and the sentences behind it. */
const RESERVED_BYTES = 1024;
const MIN_BODY_BYTES = 512;

const SCHEMA = v.object({
  pattern: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.maxLength(2000),
    v.description("RE2 regular expression, matched line by line."),
  ),
  path: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.description("A folder or file; the root if left out.")),
  ),
  glob: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.description('Only these files: "*.ts", "src/**/*.{c,h}".')),
  ),
  ignore_case: v.optional(v.boolean()),
  context: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(MAX_CONTEXT_LINES),
      v.description("Lines to show around each match."),
    ),
  ),
  max_results: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(MAX_RESULTS),
      v.description(`The most matching lines; ${DEFAULT_MAX_RESULTS} if left out.`),
    ),
  ),
});

/** Arguments of `search_files`. */
export type SearchFilesArgs = v.InferOutput<typeof SCHEMA>;

/** Options of {@linkcode createSearchFiles}. */
export interface CreateSearchFilesOptions {
  /** Who owns the processes of `rg`. */
  readonly commands: CommandRegistry;
  /** The environment in which `rg` is looked for; rho's own by default. */
  readonly env?: () => Record<string, string>;
  /** How long one search may take, in milliseconds. @default {20000} */
  readonly deadlineMs?: number;
  /** How many files are read without `rg` first. @default {1000} */
  readonly minRipgrepFiles?: number;
}

/** The `search_files` tool: finds lines by a pattern. */
export function createSearchFiles(options: CreateSearchFilesOptions): Tool<SearchFilesArgs> {
  return {
    name: "search_files",
    description:
      "Finds lines by a regular expression, shown as path:line:text. Hidden files count; .git, " +
      "ignored files, node_modules, target, dist, .venv, binary and secret files are skipped. " +
      'Example: {"pattern": "fn \\\\w+_test\\\\(", "glob": "*.rs", "context": 2}',
    schema: SCHEMA,
    risk: "read",
    highestRisk: "read",
    source: "builtin",
    execute: (args, context) => withFailures(() => searchFiles(args, { context, options })),
  };
}

interface Call {
  readonly context: ToolContext;
  readonly options: CreateSearchFilesOptions;
}

async function searchFiles(args: SearchFilesArgs, call: Call): Promise<ToolResult> {
  const { sandbox, signal, maxOutputBytes } = call.context;
  signal.throwIfAborted();
  const ignoreCase = args.ignore_case ?? false;
  const matcher = await LineMatcher.compile(args.pattern, { ignoreCase });
  const start = await startOf(args, sandbox);
  if (start.problem !== undefined) return toolFailure(start.problem);
  const { path, canonical } = start;
  const slices = new TimeSlices({ signal, deadlineMs: call.options.deadlineMs ?? DEADLINE_MS });
  const tally = newTally();
  const glob = args.glob === undefined ? undefined : new Glob(args.glob, path);
  let searched = 0;
  const accepts = (file: WalkedFile) => {
    if (glob?.matches(file) === false) return false;
    searched += 1;
    return true;
  };
  const walk = start.isFile
    ? [{ name: baseName(path), path, canonical, folderFiles: Infinity }]
    : walkFiles(sandbox, { canonical, tally });
  const files = pacedFiles(walk, { slices, accepts });
  const contextLines = args.context ?? 0;
  const maxResults = args.max_results ?? DEFAULT_MAX_RESULTS;
  const report = new SearchReport({
    maxBytes: Math.max(MIN_BODY_BYTES, maxOutputBytes - RESERVED_BYTES),
    hasContext: contextLines > 0,
  });
  let hasMore = false;
  for await (const file of candidates(files, { call, matcher, slices })) {
    const maxMatches = maxResults - report.matches;
    const found = await searchLines(file.canonical, {
      sandbox,
      matcher,
      slices,
      contextLines,
      maxMatches,
    });
    report.add(file.path, found.lines);
    hasMore = found.hasMore;
    if (hasMore || report.isFull) break;
  }
  const sentences = [
    ...outcome(args, { report, hasMore, searched, path, maxResults }),
    ...leftOutSentences(tally, slices),
  ];
  const told = sentences.join(" ");
  if (report.matches === 0) return toolSuccess(told);
  return toolSuccess(`${frame({ pattern: args.pattern, path }, report.text)}\n${told}`);
}

function candidates(
  files: AsyncGenerator<WalkedFile>,
  search: { readonly call: Call; readonly matcher: LineMatcher; readonly slices: TimeSlices },
): AsyncGenerator<WalkedFile> {
  const { call: { context, options }, matcher, slices } = search;
  const { sandbox, signal } = context;
  const env = options.env?.() ?? Deno.env.toObject();
  const program = matcher.ripgrepSource === undefined ? undefined : findRipgrep(sandbox, env);
  if (program === undefined) return scanContents(files, { matcher, slices });
  const { commands } = options;
  return scanWithRipgrep(files, {
    program,
    sandbox,
    matcher,
    slices,
    commands,
    env,
    signal,
    ...(options.minRipgrepFiles === undefined ? {} : { minFiles: options.minRipgrepFiles }),
  });
}

/** What a call names, or why it is not searched. */
async function startOf(
  args: SearchFilesArgs,
  sandbox: SandboxRoot,
): Promise<
  {
    readonly canonical: string;
    readonly path: string;
    readonly isFile: boolean;
    readonly problem?: string;
  }
> {
  const canonical = await validateExisting(sandbox, args.path ?? ".");
  const path = sandbox.relative(canonical);
  const { isFile, isDirectory } = Deno.statSync(canonical);
  const start = { canonical, path, isFile };
  if (isSecretPath(path)) {
    const problem = `Cannot search "${path}": it usually holds secrets, which searches skip; ` +
      "read_file reads it when a person approves";
    return { ...start, problem };
  }
  if (isFile || isDirectory) return start;
  return { ...start, problem: `Cannot search "${path}": it is a pipe, a socket or a device` };
}

function outcome(
  args: SearchFilesArgs,
  search: {
    readonly report: SearchReport;
    readonly hasMore: boolean;
    readonly searched: number;
    readonly path: string;
    readonly maxResults: number;
  },
): string[] {
  const { report, searched } = search;
  const where = search.path === "." ? "" : ` in "${search.path}"`;
  if (report.matches === 0 && !report.isFull) {
    const glob = args.glob === undefined ? "" : ` that match "${args.glob}"`;
    const none = searched === 0
      ? `There are no files to search${where}${args.glob === undefined ? "" : glob}.`
      : `No line matches in ${plural(searched, "file")}${where}${glob}.`;
    return [none, "Ignored files and heavy folders are only searched when path names one."];
  }
  const lines = plural(report.matches, "matching line");
  if (search.hasMore) {
    const most = search.maxResults === MAX_RESULTS
      ? ""
      : `, or raise max_results (≤ ${MAX_RESULTS})`;
    return [`Only the first ${lines}; narrow the pattern, path or glob${most}.`];
  }
  if (report.isFull) {
    return [`Only the first ${lines} fit into a result; narrow the pattern, path or glob.`];
  }
  return [`${lines} in ${plural(report.files, "file")}.`];
}
