import { parse } from "smol-toml";
import { isAbsolutePath } from "../base/paths.ts";

/** A file that a person has reviewed. */
export interface TrustedFile {
  /** Absolute and canonical. */
  readonly path: string;
  /** Of the bytes that were reviewed, in lowercase hex. */
  readonly sha256: string;
  /** When, in ISO 8601. */
  readonly date: string;
}

const HEADER =
  "# Files that you have reviewed. rho writes this; delete an entry to be asked again.\n";

/**
 * Reads the text of a trust file. Of several entries for one path the last one counts.
 *
 * @returns `undefined` when it is not exactly what rho writes: then nothing of it can be believed.
 */
export function parseTrustText(text: string): ReadonlyMap<string, TrustedFile> | undefined {
  try {
    const { trusted = [], ...others } = parse(text, { maxDepth: 8 });
    if (Object.keys(others).length > 0 || !Array.isArray(trusted)) return undefined;
    const entries = trusted.map(trustedFile);
    if (!entries.every((entry) => entry !== undefined)) return undefined;
    return new Map(entries.map((entry) => [entry.path, entry]));
  } catch {
    return undefined;
  }
}

function trustedFile(value: unknown): TrustedFile | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { path, sha256, date, ...others } = value as Record<string, unknown>;
  if (typeof path !== "string" || !isAbsolutePath(path)) return undefined;
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  const time = date instanceof Date ? date.toISOString() : date;
  if (typeof time !== "string" || Object.keys(others).length > 0) return undefined;
  return { path, sha256, date: time };
}

/**
 * The text with some files trusted, everything else of it left as it is, comments included. An
 * entry that rho wrote is replaced in its place; one that a person formatted is superseded by a new
 * one at the end.
 */
export function withTrusted(
  text: string,
  files: readonly TrustedFile[],
  known: ReadonlyMap<string, TrustedFile>,
): string {
  let result = text === "" ? HEADER : text.endsWith("\n") ? text : `${text}\n`;
  for (const file of files) {
    const before = known.get(file.path);
    const old = before === undefined ? undefined : renderEntry(before);
    const at = old === undefined ? -1 : result.lastIndexOf(old);
    result = old === undefined || at < 0
      ? `${result}\n${renderEntry(file)}`
      : result.slice(0, at) + renderEntry(file) + result.slice(at + old.length);
  }
  const all = new Map([...known, ...files.map((file) => [file.path, file] as const)]);
  const written = parseTrustText(result);
  const isRight = [...all.values()].every(({ path, sha256 }) =>
    written?.get(path)?.sha256 === sha256
  );
  // A person may have written it in a form that cannot be added to.
  return isRight ? result : [HEADER, ...[...all.values()].map(renderEntry)].join("\n");
}

function renderEntry(file: TrustedFile): string {
  const lines = [
    "[[trusted]]",
    `path = ${tomlString(file.path)}`,
    `sha256 = ${tomlString(file.sha256)}`,
    `date = ${tomlString(file.date)}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** JSON's escapes are TOML's, but TOML wants DEL escaped, too. */
function tomlString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll("\x7f", "\\u007f");
}
