import { unreachable } from "../../core/base/errors.ts";
import type { CharSet } from "./char_set.ts";
import type { PatternNode } from "./pattern_tree.ts";

type Run = readonly CharSet[];

/** Larger sets say too little about a line. */
const MAX_SET_SIZE = 3;
const MAX_OPTIONS = 8;

/**
 * A pattern without repetitions that every match holds, to find candidates fast: the longest run
 * of literal characters, or one for each option of a choice. `undefined` when nothing is certain.
 */
export function requiredText(node: PatternNode): PatternNode | undefined {
  const runs = requiredRuns(node);
  if (runs === undefined || runs.length === 0 || runs.length > MAX_OPTIONS) return undefined;
  return {
    type: "choice",
    options: runs.map((run): PatternNode => ({
      type: "sequence",
      items: run.map((set): PatternNode => ({ type: "chars", set })),
    })),
  };
}

/** One of these runs is in every match. */
function requiredRuns(node: PatternNode): readonly Run[] | undefined {
  switch (node.type) {
    case "chars":
      return isLiteral(node.set) ? [[node.set]] : undefined;
    case "edge":
      return undefined;
    case "repeat":
      return node.min > 0 ? requiredRuns(node.body) : undefined;
    case "choice": {
      const all: Run[] = [];
      for (const option of node.options) {
        const runs = requiredRuns(option);
        if (runs === undefined) return undefined;
        all.push(...runs);
      }
      return all;
    }
    case "sequence":
      return best(node.items);
    default:
      return unreachable(node);
  }
}

function best(items: readonly PatternNode[]): readonly Run[] | undefined {
  const found: (readonly Run[])[] = [];
  let run: CharSet[] = [];
  const close = () => {
    if (run.length > 0) found.push([run]);
    run = [];
  };
  for (const item of items) {
    if (item.type === "chars" && isLiteral(item.set)) {
      run.push(item.set);
      continue;
    }
    // An edge takes no character, so the run goes on behind it.
    if (item.type === "edge") continue;
    close();
    const inside = requiredRuns(item);
    if (inside !== undefined) found.push(inside);
  }
  close();
  const shortest = (runs: readonly Run[]) => Math.min(...runs.map((each) => each.length));
  return found.sort((a, b) => shortest(b) - shortest(a))[0];
}

function isLiteral(set: CharSet): boolean {
  return set.reduce((size, [from, to]) => size + to - from + 1, 0) <= MAX_SET_SIZE;
}
