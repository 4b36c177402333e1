import { unreachable } from "../../core/base/errors.ts";
import { type CharSet, intersects, union } from "./char_set.ts";
import type { PatternNode } from "./pattern_tree.ts";

/**
 * An upper bound for what a backtracking engine does on a line of n characters: `branches` times n
 * to the power of `degree` steps.
 */
export interface PatternCost {
  readonly degree: number;
  readonly branches: number;
}

/** What a pattern does from some place to its end. */
interface Rest extends PatternCost {
  /** What it may start with. */
  readonly first: CharSet;
  /** Whether it matches the empty text. */
  readonly isNullable: boolean;
}

/** A repetition with few more turns is as good as a choice. */
const MAX_SPELLED_OUT = 4;
const MAX_SHORT_RUN = 16;
const MAX_BRANCHES = 1000;
const END: Rest = { degree: 0, branches: 1, first: [], isNullable: true };

/**
 * The cost of a pattern for V8, or `undefined` when no bound is known: repetitions inside
 * repetitions and choices under one, which may take exponential time. Also for `\B`, which V8 gets
 * wrong.
 *
 * A repetition whose characters cannot start what follows it (`\s+` before `\w`) is never undone
 * with success, so it only costs its own length; any other one multiplies what follows.
 */
export function patternCost(node: PatternNode): PatternCost | undefined {
  const cost = through(node, END);
  if (cost === undefined || cost.branches > MAX_BRANCHES) return undefined;
  return { degree: cost.degree + (isAnchored(node) ? 0 : 1), branches: cost.branches };
}

function through(node: PatternNode, rest: Rest): Rest | undefined {
  switch (node.type) {
    case "chars":
      return { ...rest, first: node.set, isNullable: false };
    case "edge":
      // V8 finds `\B` between the halves of a surrogate pair too.
      return node.edge === "no_word" ? undefined : rest;
    case "sequence":
      return node.items.reduceRight<Rest | undefined>(
        (after, item) => after === undefined ? undefined : through(item, after),
        rest,
      );
    case "choice":
      return anyOf(node.options.map((option) => through(option, rest)));
    case "repeat":
      return throughRepeat(node, rest);
    default:
      return unreachable(node);
  }
}

function anyOf(options: readonly (Rest | undefined)[]): Rest | undefined {
  let result: Rest | undefined;
  for (const option of options) {
    if (option === undefined) return undefined;
    result = result === undefined ? option : {
      degree: Math.max(result.degree, option.degree),
      branches: result.branches + option.branches,
      first: union(result.first, option.first),
      isNullable: result.isNullable || option.isNullable,
    };
  }
  return result;
}

function throughRepeat(
  node: Extract<PatternNode, { readonly type: "repeat" }>,
  rest: Rest,
): Rest | undefined {
  const { body, min, max } = node;
  if (max === 0) return rest;
  if (max === 1) {
    const once = through(body, rest);
    return min === 1 ? once : anyOf([once, rest]);
  }
  if (!isFixed(body)) return undefined;
  const { first } = through(body, END) ?? END;
  // Many equal turns cost their own length at every place where they may start.
  const own = min > MAX_SHORT_RUN ? 1 : 0;
  if (min === max) {
    return { ...rest, degree: Math.max(rest.degree, own), first, isNullable: false };
  }
  const isUndone = rest.isNullable || intersects(first, rest.first);
  const isFew = max - min <= MAX_SPELLED_OUT;
  return {
    degree: isFew
      ? Math.max(rest.degree, own)
      : isUndone
      ? rest.degree + 1
      : Math.max(rest.degree, 1),
    branches: isFew ? rest.branches * (max - min + 1) : rest.branches,
    first: min === 0 ? union(first, rest.first) : first,
    isNullable: min === 0 && rest.isNullable,
  };
}

/** Whether a part matches in one way only, and never the empty text. */
function isFixed(node: PatternNode): boolean {
  switch (node.type) {
    case "chars":
      return true;
    case "sequence":
      return node.items.length > 0 && node.items.every(isFixed);
    case "repeat":
      return node.min === node.max && node.min > 0 && isFixed(node.body);
    case "choice":
    case "edge":
      return false;
    default:
      return unreachable(node);
  }
}

function isAnchored(node: PatternNode): boolean {
  if (node.type === "edge") return node.edge === "start";
  if (node.type === "choice") return node.options.every(isAnchored);
  const [first] = node.type === "sequence" ? node.items : [];
  return first !== undefined && isAnchored(first);
}
