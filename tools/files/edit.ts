import * as v from "valibot";
import { type Anchor, parseAnchor } from "./anchors.ts";

/**
 * One edit as models send it. Flat rather than a union: small models fill in flat objects more
 * reliably, and {@linkcode parseEdit} can say better what is missing.
 */
export const EDIT_SCHEMA = v.object({
  op: v.optional(
    v.pipe(
      v.picklist(["replace", "append", "prepend", "delete"]),
      v.description(
        "replace and delete lines pos to end; append adds lines after pos, prepend before it.",
      ),
    ),
  ),
  pos: v.optional(
    v.pipe(
      v.string(),
      v.description(
        "Anchor LINE#HASH as read_file shows it, like 12#KTXJ. append and prepend without it mean " +
          "the end and the start of the file.",
      ),
    ),
  ),
  end: v.optional(
    v.pipe(v.string(), v.description("Anchor of the last line of a range; pos if left out.")),
  ),
  lines: v.optional(
    v.pipe(v.array(v.string()), v.description("The new lines, without anchors and line endings.")),
  ),
  old_text: v.optional(
    v.pipe(
      v.string(),
      v.description("Instead of op: text that stands exactly once in the file."),
    ),
  ),
  new_text: v.optional(v.pipe(v.string(), v.description("What replaces old_text."))),
});

/** An edit as sent. */
export type EditArgs = v.InferOutput<typeof EDIT_SCHEMA>;

/** An edit as understood. */
export type Edit =
  | {
    readonly type: "range";
    readonly from: Anchor;
    readonly to: Anchor;
    /** The new lines; none deletes the range. */
    readonly lines: readonly string[];
  }
  | {
    readonly type: "insert";
    /** Absent for the start or end of the file. */
    readonly at?: Anchor;
    readonly side: "before" | "after";
    readonly lines: readonly string[];
  }
  | { readonly type: "text"; readonly oldText: string; readonly newText: string };

/** What is wrong with an edit, as the end of a sentence. */
export interface EditProblem {
  readonly type: "problem";
  readonly message: string;
}

/** Understands one edit, or says what is missing or contradictory. */
export function parseEdit(args: EditArgs): Edit | EditProblem {
  if (args.old_text !== undefined || args.new_text !== undefined) return parseTextEdit(args);
  const lines = args.lines?.flatMap(toLines);
  switch (args.op) {
    case undefined:
      return problem(
        'it needs either op ("replace", "append", …) with pos, or old_text with new_text',
      );
    case "append":
    case "prepend":
      return parseInsert(args, lines);
    case "replace":
      if (lines === undefined) {
        return problem('"replace" needs lines; to remove lines use "delete"');
      }
      return parseRange(args, lines);
    case "delete":
      if (lines !== undefined && lines.length > 0) {
        return problem('"delete" takes no lines; use "replace" to put others in their place');
      }
      return parseRange(args, []);
  }
}

function parseTextEdit(args: EditArgs): Edit | EditProblem {
  if (args.pos !== undefined || args.end !== undefined || args.lines !== undefined) {
    return problem("it has both an anchor or lines and old_text or new_text; send one kind only");
  }
  if (args.op !== undefined && args.op !== "replace") {
    return problem(`"${args.op}" takes pos and lines, not old_text and new_text`);
  }
  if (args.old_text === undefined) return problem("new_text needs old_text");
  if (args.new_text === undefined) return problem('old_text needs new_text; "" removes the text');
  if (args.old_text === "") {
    return problem('old_text is empty; to add lines use op "append" or "prepend"');
  }
  return {
    type: "text",
    oldText: args.old_text.replaceAll("\r\n", "\n"),
    newText: args.new_text.replaceAll("\r\n", "\n"),
  };
}

function parseInsert(args: EditArgs, lines: readonly string[] | undefined): Edit | EditProblem {
  if (lines === undefined || lines.length === 0) return problem(`"${args.op}" needs lines`);
  if (args.end !== undefined && args.end !== args.pos) {
    return problem(`"${args.op}" takes pos, not end; use "replace" for a range`);
  }
  const side = args.op === "append" ? "after" : "before";
  if (args.pos === undefined) return { type: "insert", side, lines };
  const at = parseAnchor(args.pos);
  return at === undefined ? badAnchor("pos", args.pos) : { type: "insert", at, side, lines };
}

function parseRange(args: EditArgs, lines: readonly string[]): Edit | EditProblem {
  if (args.pos === undefined) return problem(`"${args.op}" needs pos, an anchor like 12#KTXJ`);
  const from = parseAnchor(args.pos);
  if (from === undefined) return badAnchor("pos", args.pos);
  const to = args.end === undefined ? from : parseAnchor(args.end);
  if (to === undefined) return badAnchor("end", args.end ?? "");
  if (to.line < from.line) {
    return problem(`its range is reversed: it ends at line ${to.line}, before line ${from.line}`);
  }
  return { type: "range", from, to, lines };
}

function badAnchor(name: string, text: string): EditProblem {
  const shown = JSON.stringify(text.slice(0, 40));
  return problem(
    `${name} must be an anchor LINE#HASH as read_file shows it, like 12#KTXJ, not ${shown}`,
  );
}

/** An item of `lines` is one line; one with line feeds inside stands for several. */
function toLines(item: string): string[] {
  return item.replace(/\r?\n$/, "").split(/\r?\n/);
}

function problem(message: string): EditProblem {
  return { type: "problem", message };
}
