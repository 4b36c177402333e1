import type { ConfigNotice } from "./config_notice.ts";
import { CONFIG_SCHEMA, type ConfigFile } from "./config_schema.ts";
import { formatKeyPaths, leafPaths } from "./key_path.ts";
import { isTable } from "./schema_scalars.ts";
import { schemaNode } from "./schema_tree.ts";

/**
 * Takes the keys out of a project's file that count in the user's own file only: a repository must
 * not lift what protects its reader, reviewed or not.
 */
export function withoutUserFileKeys(
  config: ConfigFile,
  file: string,
): { readonly config: ConfigFile; readonly notices: readonly ConfigNotice[] } {
  const reserved = userFileKeys();
  const found = leafPaths(config).filter(([section = "", name = ""]) =>
    reserved.get(section)?.has(name)
  );
  if (found.length === 0) return { config, notices: [] };
  const kept = Object.entries(config).map(([section, table]) => {
    const names = reserved.get(section);
    if (names === undefined || !isTable(table)) return [section, table];
    return [
      section,
      Object.fromEntries(Object.entries(table).filter(([name]) => !names.has(name))),
    ];
  });
  return {
    config: Object.fromEntries(kept),
    notices: [{
      code: "config_user_file_only",
      level: "warn",
      message: `Left out of "${file}": ${formatKeyPaths(found)}; ` +
        "set this in your own config.toml, a project cannot",
    }],
  };
}

/** The reserved keys by section; all of them are two deep. */
function userFileKeys(): ReadonlyMap<string, ReadonlySet<string>> {
  const { shape } = schemaNode(CONFIG_SCHEMA);
  const sections = shape.type === "table" ? [...shape.keys] : [];
  return new Map(sections.map(([section, { shape: inner }]) => {
    const keys = inner.type === "table" ? [...inner.keys] : [];
    return [
      section,
      new Set(keys.filter(([, key]) => key.facts.userFileOnly === true).map(([name]) => name)),
    ];
  }));
}
