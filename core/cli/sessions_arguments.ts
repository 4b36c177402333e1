import { UsageError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import { type ParsedFlags, parseFlags } from "./flag_parser.ts";
import type { Flag } from "./flags.ts";

/** What `rho sessions` is told to do. */
export type SessionsAction =
  | { readonly type: "list"; readonly all: boolean; readonly json: boolean }
  | { readonly type: "show"; readonly session: string; readonly json: boolean }
  | {
    readonly type: "export";
    readonly session: string;
    readonly format: "markdown" | "json";
    /** A file to write; stdout without one. */
    readonly output?: string;
  }
  | { readonly type: "delete"; readonly session: string; readonly json: boolean }
  | {
    readonly type: "prune";
    /** Only sessions that were not changed for so long. */
    readonly olderThanMs?: number;
    /** The newest so many of each project stay. */
    readonly keep?: number;
    readonly all: boolean;
    /** Without it nothing is removed. */
    readonly yes: boolean;
    readonly json: boolean;
  };

/** The command line of `rho sessions`. */
export interface SessionsArguments {
  readonly action: SessionsAction | { readonly type: "help" };
  /** `--root`. */
  readonly root?: string;
}

const ROOT: Flag = { name: "root", value: "path", summary: "the project; by default that of here" };
const HELP: Flag = { name: "help", short: "h", summary: "print this page and exit" };
const ALL: Flag = { name: "all", summary: "the sessions of every project" };
const JSON_FLAG: Flag = { name: "json", summary: "print one JSON value, for programs" };

/** The flags of each action. */
const ACTION_FLAGS = {
  list: [ALL, JSON_FLAG],
  show: [JSON_FLAG],
  export: [
    { name: "format", value: "markdown|json", summary: "markdown (default) or json" },
    { name: "output", short: "o", value: "file", summary: "write to a file" },
  ],
  delete: [JSON_FLAG],
  prune: [
    { name: "older-than", value: "age", summary: "not changed for 90d, 12w or 36h" },
    { name: "keep", value: "n", summary: "the newest n of each project stay" },
    ALL,
    { name: "yes", summary: "remove them; without it they are only listed" },
    JSON_FLAG,
  ],
} as const satisfies Readonly<Record<string, readonly Flag[]>>;

type ActionName = keyof typeof ACTION_FLAGS;

/** The help page of `rho sessions`. */
export const SESSIONS_HELP = `Usage:
  rho sessions [list] [--all] [--json]
  rho sessions show <id> [--json]
  rho sessions export <id> [--format markdown|json] [-o <file>]
  rho sessions delete <id> [--json]
  rho sessions prune [--older-than 90d] [--keep 20] [--all] [--yes] [--json]

<id> is a session's id, the start of one, or the path of its file; delete wants the whole id.
prune removes what both flags agree on, and only with --yes; without it, it says what would go.
Sessions that any rho has open are never removed. --root <path> names the project.
`;

/**
 * Understands what follows `rho sessions`.
 *
 * @throws {UsageError} with one line that says what is wrong.
 */
export function parseSessionsArguments(args: readonly string[]): SessionsArguments {
  const [first = "list", ...rest] = args;
  const isFlag = first.startsWith("-");
  const name = isFlag ? "list" : actionName(first);
  const parsed = parseFlags(isFlag ? args : rest, [...ACTION_FLAGS[name], ROOT, HELP]);
  if (parsed.values.has("help")) return { action: { type: "help" } };
  const root = text(parsed, "root");
  return { action: actionOf(name, parsed), ...(root === undefined ? {} : { root }) };
}

function actionName(word: string): ActionName {
  if (Object.hasOwn(ACTION_FLAGS, word)) return word as ActionName;
  const near = nearestName(word, Object.keys(ACTION_FLAGS));
  const hint = near === undefined
    ? `it is one of ${Object.keys(ACTION_FLAGS).join(", ")}`
    : `did you mean "rho sessions ${near}"?`;
  throw new UsageError(`Unknown command "rho sessions ${word}"; ${hint}`);
}

function actionOf(name: ActionName, parsed: ParsedFlags): SessionsAction {
  const all = parsed.values.has("all");
  const json = parsed.values.has("json");
  switch (name) {
    case "list":
      assertNoWords(name, parsed.words);
      return { type: "list", all, json };
    case "show":
    case "delete":
      return { type: name, session: oneSession(name, parsed.words), json };
    case "export": {
      const output = text(parsed, "output");
      return {
        type: "export",
        session: oneSession(name, parsed.words),
        format: formatOf(parsed),
        ...(output === undefined ? {} : { output }),
      };
    }
    case "prune":
      assertNoWords(name, parsed.words);
      return { type: "prune", all, json, yes: parsed.values.has("yes"), ...limitsOf(parsed) };
  }
}

function text(parsed: ParsedFlags, name: string): string | undefined {
  const value = parsed.values.get(name);
  if (typeof value !== "string") return undefined;
  if (value.trim() === "") throw new UsageError(`The flag --${name} must not be empty`);
  return value;
}

function assertNoWords(name: ActionName, [word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`"rho sessions ${name}" takes no "${word}"`);
}

function oneSession(name: ActionName, words: readonly string[]): string {
  const [session, more] = words;
  if (session === undefined || session === "") {
    throw new UsageError(`"rho sessions ${name}" needs the id or path of a session`);
  }
  if (more !== undefined) {
    throw new UsageError(`"rho sessions ${name}" takes one session, not also "${more}"`);
  }
  return session;
}

function formatOf(parsed: ParsedFlags): "markdown" | "json" {
  const format = text(parsed, "format") ?? "markdown";
  if (format === "markdown" || format === "json") return format;
  throw new UsageError(`The flag --format must be markdown or json, not "${format}"`);
}

function limitsOf(parsed: ParsedFlags): { olderThanMs?: number; keep?: number } {
  const age = text(parsed, "older-than");
  const keep = text(parsed, "keep");
  if (age === undefined && keep === undefined) {
    throw new UsageError('"rho sessions prune" needs --older-than or --keep, or both');
  }
  return {
    ...(age === undefined ? {} : { olderThanMs: ageMs(age) }),
    ...(keep === undefined ? {} : { keep: wholeNumber(keep) }),
  };
}

const UNIT_MS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

function ageMs(value: string): number {
  const found = /^(\d{1,5})([hdw])$/.exec(value);
  const unit = found?.[2];
  if (unit === "h" || unit === "d" || unit === "w") return Number(found?.[1]) * UNIT_MS[unit];
  throw new UsageError(
    `The flag --older-than needs an age such as 90d, 12w or 36h, not "${value}"`,
  );
}

function wholeNumber(value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new UsageError(`The flag --keep needs a whole number from 0 to 999999, not "${value}"`);
}
