import type { Node } from "web-tree-sitter";
import { readBashWord } from "./bash_word.ts";
import { isLiteral } from "./shell_word.ts";

/** Commands that give variables values which nobody knows. */
const SETTERS: ReadonlySet<string> = new Set([
  "read",
  "mapfile",
  "readarray",
  "getopts",
  "printf",
  "unset",
  "let",
]);

/**
 * Variables of a script that have one value, and it stands in the source: `R=rm`. Whatever is set
 * twice, added to, or read from somewhere is left out.
 */
export function knownVariables(
  root: Node,
  outer: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const known = new Map(outer);
  const seen = new Set<string>();
  for (const node of root.descendantsOfType("variable_assignment")) {
    const name = node.childForFieldName("name")?.text ?? "";
    const value = node.childForFieldName("value");
    const isFirst = !seen.has(name);
    seen.add(name);
    known.delete(name);
    if (!isFirst || node.text.startsWith(`${name}+`)) continue;
    const text = value === null ? "" : literalValue(value);
    if (text !== undefined) known.set(name, text);
  }
  if (known.size === 0) return known;
  for (const node of root.descendantsOfType(["for_statement", "select_statement"])) {
    known.delete(node.childForFieldName("variable")?.text ?? "");
  }
  for (const node of root.descendantsOfType("command")) {
    if (!SETTERS.has(node.childForFieldName("name")?.text ?? "")) continue;
    for (const argument of node.childrenForFieldName("argument")) known.delete(argument.text);
  }
  return known;
}

function literalValue(node: Node): string | undefined {
  if (/[$`(]/.test(node.text.replace(/'[^']*'/g, ""))) return undefined;
  const words = readBashWord(node.text, []);
  const [word] = words;
  return words.length === 1 && word !== undefined && isLiteral(word) ? word.text : undefined;
}
