import { wildmatch } from "./wildmatch.ts";

/** What a set of rules says about an entry; `undefined` when no rule speaks of it. */
export type IgnoreVerdict = "ignored" | "kept" | undefined;

/** An entry as rules look at it, in {@linkcode toByteString} form. */
export interface RuledEntry {
  readonly name: string;
  /** Relative to the folder of the rules, with forward slashes. */
  readonly path: string;
  readonly isFolder: boolean;
}

interface IgnoreRule {
  readonly pattern: string;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** Without a slash inside: compared with the name alone. */
  readonly isName: boolean;
  /** How many characters stand before the first wildcard. */
  readonly literalUnits: number;
  /** A star and nothing but literal characters behind it. */
  readonly isSuffix: boolean;
}

const WILDCARD_REGEXP = /[*?[\\]/;
const NON_ASCII_REGEXP = /[^\0-\x7f]/;
const ENCODER = new TextEncoder();

/**
 * A name with one UTF-16 unit for each of its bytes in UTF-8: git matches bytes, so `?` does not
 * match `é`. Rules are read the same way, whatever the encoding of their file.
 */
export function toByteString(name: string): string {
  return NON_ASCII_REGEXP.test(name) ? bytesToString(ENCODER.encode(name)) : name;
}

/** Bytes as a string with one UTF-16 unit each; `TextDecoder` has no such encoding. */
export function bytesToString(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The rules of one ignore file, as git's `dir.c` reads them. */
export class IgnoreRules {
  readonly #rules: readonly IgnoreRule[];

  private constructor(rules: readonly IgnoreRule[]) {
    this.#rules = rules;
  }

  /** Reads rules; `undefined` when the file has none. Nothing in it is an error. */
  static parse(bytes: Uint8Array): IgnoreRules | undefined {
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const rules = bytesToString(hasMark ? bytes.subarray(3) : bytes)
      .split("\n")
      .map((line) => parseRule(line))
      .filter((rule) => rule !== undefined);
    return rules.length === 0 ? undefined : new IgnoreRules(rules.reverse());
  }

  /** What the last rule says that speaks of an entry. */
  verdict(entry: RuledEntry): IgnoreVerdict {
    for (const rule of this.#rules) {
      if (rule.foldersOnly && !entry.isFolder) continue;
      if (rule.isName ? matchesName(rule, entry.name) : matchesPath(rule, entry.path)) {
        return rule.isNegated ? "kept" : "ignored";
      }
    }
    return undefined;
  }
}

function parseRule(line: string): IgnoreRule | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  const whole = withoutTrailingSpaces(line.endsWith("\r") ? line.slice(0, -1) : line);
  const isNegated = whole.startsWith("!");
  const given = isNegated ? whole.slice(1) : whole;
  const foldersOnly = given.endsWith("/");
  let pattern = foldersOnly ? given.slice(0, -1) : given;
  const isName = !pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  else if (pattern === "") return undefined;
  const wildcard = pattern.search(WILDCARD_REGEXP);
  return {
    pattern,
    isNegated,
    foldersOnly,
    isName,
    literalUnits: wildcard < 0 ? pattern.length : wildcard,
    isSuffix: given.startsWith("*") && !WILDCARD_REGEXP.test(given.slice(1)),
  };
}

/** Cuts spaces at the end, save one behind a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end -= 1;
  if (end === line.length) return line;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes += 1;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

function matchesName(rule: IgnoreRule, name: string): boolean {
  if (rule.literalUnits === rule.pattern.length) return name === rule.pattern;
  if (rule.isSuffix) return name.endsWith(rule.pattern.slice(1));
  return wildmatch(rule.pattern, name, { isPath: false });
}

function matchesPath(rule: IgnoreRule, path: string): boolean {
  const { pattern, literalUnits } = rule;
  if (literalUnits === pattern.length) return path === pattern;
  if (literalUnits > 0 && !path.startsWith(pattern.slice(0, literalUnits))) return false;
  // Git cuts the literal start off before it matches, which decides what a double star means.
  return wildmatch(pattern.slice(literalUnits), path.slice(literalUnits), { isPath: true });
}
