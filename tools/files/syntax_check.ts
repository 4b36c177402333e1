import { crossedNodes } from "../syntax/crossed_nodes.ts";
import { grammarOfPath } from "../syntax/grammars.ts";
import { withTrees } from "../syntax/parse_text.ts";
import { type SyntaxFault, syntaxFaults } from "../syntax/syntax_faults.ts";

/** What one edit replaces and what it becomes. */
export interface EditedRange {
  /** The number of the edit in the call, from 1. */
  readonly number: number;
  /** The part of the text before, in UTF-16 units of it with line feeds only. */
  readonly start: number;
  readonly end: number;
}

/** A change as the syntax check sees it. */
export interface SyntaxChange {
  /** The file's name decides about the language. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly edits: readonly EditedRange[];
  /** Where the first edit is in the text after, in UTF-16 units. */
  readonly firstChange: number;
}

/** What a change does to the syntax of a file. */
export interface SyntaxReport {
  /** Why the change makes things worse, with place and node; absent when it does not. */
  readonly problem?: string;
  /** A line for every edit that cuts a node in two. */
  readonly warnings: readonly string[];
}

const NOTHING: SyntaxReport = { warnings: [] };

/**
 * Parses a file before and after a change. Files in other languages, too big, too wide or too slow
 * to parse pass unchecked, and so does everything when the parser cannot be loaded: the check helps,
 * and must never stand in the way.
 */
export async function checkSyntax(change: SyntaxChange): Promise<SyntaxReport> {
  const grammar = grammarOfPath(change.path);
  if (grammar === undefined) return NOTHING;
  const before = withLineFeeds(change.before);
  const after = withLineFeeds(change.after);
  const firstChange = withLineFeeds(change.after.slice(0, change.firstChange)).length;
  try {
    const report = await withTrees([before, after], { grammar }, ([old, fresh]) => {
      if (old === undefined || fresh === undefined) return NOTHING;
      const problem = addedFault(syntaxFaults(old), {
        faults: syntaxFaults(fresh),
        text: after,
        firstChange,
      });
      const warnings = change.edits.flatMap(({ number, start, end }) => {
        const { startsIn, endsIn } = crossedNodes(old, { text: before, start, end });
        return [
          ...(startsIn === undefined ? [] : [`edit ${number} starts inside ${startsIn}`]),
          ...(endsIn === undefined ? [] : [`edit ${number} ends inside ${endsIn}`]),
        ];
      });
      return { warnings, ...(problem === undefined ? {} : { problem }) };
    });
    return report ?? NOTHING;
  } catch {
    return NOTHING;
  }
}

function withLineFeeds(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

function addedFault(
  before: readonly SyntaxFault[],
  after: {
    readonly faults: readonly SyntaxFault[];
    readonly text: string;
    readonly firstChange: number;
  },
): string | undefined {
  if (after.faults.length <= before.length) return undefined;
  const known = new Map<string, number>();
  for (const fault of before) known.set(keyOf(fault), (known.get(keyOf(fault)) ?? 0) + 1);
  const added = after.faults.filter((fault) => {
    const count = known.get(keyOf(fault)) ?? 0;
    if (count > 0) known.set(keyOf(fault), count - 1);
    return count === 0;
  });
  const fault = added[0] ?? after.faults[0];
  if (fault === undefined) return undefined;
  const place = placeOf(fault, after);
  const more = before.length === 0
    ? ""
    : `; the file has ${plural(before.length)} already and may not get more`;
  const line = after.text.split("\n", place.line)[place.line - 1] ?? "";
  return `a syntax error at line ${place.line}, column ${place.column}, in ${fault.within}: ` +
    `${fault.problem}${more}. That line would read: ${line.trim().slice(0, 200).toWellFormed()}`;
}

function keyOf(fault: SyntaxFault): string {
  return `${fault.problem}\n${fault.within.replace(/ \(lines? [\d-]+\)$/, "")}`;
}

// A parser that lost its way marks everything from the start; the change says where to look.
function placeOf(
  fault: SyntaxFault,
  after: { readonly text: string; readonly firstChange: number },
): { readonly line: number; readonly column: number } {
  const { firstChange, text } = after;
  if (firstChange <= fault.start || fault.end <= firstChange) return fault;
  const line = text.slice(0, firstChange).split("\n").length;
  return { line, column: firstChange - text.lastIndexOf("\n", firstChange - 1) };
}

function plural(count: number): string {
  return count === 1 ? "1 syntax error" : `${count} syntax errors`;
}
