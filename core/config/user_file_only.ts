import type { ConfigNotice } from "./config_notice.ts";
import { CONFIG_SCHEMA, type ConfigFile } from "./config_schema.ts";
import { formatKeyPath, formatKeyPaths, leafPaths } from "./key_path.ts";
import { isTable } from "./schema_scalars.ts";
import { SchemaNode } from "./schema_tree.ts";

/**
 * Takes the keys out of a project's file that count in the user's own file only: a repository must
 * not lift what protects its reader, reviewed or not.
 */
export function withoutUserFileKeys(
  config: ConfigFile,
  file: string,
): { readonly config: ConfigFile; readonly notices: readonly ConfigNotice[] } {
  const schema = new SchemaNode(CONFIG_SCHEMA);
  const found = leafPaths(config).filter((path) => isUserFileOnly(schema, path));
  if (found.length === 0) return { config, notices: [] };
  const reserved = new Set(found.map(formatKeyPath));
  const kept = Object.entries(config).map(([section, table]) => {
    if (!isTable(table)) return [section, table];
    const names = Object.entries(table).filter(([name]) =>
      !reserved.has(formatKeyPath([section, name]))
    );
    return [section, Object.fromEntries(names)];
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

/** All such keys are two deep. */
function isUserFileOnly(schema: SchemaNode, path: readonly string[]): boolean {
  const [section = "", name = ""] = path;
  const below = childOf(childOf(schema, section), name);
  return path.length === 2 && below?.facts.userFileOnly === true;
}

function childOf(node: SchemaNode | undefined, name: string): SchemaNode | undefined {
  return node?.shape.type === "table" ? node.shape.keys.get(name) : undefined;
}
