import { UsageError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import { type CliOptions, cliOptions, flagText, rejectTogether } from "./cli_options.ts";
import type { DoctorArguments } from "./doctor_command.ts";
import { type Flag, FLAGS } from "./flags.ts";
import { parseFlags } from "./flag_parser.ts";
import { type ExtArguments, parseExtArguments } from "./ext_arguments.ts";
import type { TrustArguments } from "./trust_command.ts";

/** What the person at the keyboard asks for. */
export type Command =
  | { readonly type: "rpc"; readonly options: CliOptions }
  | { readonly type: "demo"; readonly raw: boolean }
  | { readonly type: "trust"; readonly args: TrustArguments }
  /** What follows the word is read by the command itself. */
  | { readonly type: "run"; readonly args: readonly string[] }
  /** What follows the word is read by the command itself. */
  | { readonly type: "sessions"; readonly args: readonly string[] }
  | { readonly type: "ext"; readonly args: ExtArguments }
  | { readonly type: "doctor"; readonly args: DoctorArguments }
  | { readonly type: "completions"; readonly shell: string }
  | { readonly type: "schema" }
  | { readonly type: "help" }
  | { readonly type: "version" };

/** The words that may follow `rho`. */
export const SUBCOMMANDS = [
  "run",
  "demo",
  "trust",
  "ext",
  "sessions",
  "doctor",
  "completions",
  "schema",
] as const;

const HELP: Flag = { name: "help", short: "h", summary: "print the help page and exit" };

/**
 * Understands a command line.
 *
 * @throws {UsageError} with one line that says what is wrong.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const [first, ...rest] = args;
  if (first === "run") return { type: "run", args: rest };
  if (first === "demo") return parseDemo(rest);
  if (first === "trust") return parseTrust(rest);
  if (first === "ext") return parseExt(rest);
  if (first === "sessions") return { type: "sessions", args: rest };
  if (first === "doctor") return parseDoctor(rest);
  if (first === "completions") return parseCompletions(rest);
  if (first === "schema") return parseSchema(rest);
  const parsed = parseFlags(args, FLAGS);
  if (parsed.values.has("help")) return { type: "help" };
  if (parsed.values.has("version")) return { type: "version" };
  const [word] = parsed.words;
  if (word !== undefined) throw unknownCommand(word);
  return { type: "rpc", options: cliOptions(parsed) };
}

function parseDemo(args: readonly string[]): Command {
  const parsed = parseFlags(args, [
    { name: "rpc", summary: "show the raw protocol" },
    { name: "help", short: "h", summary: "print the help page and exit" },
  ]);
  if (parsed.values.has("help")) return { type: "help" };
  const [word] = parsed.words;
  if (word !== undefined) throw new UsageError(`"rho demo" takes no "${word}"`);
  return { type: "demo", raw: parsed.values.has("rpc") };
}

function parseExt(args: readonly string[]): Command {
  const parsed = parseFlags(args, [HELP]);
  if (parsed.values.has("help")) return { type: "help" };
  return { type: "ext", args: parseExtArguments(parsed.words) };
}

function parseTrust(args: readonly string[]): Command {
  const parsed = parseFlags(args, [
    { name: "list", summary: "only say what waits" },
    { name: "all", summary: "trust everything that waits" },
    { name: "root", value: "path", summary: "the project root" },
    { name: "help", short: "h", summary: "print the help page and exit" },
  ]);
  if (parsed.values.has("help")) return { type: "help" };
  rejectTogether(parsed.values, ["list", "all"]);
  const root = flagText(parsed.values, "root");
  return {
    type: "trust",
    args: {
      list: parsed.values.has("list"),
      all: parsed.values.has("all"),
      paths: parsed.words,
      ...(root === undefined ? {} : { root }),
    },
  };
}

function parseDoctor(args: readonly string[]): Command {
  const parsed = parseFlags(args, [
    { name: "root", value: "path", summary: "the project root" },
    HELP,
  ]);
  if (parsed.values.has("help")) return { type: "help" };
  rejectWords("doctor", parsed.words);
  const root = flagText(parsed.values, "root");
  return { type: "doctor", args: root === undefined ? {} : { root } };
}

function parseCompletions(args: readonly string[]): Command {
  const parsed = parseFlags(args, [HELP]);
  if (parsed.values.has("help")) return { type: "help" };
  const [shell, ...more] = parsed.words;
  if (shell === undefined) throw new UsageError('"rho completions" needs the name of a shell');
  rejectWords("completions", more);
  return { type: "completions", shell };
}

function parseSchema(args: readonly string[]): Command {
  const parsed = parseFlags(args, [HELP]);
  if (parsed.values.has("help")) return { type: "help" };
  rejectWords("schema", parsed.words);
  return { type: "schema" };
}

function rejectWords(command: string, words: readonly string[]): void {
  const [word] = words;
  if (word !== undefined) throw new UsageError(`"rho ${command}" takes no "${word}"`);
}

function unknownCommand(word: string): UsageError {
  const near = nearestName(word, SUBCOMMANDS);
  return new UsageError(
    near === undefined
      ? `Unknown command "${word}"`
      : `Unknown command "${word}"; did you mean "rho ${near}"?`,
  );
}
