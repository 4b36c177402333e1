import type { Node, Tree } from "web-tree-sitter";

/** A place where a text does not follow its grammar. */
export interface SyntaxFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** Where it starts and ends in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** What the parser says: `missing "}"` or `unexpected "foo bar"`. */
  readonly problem: string;
  /** The smallest sound node around it, such as `function_item "main" (lines 3-9)`. */
  readonly within: string;
}

const MAX_FAULTS = 1000;
const MAX_QUOTE_UNITS = 60;

/** Every ERROR and MISSING node of a tree in the order of the text, 1,000 at most. */
export function syntaxFaults(tree: Tree): SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  if (!tree.rootNode.hasError) return faults;
  const cursor = tree.walk();
  try {
    for (;;) {
      if (cursor.nodeIsMissing || cursor.nodeType === "ERROR") {
        faults.push(toFault(cursor.currentNode));
        if (faults.length === MAX_FAULTS) return faults;
      }
      if (cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return faults;
      }
    }
  } finally {
    cursor.delete();
  }
}

/** A node as a person would name it: its type, its name where it has one, and its lines. */
export function describeNode(node: Node): string {
  const name = node.childForFieldName("name");
  const shown = name === null ? "" : ` "${quote(name.text)}"`;
  const first = node.startPosition.row + 1;
  const last = node.endPosition.row + 1;
  return `${node.type}${shown} (${first === last ? `line ${first}` : `lines ${first}-${last}`})`;
}

function toFault(node: Node): SyntaxFault {
  const { startPosition, startIndex: start, endIndex: end } = node;
  return {
    line: startPosition.row + 1,
    column: startPosition.column + 1,
    start,
    end,
    problem: node.isMissing ? `missing "${node.type}"` : `unexpected "${quote(node.text)}"`,
    within: describeEnclosing(node),
  };
}

function describeEnclosing(node: Node): string {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.isNamed && !at.isError && at.parent !== null) return describeNode(at);
  }
  return "the file's top level";
}

function quote(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  const isCut = line.length > MAX_QUOTE_UNITS || line.length < text.trim().length;
  return isCut ? `${line.slice(0, MAX_QUOTE_UNITS).trimEnd().toWellFormed()}…` : line;
}
