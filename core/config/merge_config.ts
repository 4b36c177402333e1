import type { ConfigFile } from "./config_schema.ts";
import { isTable, type TomlTable } from "./schema_scalars.ts";

/** Lists of which both files' items apply; other lists replace each other. */
const APPENDED: ReadonlySet<string> = new Set([
  "shell.denied_commands",
  "shell.denied_flag_combos",
  "redaction.custom_patterns",
]);

/**
 * Puts a project's file over the user's, field by field: tables merge, lists and values replace,
 * except that denials and redaction patterns of both apply. Providers merge by name, which takes
 * more than the files (see `provider_registry.ts`).
 */
export function mergeConfig(user: ConfigFile, project: ConfigFile): ConfigFile {
  return mergeTables(user, project, "") as ConfigFile;
}

function mergeTables(user: TomlTable, project: TomlTable, path: string): TomlTable {
  const merged = new Map(Object.entries(user));
  for (const [name, value] of Object.entries(project)) {
    merged.set(name, mergeValues(merged.get(name), value, path === "" ? name : `${path}.${name}`));
  }
  // Not by assignment: a key may be called `__proto__`.
  return Object.fromEntries(merged);
}

function mergeValues(user: unknown, project: unknown, path: string): unknown {
  if (isTable(user) && isTable(project)) return mergeTables(user, project, path);
  if (!APPENDED.has(path) || !Array.isArray(user) || !Array.isArray(project)) return project;
  const known = new Set(user.map((item) => JSON.stringify(item)));
  return [...user, ...project.filter((item) => !known.has(JSON.stringify(item)))];
}
