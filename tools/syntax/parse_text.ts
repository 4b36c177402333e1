import type { Tree } from "web-tree-sitter";
import type { GrammarName } from "./grammars.ts";
import { parserOf } from "./parser_engine.ts";

/** Options of {@linkcode withTrees}. */
export interface ParseTextOptions {
  readonly grammar: GrammarName;
  /**
   * The longest text, in UTF-16 units.
   * @default {1048576}
   */
  readonly maxUnits?: number;
  /**
   * The longest line, in UTF-16 units; parsing time is not linear in it.
   * @default {20000}
   */
  readonly maxLineUnits?: number;
  /**
   * The most time for one text, in milliseconds.
   * @default {1000}
   */
  readonly maxParseMs?: number;
}

const DEFAULT_MAX_UNITS = 1024 * 1024;
const DEFAULT_MAX_LINE_UNITS = 20_000;
const DEFAULT_MAX_PARSE_MS = 1000;

/**
 * Parses texts and lends the trees to `body`. They are deleted afterwards whatever happens: the
 * garbage collector does not see how big they are.
 *
 * @param body Works synchronously and keeps no node.
 * @returns what `body` returns, or `undefined` when a text is too big, too wide or too slow.
 */
export async function withTrees<Result>(
  texts: readonly string[],
  options: ParseTextOptions,
  body: (trees: readonly Tree[]) => Result,
): Promise<Result | undefined> {
  if (!texts.every((text) => fitsBounds(text, options))) return undefined;
  const parser = await parserOf(options.grammar);
  const trees: Tree[] = [];
  try {
    for (const text of texts) {
      const endMs = performance.now() + (options.maxParseMs ?? DEFAULT_MAX_PARSE_MS);
      const tree = parser.parse(text, null, {
        progressCallback: () => performance.now() > endMs,
      });
      if (tree === null) {
        // A parser that was stopped would otherwise go on with the old text.
        parser.reset();
        return undefined;
      }
      trees.push(tree);
    }
    return body(trees);
  } finally {
    for (const tree of trees) tree.delete();
  }
}

function fitsBounds(text: string, options: ParseTextOptions): boolean {
  if (text.length > (options.maxUnits ?? DEFAULT_MAX_UNITS)) return false;
  const maxLineUnits = options.maxLineUnits ?? DEFAULT_MAX_LINE_UNITS;
  let start = 0;
  while (start + maxLineUnits < text.length) {
    const end = text.indexOf("\n", start);
    if ((end === -1 ? text.length : end) - start > maxLineUnits) return false;
    if (end === -1) return true;
    start = end + 1;
  }
  return true;
}
