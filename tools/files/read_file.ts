import * as v from "valibot";
import { frame } from "../framing.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { formatBytes, readUpTo } from "./file_bytes.ts";
import { checkJudged, guardRead } from "./file_guards.ts";
import { readLargeRange } from "./large_file.ts";
import { loadFile } from "./load_file.ts";
import { validateExisting } from "./missing_path.ts";
import { renderLines } from "./render_lines.ts";
import { rememberServed } from "./served_text.ts";
import { decodeFile, encodingOf } from "./text_file.ts";
import { splitLines, type TextLine } from "./text_lines.ts";

const DEFAULT_LIMIT_LINES = 2000;
/** Kept free for the frame and the sentence behind it. */
const RESERVED_BYTES = 512;
const MIN_BODY_BYTES = 256;

const SCHEMA = v.object({
  path: v.pipe(v.string(), v.nonEmpty(), v.description('Relative to the root, like "src/a.ts".')),
  offset: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.description("First line to read, from 1.")),
  ),
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description(`Number of lines; ${DEFAULT_LIMIT_LINES} if left out.`),
    ),
  ),
  column: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description(
        "Character to start at in the first line; only to read on in a line cut short.",
      ),
    ),
  ),
  hashline: v.optional(
    v.pipe(v.boolean(), v.description("false leaves out the LINE#HASH: anchors.")),
  ),
});

/** Arguments of {@linkcode READ_FILE}. */
export type ReadFileArgs = v.InferOutput<typeof SCHEMA>;

/** Reads a text file, or lines of it, with the anchors that `edit_file` takes. */
export const READ_FILE: Tool<ReadFileArgs> = {
  name: "read_file",
  description: "Reads a text file or a range of its lines. Each line is shown as LINE#HASH:text, " +
    "for example 12#KTXJ:let x = 1; edit_file takes LINE#HASH as an anchor; it is not part of " +
    'the file. Example: {"path": "src/main.ts", "offset": 100, "limit": 50}',
  schema: SCHEMA,
  risk: "read",
  highestRisk: "read",
  source: "builtin",
  guard: guardRead,
  execute: (args, context) => withFailures(() => readFile(args, context)),
};

async function readFile(args: ReadFileArgs, context: ToolContext): Promise<ToolResult> {
  context.signal.throwIfAborted();
  const { sandbox, tracker } = context;
  const canonical = await validateExisting(sandbox, args.path);
  checkJudged(args, { sandbox, canonical });
  const path = sandbox.relative(canonical);
  const loaded = loadFile(sandbox, canonical);
  switch (loaded.type) {
    case "binary": {
      const size = formatBytes(loaded.bytes.length);
      return toolSuccess(`"${path}" is ${loaded.description}, ${size}; its content is not shown.`);
    }
    case "unknown_encoding":
      return toolFailure(
        `Cannot read "${path}" as text: ${loaded.reason}; convert it to UTF-8 or look at it with ` +
          "a command",
      );
    case "too_big":
      return readLarge(args, { context, canonical, sizeBytes: loaded.sizeBytes });
    case "text":
      break;
  }
  const { text } = loaded;
  tracker.record(canonical, text);
  rememberServed(tracker, { path: canonical, text });
  const lines = splitLines(text);
  if (lines.length === 0) return toolSuccess(`"${path}" is empty: 0 lines, 0 characters.`);
  const offset = args.offset ?? 1;
  const limit = args.limit ?? DEFAULT_LIMIT_LINES;
  if (offset > lines.length) {
    return toolFailure(`Cannot read from line ${offset}: "${path}" has ${plural(lines.length)}`);
  }
  const plain = args.column === undefined && args.hashline !== false;
  if (plain && tracker.noteRead(canonical, { content: text, offset, limit })) {
    return toolSuccess(
      `"${path}" is unchanged since you read the same lines of it before; use that result.`,
    );
  }
  return show(args, {
    path,
    text,
    lines,
    firstNumber: 1,
    total: String(lines.length),
    maxBytes: context.maxOutputBytes,
  });
}

interface Showing {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly TextLine[];
  /** The number of `lines[0]`. */
  readonly firstNumber: number;
  readonly total: string;
  readonly maxBytes: number;
}

function show(args: ReadFileArgs, file: Showing): ToolResult {
  const from = (args.offset ?? 1) - file.firstNumber;
  const to = Math.min(from + (args.limit ?? DEFAULT_LIMIT_LINES), file.lines.length);
  const first = file.lines[from];
  const column = args.column ?? 1;
  const firstUnits = first === undefined ? 0 : first.end - first.start;
  if (column > 1 && column > firstUnits) {
    return toolFailure(
      `Cannot read from column ${column}: line ${from + file.firstNumber} of "${file.path}" has ` +
        `${firstUnits} characters`,
    );
  }
  const rendered = renderLines({
    ...file,
    from,
    to,
    column,
    hashline: args.hashline !== false,
    maxBytes: Math.max(MIN_BODY_BYTES, file.maxBytes - RESERVED_BYTES),
  });
  const last = rendered.to + file.firstNumber - 1;
  const range = `${from + file.firstNumber}-${last}`;
  const framed = frame({ path: file.path, lines: `${range}/${file.total}` }, rendered.body);
  const more = file.total === "?" || last < Number(file.total);
  return toolSuccess(
    more ? `${framed}\nLines ${range} of ${file.total}; read on with offset ${last + 1}.` : framed,
  );
}

/** A file over the limit is described; only a range of it is read. */
function readLarge(
  args: ReadFileArgs,
  file: {
    readonly context: ToolContext;
    readonly canonical: string;
    readonly sizeBytes: number;
  },
): ToolResult {
  const { sandbox, maxOutputBytes } = file.context;
  const path = sandbox.relative(file.canonical);
  using handle = sandbox.openFile(file.canonical);
  const head = readUpTo(handle, 8192);
  const size = formatBytes(file.sizeBytes);
  // The cut may split a character, so only what is binary for certain is told from the head.
  const probe = decodeFile(head);
  if (probe.type === "binary") {
    return toolSuccess(`"${path}" is ${probe.description}, ${size}; its content is not shown.`);
  }
  if (encodingOf(head)?.name !== "utf-8") {
    return toolFailure(
      `Cannot read "${path}": it is UTF-16 and has ${size}; look at it with a command`,
    );
  }
  if (args.offset === undefined && args.limit === undefined && args.column === undefined) {
    return toolSuccess(
      `"${path}" is a text file of ${size}, too big to be shown whole. Read a range, for example ` +
        `{"path": ${JSON.stringify(path)}, "offset": 1, "limit": 100}, ` +
        "or search it.",
    );
  }
  handle.seekSync(0, Deno.SeekMode.Start);
  const offset = args.offset ?? 1;
  const range = readLargeRange(handle, {
    offset,
    maxLines: args.limit ?? DEFAULT_LIMIT_LINES,
    maxBytes: maxOutputBytes + 4 * (args.column ?? 1) + 100_000,
    sizeBytes: file.sizeBytes,
  });
  if (range === undefined) {
    return toolFailure(`Cannot read "${path}" as text: these lines are not valid UTF-8`);
  }
  if (range.lines.length === 0) {
    const total = range.totalLines === undefined ? "fewer lines" : plural(range.totalLines);
    return toolFailure(`Cannot read from line ${offset}: "${path}" has ${total}`);
  }
  return show({ ...args, offset }, {
    path,
    text: range.text,
    lines: range.lines,
    firstNumber: offset,
    total: range.totalLines === undefined ? "?" : String(range.totalLines),
    maxBytes: maxOutputBytes,
  });
}

function plural(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}
