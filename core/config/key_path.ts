import { headUnits, makeVisible } from "../base/text.ts";
import { isTable, type TomlTable } from "./schema_scalars.ts";

/** A place in a configuration file: names of keys and positions in lists. */
export type KeyPath = readonly (string | number)[];

const MAX_NAME_UNITS = 60;

/** A path as people write it: `providers[0].endpoint`, `extensions.config."a b".key`. */
export function formatKeyPath(path: KeyPath): string {
  return path.map((part, index) => {
    if (typeof part === "number") return `[${part}]`;
    const name = /^[A-Za-z0-9_-]+$/.test(part)
      ? headUnits(part, MAX_NAME_UNITS)
      : JSON.stringify(makeVisible(headUnits(part, MAX_NAME_UNITS)));
    return index === 0 ? name : `.${name}`;
  }).join("");
}

/** Some paths in quotes, at most ten by name. */
export function formatKeyPaths(paths: readonly KeyPath[]): string {
  const shown = paths.slice(0, 10).map((path) => `"${formatKeyPath(path)}"`);
  const more = paths.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}

/** How deep {@linkcode leafPaths} looks; all known keys are above. */
const MAX_DEPTH = 4;

/** The paths of everything in a table that is not a table itself, or deeper than any known key. */
export function leafPaths(table: TomlTable, above: readonly string[] = []): string[][] {
  return Object.entries(table).flatMap(([name, value]) => {
    const path = [...above, name];
    return isTable(value) && path.length < MAX_DEPTH ? leafPaths(value, path) : [path];
  });
}
