import { nearestName } from "../base/text.ts";
import { formatKeyPath, type KeyPath } from "./key_path.ts";
import { isTable, type TomlTable } from "./schema_scalars.ts";
import { type SchemaNode, tableKeys } from "./schema_tree.ts";

/** A key that rho does not know. */
export interface UnknownKey {
  readonly path: KeyPath;
  /** The known key that was probably meant: a name beside it, or a path from the top. */
  readonly meant?: string;
}

/** Finds the keys of a parsed file that the schema does not have. */
export function unknownKeys(table: TomlTable, schema: SchemaNode): UnknownKey[] {
  const found: KeyPath[] = [];
  visit(table, schema, []);
  if (found.length === 0) return [];
  const known = knownPaths(schema);
  return found.map((path) => {
    const meant = probablyMeant(path, known);
    return meant === undefined ? { path } : { path, meant };
  });

  function visit(value: unknown, node: SchemaNode, path: KeyPath): void {
    const { shape } = node;
    if (shape.type === "value") return;
    if (shape.type === "list" && Array.isArray(value)) {
      value.forEach((item, index) => visit(item, shape.each, [...path, index]));
    }
    if (!isTable(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (shape.type === "map") visit(inner, shape.each, [...path, name]);
      if (shape.type !== "table") continue;
      const next = shape.keys.get(name);
      if (next === undefined) found.push([...path, name]);
      else visit(inner, next, [...path, name]);
    }
  }
}

/** The paths of all keys; `*` stands for names that people choose. */
function knownPaths(node: SchemaNode, above: readonly string[] = []): string[][] {
  const { shape } = node;
  if (shape.type === "value") return [];
  if (shape.type !== "table") return knownPaths(shape.each, [...above, "*"]);
  return tableKeys(node).flatMap(([name, inner]) => {
    const path = [...above, name];
    return [path, ...knownPaths(inner, path)];
  });
}

function probablyMeant(path: KeyPath, known: readonly string[][]): string | undefined {
  const name = String(path.at(-1));
  const above = path.slice(0, -1);
  const beside = known.filter((other) =>
    other.length === path.length &&
    above.every((part, index) => other[index] === "*" || other[index] === part)
  );
  const near = nearestName(name, beside.map((other) => other.at(-1) ?? ""));
  if (near !== undefined) return near;
  const elsewhere = known.find((other) => other.at(-1) === name && !other.includes("*"));
  return elsewhere === undefined ? undefined : formatKeyPath(elsewhere);
}
