import { unreachable } from "../../core/base/errors.ts";
import { type CharSet, intersects } from "./char_set.ts";
import type { PatternNode } from "./pattern_tree.ts";

/** What stands for a byte that is no UTF-8. */
const REPLACEMENT: CharSet = [[0xfffd, 0xfffd]];

/**
 * A pattern for V8 with the flag `v`; add `m` to run it over many lines. With the flag `u` V8 15.0
 * does not match a character beyond U+FFFF in front of `$`: `/[\u{1f600}]$/u` misses itself.
 */
export function nativeSource(node: PatternNode): string {
  return write(node, {
    set: (set) => writeSet(set, (code) => `\\u{${code.toString(16)}}`),
    start: "^",
    end: "$",
    word: "\\b",
    noWord: "\\B",
  });
}

/**
 * A pattern for `rg` that matches at least every line that {@linkcode nativeSource} does, or
 * `undefined`. It may match more: in files that are no valid UTF-8, and at byte order marks and
 * carriage returns, which are no part of a line here.
 */
export function ripgrepSource(node: PatternNode): string | undefined {
  // A byte order mark and a carriage return would stand between such an edge and the line's.
  if (hasWordEdge(node) && hasInnerLineEdge(node, { isFirst: true, isLast: true })) {
    return undefined;
  }
  const hex = (code: number) => `\\x{${code.toString(16)}}`;
  return write(node, {
    set: (set) => {
      const written = writeSet(withoutSurrogates(set), hex);
      // One to three bad bytes are one replacement character.
      return intersects(set, REPLACEMENT) ? `(?:${written}|(?-u:[\\x80-\\xff]{1,3}))` : written;
    },
    start: "(?:^\\x{feff}?)",
    end: "(?:\\r?$)",
    word: "(?-u:\\b)",
    noWord: "(?-u:\\B)",
  });
}

interface Dialect {
  readonly set: (set: CharSet) => string;
  readonly start: string;
  readonly end: string;
  readonly word: string;
  readonly noWord: string;
}

function write(node: PatternNode, dialect: Dialect): string {
  switch (node.type) {
    case "chars":
      return dialect.set(node.set);
    case "sequence":
      return node.items.map((item) =>
        item.type === "choice" ? `(?:${write(item, dialect)})` : write(item, dialect)
      ).join("");
    case "choice":
      return node.options.map((option) => write(option, dialect)).join("|");
    case "repeat": {
      const { min, max } = node;
      const range = max === Infinity ? `{${min},}` : min === max ? `{${min}}` : `{${min},${max}}`;
      return `(?:${write(node.body, dialect)})${range}`;
    }
    case "edge":
      switch (node.edge) {
        case "start":
          return dialect.start;
        case "end":
          return dialect.end;
        case "word":
          return dialect.word;
        case "no_word":
          return dialect.noWord;
        default:
          return unreachable(node.edge);
      }
    default:
      return unreachable(node);
  }
}

function writeSet(set: CharSet, code: (code: number) => string): string {
  const [first] = set;
  if (set.length === 1 && first !== undefined && first[0] === first[1]) return code(first[0]);
  return `[${
    set.map(([from, to]) => from === to ? code(from) : `${code(from)}-${code(to)}`).join("")
  }]`;
}

function withoutSurrogates(set: CharSet): CharSet {
  return set.flatMap(([from, to]): [number, number][] => {
    if (to < 0xd800 || from > 0xdfff) return [[from, to]];
    const around: [number, number][] = [[from, 0xd7ff], [0xe000, to]];
    return around.filter(([start, end]) => start <= end);
  });
}

function hasWordEdge(node: PatternNode): boolean {
  switch (node.type) {
    case "chars":
      return false;
    case "edge":
      return node.edge === "word" || node.edge === "no_word";
    case "repeat":
      return hasWordEdge(node.body);
    case "sequence":
      return node.items.some(hasWordEdge);
    case "choice":
      return node.options.some(hasWordEdge);
    default:
      return unreachable(node);
  }
}

/** Whether a line's edge stands elsewhere than at the start or end of the pattern. */
function hasInnerLineEdge(
  node: PatternNode,
  place: { readonly isFirst: boolean; readonly isLast: boolean },
): boolean {
  switch (node.type) {
    case "chars":
      return false;
    case "edge":
      return (node.edge === "start" && !place.isFirst) || (node.edge === "end" && !place.isLast);
    case "repeat":
      return hasInnerLineEdge(node.body, { isFirst: false, isLast: false });
    case "choice":
      return node.options.some((option) => hasInnerLineEdge(option, place));
    case "sequence":
      return node.items.some((item, index) =>
        hasInnerLineEdge(item, {
          isFirst: place.isFirst && index === 0,
          isLast: place.isLast && index === node.items.length - 1,
        })
      );
    default:
      return unreachable(node);
  }
}
