import * as v from "valibot";
import { errorMessage } from "../../core/base/errors.ts";
import { utf8Length } from "../../core/base/text.ts";
import { shownPath } from "../search/shown_path.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { guardRead } from "./file_guards.ts";
import { READ_FILE, type ReadFileArgs } from "./read_file.ts";

const MAX_FILES = 20;
/** A file gets at least this much, so that its frame and what to do next always fit. */
const MIN_FILE_BYTES = 1024;

const SCHEMA = v.object({
  paths: v.pipe(
    v.array(v.pipe(v.string(), v.nonEmpty())),
    v.minLength(1),
    v.maxLength(MAX_FILES),
    v.description(`1 to ${MAX_FILES} paths, relative to the root.`),
  ),
});

/** Arguments of {@linkcode BATCH_READ}. */
export type BatchReadArgs = v.InferOutput<typeof SCHEMA>;

/** The calls that a batch stands for; the same objects are judged and then read. */
const READS = new WeakMap<BatchReadArgs, readonly ReadFileArgs[]>();

/** Reads several files in one call, as `read_file` does. */
export const BATCH_READ: Tool<BatchReadArgs> = {
  name: "batch_read",
  description:
    `Reads up to ${MAX_FILES} text files in one call, each as read_file shows it; long ` +
    'ones are cut so that all fit. Example: {"paths": ["src/main.ts", "deno.json"]}',
  schema: SCHEMA,
  risk: "read",
  highestRisk: "read",
  source: "builtin",
  guard: guardBatch,
  execute: (args, context) => withFailures(() => batchRead(args, context)),
};

async function guardBatch(
  args: BatchReadArgs,
  context: Parameters<typeof guardRead>[1],
): Promise<string | undefined> {
  const reasons = await Promise.all(readsOf(args).map((read) => guardRead(read, context)));
  const found = reasons.filter((reason) => reason !== undefined);
  return found.length === 0 ? undefined : found.join("; ");
}

function readsOf(args: BatchReadArgs): readonly ReadFileArgs[] {
  const known = READS.get(args);
  if (known !== undefined) return known;
  const reads = args.paths.map((path): ReadFileArgs => ({ path }));
  READS.set(args, reads);
  return reads;
}

async function batchRead(args: BatchReadArgs, context: ToolContext): Promise<ToolResult> {
  const reads = readsOf(args);
  const sizes = await Promise.all(reads.map(({ path }) => sizeOf(path, context)));
  const results: ToolResult[] = [];
  let leftBytes = context.maxOutputBytes;
  // What small files leave over goes to the big ones.
  const smallestFirst = [...reads.keys()].sort((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0));
  for (const [done, index] of smallestFirst.entries()) {
    context.signal.throwIfAborted();
    const read = reads[index];
    if (read === undefined) continue;
    const label = `[${index + 1}/${reads.length}] ${shownPath(read.path)}`;
    const shareBytes = Math.floor(leftBytes / (reads.length - done)) - utf8Length(label) - 2;
    const result = shareBytes < MIN_FILE_BYTES
      ? toolFailure("Not read: no room is left in this result; read it with read_file")
      : await readOne(read, { ...context, maxOutputBytes: shareBytes });
    results[index] = { ...result, output: `${label}\n${result.output}` };
    leftBytes -= utf8Length(`${label}\n${result.output}\n`);
  }
  const output = results.map((result) => result.output).join("\n");
  return results.every(({ isError }) => isError) ? toolFailure(output) : toolSuccess(output);
}

/** One file must not spoil the others. */
async function readOne(read: ReadFileArgs, context: ToolContext): Promise<ToolResult> {
  try {
    return await READ_FILE.execute(read, context);
  } catch (error) {
    context.signal.throwIfAborted();
    return toolFailure(`Cannot read "${read.path}": ${errorMessage(error)}`);
  }
}

async function sizeOf(path: string, { sandbox }: ToolContext): Promise<number> {
  try {
    return Deno.lstatSync(await sandbox.validate(path)).size;
  } catch {
    return 0;
  }
}
