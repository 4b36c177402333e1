import * as v from "valibot";
import { makeVisible } from "../base/text.ts";
import { Redactor } from "../security/redactor.ts";
import { ConfigError } from "./config_error.ts";
import type { ConfigNotice } from "./config_notice.ts";
import { CONFIG_SCHEMA, type ConfigFile } from "./config_schema.ts";
import { formatKeyPath, type KeyPath } from "./key_path.ts";
import { isTable, type TomlTable } from "./schema_scalars.ts";
import { SchemaNode } from "./schema_tree.ts";
import { secretLiterals } from "./secret_literals.ts";
import { unknownKeys } from "./unknown_keys.ts";

/** A file that holds up. */
export interface CheckedConfig {
  readonly config: ConfigFile;
  readonly notices: readonly ConfigNotice[];
}

const MAX_WARNINGS = 20;
const MAX_SHOWN_UNITS = 60;

/**
 * Checks a parsed file against the schema.
 *
 * @param file Where it comes from, for errors and warnings.
 * @throws {ConfigError} `config_invalid`, with every problem of the file on a line of its own.
 */
export function checkConfig(table: TomlTable, file: string): CheckedConfig {
  const secrets = secretLiterals(table);
  const checked = v.safeParse(CONFIG_SCHEMA, table, { abortPipeEarly: true });
  const problems = (checked.issues ?? []).map((issue) => {
    const path: KeyPath = (issue.path ?? []).map((item) => item.key as string | number);
    return `${formatKeyPath(path)} is ${shownValue(issue.input)}; it must be ${issue.message}`;
  });
  if (!checked.success || secrets.length > 0) {
    throw invalidConfig([...secrets, ...problems], file);
  }
  return { config: checked.output, notices: unknownKeyNotices(table, file) };
}

/** The error for a file with problems, each a sentence of its own. */
export function invalidConfig(problems: readonly string[], file: string): ConfigError {
  const lines = problems.map((problem) => `\n  ${problem}`);
  return new ConfigError("config_invalid", `Cannot use "${file}":${lines.join("")}`, {
    file,
    data: { problems },
  });
}

function shownValue(value: unknown): string {
  if (isTable(value)) return "a table";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (typeof value !== "string") return String(value);
  const visible = makeVisible(new Redactor().redact(value));
  const cut = visible.length > MAX_SHOWN_UNITS ? `${visible.slice(0, MAX_SHOWN_UNITS)}…` : visible;
  return `"${cut}"`;
}

function unknownKeyNotices(table: TomlTable, file: string): ConfigNotice[] {
  const unknown = unknownKeys(table, new SchemaNode(CONFIG_SCHEMA));
  const notices = unknown.slice(0, MAX_WARNINGS).map(({ path, meant }) =>
    notice(
      `Unknown key "${formatKeyPath(path)}" in "${file}"` +
        (meant === undefined ? " has no effect" : `; did you mean "${meant}"?`),
    )
  );
  const more = unknown.length - notices.length;
  return more === 0
    ? notices
    : [...notices, notice(`${more} more unknown keys in "${file}" have no effect`)];
}

function notice(message: string): ConfigNotice {
  return { code: "config_unknown_key", level: "warn", message };
}
