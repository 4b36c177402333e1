import type { Node, Tree } from "web-tree-sitter";

/** A place whose surroundings are asked for; line and column from 1, columns in characters. */
export interface PlaceInFile {
  readonly line: number;
  readonly column: number;
}

/**
 * Names what is around places of one Rust file: `fn add`, `impl Shape for Circle › fn area`;
 * `undefined` for places in nothing, and for all of them when the file cannot be parsed.
 *
 * @param path Absolute.
 */
export type EnclosingItems = (
  path: string,
  places: readonly PlaceInFile[],
) => Promise<readonly (string | undefined)[]>;

const WORDS: Readonly<Record<string, string>> = {
  function_item: "fn",
  function_signature_item: "fn",
  struct_item: "struct",
  enum_item: "enum",
  union_item: "union",
  trait_item: "trait",
  mod_item: "mod",
  const_item: "const",
  static_item: "static",
  type_item: "type",
  macro_definition: "macro",
};

const MAX_BYTES = 1024 * 1024;
const MAX_NAME_UNITS = 80;

/** The implementation of {@linkcode EnclosingItems} with tree-sitter, which loads at first use. */
export const findEnclosingItems: EnclosingItems = async (path, places) => {
  const nothing = places.map(() => undefined);
  try {
    if (Deno.statSync(path).size > MAX_BYTES) return nothing;
    const text = Deno.readTextFileSync(path);
    const { withTrees } = await (import("../syntax/parse_text.ts" as string) as Promise<
      typeof import("../syntax/parse_text.ts")
    >);
    const lines = text.split("\n");
    const found = await withTrees(
      [text],
      { grammar: "rust" },
      ([tree]) =>
        places.map((place) => tree === undefined ? undefined : itemAt(tree, place, lines)),
    );
    return found ?? nothing;
  } catch {
    // The item is a courtesy; the diagnostic stands without it.
    return nothing;
  }
};

function itemAt(tree: Tree, place: PlaceInFile, lines: readonly string[]): string | undefined {
  const row = place.line - 1;
  // Columns of rustc count characters, those of the tree UTF-16 units.
  const before = Array.from(lines[row] ?? "").slice(0, place.column - 1).join("");
  const at = { row, column: before.length };
  let names: string[] = [];
  for (
    let node: Node | null = tree.rootNode.descendantForPosition(at, at);
    node !== null;
    node = node.parent
  ) {
    const name = itemName(node);
    // A module says less than what is in it.
    if (name !== undefined && (names.length === 0 || node.type !== "mod_item")) {
      names = [name, ...names];
    }
    if (node.type === "impl_item" || node.type === "trait_item") break;
  }
  return names.length === 0 ? undefined : names.join(" › ");
}

function itemName(node: Node): string | undefined {
  const short = (field: string) => {
    const text = node.childForFieldName(field)?.text.replace(/\s+/g, () => " ") ?? "";
    return text.length > MAX_NAME_UNITS ? `${text.slice(0, MAX_NAME_UNITS)}…` : text;
  };
  if (node.type === "impl_item") {
    const trait = short("trait");
    return trait === "" ? `impl ${short("type")}` : `impl ${trait} for ${short("type")}`;
  }
  const word = WORDS[node.type];
  return word === undefined ? undefined : `${word} ${short("name")}`;
}
