import * as v from "valibot";
import { joinPath } from "../../core/base/paths.ts";
import { makeVisible, utf8Length } from "../../core/base/text.ts";
import { frame } from "../framing.ts";
import { scopeOf } from "../search/scope_of.ts";
import { plural } from "../search/search_sentences.ts";
import { shownPath } from "../search/shown_path.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { formatBytes } from "./file_bytes.ts";
import { type FolderTree, readTree, type TreeEntry } from "./folder_tree.ts";
import { validateExisting } from "./missing_path.ts";

const DEFAULT_DEPTH = 2;
const DEFAULT_LIMIT = 200;
const RESERVED_BYTES = 512;

const SCHEMA = v.object({
  path: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.description("A folder; the root if left out.")),
  ),
  depth: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(20),
      v.description(`How many levels to show; ${DEFAULT_DEPTH} if left out.`),
    ),
  ),
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(5000),
      v.description(`The most entries to show; ${DEFAULT_LIMIT} if left out.`),
    ),
  ),
});

/** Arguments of {@linkcode LIST_DIR}. */
export type ListDirArgs = v.InferOutput<typeof SCHEMA>;

/** Shows the tree below a folder. */
export const LIST_DIR: Tool<ListDirArgs> = {
  name: "list_dir",
  description:
    "Shows the files and folders below a folder as a tree, with sizes. Ignored entries are left " +
    "out; node_modules, target, dist, .venv and .git are named but not entered. " +
    'Example: {"path": "src", "depth": 3}',
  schema: SCHEMA,
  risk: "read",
  highestRisk: "read",
  source: "builtin",
  execute: (args, context) => withFailures(() => listDir(args, context)),
};

async function listDir(args: ListDirArgs, context: ToolContext): Promise<ToolResult> {
  context.signal.throwIfAborted();
  const { sandbox } = context;
  const canonical = await validateExisting(sandbox, args.path ?? ".");
  const path = sandbox.relative(canonical);
  if (!Deno.statSync(canonical).isDirectory) {
    return toolFailure(`Cannot list "${path}": it is a file; use read_file`);
  }
  const limit = args.limit ?? DEFAULT_LIMIT;
  const scope = scopeOf(sandbox, canonical);
  const tree = readTree(canonical, { depth: args.depth ?? DEFAULT_DEPTH, limit, scope });
  const ignored = tree.ignored === 0
    ? []
    : [`${plural(tree.ignored, "ignored entry", "ignored entries")} left out.`];
  if (tree.entries.length === 0 && tree.problem === undefined) {
    const empty = `"${path}" is an empty folder.`;
    return toolSuccess(tree.ignored === 0 ? empty : `"${path}" shows nothing: ${ignored.join("")}`);
  }
  const rows: string[] = [];
  render(tree, { canonical, indent: "", context, rows });
  const budget = context.maxOutputBytes - RESERVED_BYTES;
  let bytes = 0;
  const fitting = rows.findIndex((row) => (bytes += utf8Length(row) + 1) > budget);
  const shown = fitting < 0 ? rows : rows.slice(0, Math.max(fitting, 1));
  const framed = frame({ path }, shown.join("\n"));
  const cut = tree.cut || shown.length < rows.length;
  const more = cut ? ["Not everything is shown; list a folder below, or raise limit."] : [];
  const told = [...more, ...ignored].join(" ");
  return toolSuccess(told === "" ? framed : `${framed}\n${told}`);
}

function render(
  tree: FolderTree,
  into: {
    readonly canonical: string;
    readonly indent: string;
    readonly context: ToolContext;
    readonly rows: string[];
  },
): void {
  const { indent, rows } = into;
  if (tree.problem !== undefined) rows.push(`${indent}(cannot be read: ${tree.problem})`);
  for (const entry of tree.entries) {
    rows.push(indent + describe(entry, into));
    if (entry.type === "folder" && entry.tree !== undefined) {
      const canonical = joinPath(into.canonical, entry.name);
      render(entry.tree, { ...into, canonical, indent: `${indent}  ` });
    }
  }
  if (tree.left > 0) rows.push(`${indent}(${tree.left} more)`);
}

function describe(
  entry: TreeEntry,
  place: { readonly canonical: string; readonly context: ToolContext },
): string {
  const name = shownPath(entry.name);
  switch (entry.type) {
    case "folder":
      return entry.heavy ? `${name}/ (not entered)` : `${name}/`;
    case "file":
      return `${name}  ${formatBytes(entry.sizeBytes)}`;
    case "link":
      return `${name} -> ${makeVisible(entry.target)}${linkRemark(entry.name, place)}`;
    case "other":
      return `${name} (pipe, socket or device)`;
  }
}

function linkRemark(
  name: string,
  place: { readonly canonical: string; readonly context: ToolContext },
): string {
  try {
    const real = Deno.realPathSync(joinPath(place.canonical, name));
    if (!place.context.sandbox.contains(real)) return " (outside the root)";
    return Deno.statSync(real).isDirectory ? " (folder)" : "";
  } catch {
    return " (broken)";
  }
}
