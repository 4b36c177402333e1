import type { Node, Tree } from "web-tree-sitter";
import { describeNode } from "./syntax_faults.ts";

/**
 * The smallest nodes of several lines that a range cuts in two: one that it starts in the middle
 * of, and one that it ends in the middle of. Space at both ends of the range does not count.
 *
 * @param range In UTF-16 units of the text that the tree was made from.
 */
export function crossedNodes(
  tree: Tree,
  range: { readonly text: string; readonly start: number; readonly end: number },
): { readonly startsIn?: string; readonly endsIn?: string } {
  const inside = range.text.slice(range.start, range.end);
  const start = range.start + inside.length - inside.trimStart().length;
  const end = range.end - (inside.length - inside.trimEnd().length);
  if (start >= end) return {};
  const startsIn = enclosing(
    tree,
    start,
    (node) => node.startIndex < start && start < node.endIndex && node.endIndex <= end,
  );
  const endsIn = enclosing(
    tree,
    end - 1,
    (node) => start <= node.startIndex && node.startIndex < end && end < node.endIndex,
  );
  return {
    ...(startsIn === undefined ? {} : { startsIn }),
    ...(endsIn === undefined ? {} : { endsIn }),
  };
}

function enclosing(tree: Tree, at: number, isCut: (node: Node) => boolean): string | undefined {
  for (
    let node: Node | null = tree.rootNode.namedDescendantForIndex(at, at);
    node !== null && node.parent !== null;
    node = node.parent
  ) {
    const lines = node.endPosition.row - node.startPosition.row;
    if (lines > 0 && !node.isError && isCut(node)) return describeNode(node);
  }
  return undefined;
}
