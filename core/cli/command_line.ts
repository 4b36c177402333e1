import { UsageError } from "../base/errors.ts";
import { LOG_LEVELS, type LogLevel } from "../base/log.ts";
import { nearestName } from "../base/text.ts";
import { APPROVE_MODES, type ApproveMode } from "../agent/approval_policy.ts";
import { type FlagName, FLAGS } from "./flags.ts";
import { type ParsedFlags, parseFlags } from "./flag_parser.ts";
import type { TrustArguments } from "./trust_command.ts";

/** What the flags say; what is absent is left to the environment and the defaults. */
export interface CliOptions {
  readonly model?: string;
  readonly endpoint?: string;
  readonly apiKeyEnv?: string;
  readonly acceptExternal: boolean;
  readonly system?: string;
  readonly systemFile?: string;
  readonly compact: boolean;
  readonly root?: string;
  readonly tokenBudget?: number;
  readonly maxIterations?: number;
  readonly continueLatest: boolean;
  readonly session?: string;
  readonly ephemeral: boolean;
  readonly approve: ApproveMode;
  readonly logLevel?: LogLevel;
}

/** What the person at the keyboard asks for. */
export type Command =
  | { readonly type: "rpc"; readonly options: CliOptions }
  | { readonly type: "demo"; readonly raw: boolean }
  | { readonly type: "trust"; readonly args: TrustArguments }
  | { readonly type: "help" }
  | { readonly type: "version" };

const SUBCOMMANDS = ["demo", "trust"] as const;

/**
 * Understands a command line.
 *
 * @throws {UsageError} with one line that says what is wrong.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const [first, ...rest] = args;
  if (first === "demo") return parseDemo(rest);
  if (first === "trust") return parseTrust(rest);
  const parsed = parseFlags(args, FLAGS);
  if (parsed.values.has("help")) return { type: "help" };
  if (parsed.values.has("version")) return { type: "version" };
  const [word] = parsed.words;
  if (word !== undefined) throw unknownCommand(word);
  return { type: "rpc", options: toOptions(parsed) };
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

function parseTrust(args: readonly string[]): Command {
  const parsed = parseFlags(args, [
    { name: "list", summary: "only say what waits" },
    { name: "all", summary: "trust everything that waits" },
    { name: "root", value: "path", summary: "the project root" },
    { name: "help", short: "h", summary: "print the help page and exit" },
  ]);
  if (parsed.values.has("help")) return { type: "help" };
  rejectTogether(parsed.values, ["list", "all"]);
  const root = text(parsed.values, "root");
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

function unknownCommand(word: string): UsageError {
  const near = nearestName(word, SUBCOMMANDS);
  return new UsageError(
    near === undefined
      ? `Unknown command "${word}"`
      : `Unknown command "${word}"; did you mean "rho ${near}"?`,
  );
}

function toOptions(parsed: ParsedFlags): CliOptions {
  const { values } = parsed;
  rejectTogether(values, ["continue", "session", "ephemeral"]);
  rejectTogether(values, ["system", "system-file"]);
  const endpoint = text(values, "endpoint");
  if (endpoint !== undefined) checkEndpoint(endpoint);
  return omitUndefined({
    model: text(values, "model"),
    endpoint,
    apiKeyEnv: text(values, "api-key-env"),
    acceptExternal: values.has("accept-external-provider"),
    system: text(values, "system"),
    systemFile: text(values, "system-file"),
    compact: values.has("compact"),
    root: text(values, "root"),
    tokenBudget: wholeNumber(values, "token-budget", { min: 1024, max: 100_000_000 }),
    maxIterations: wholeNumber(values, "max-iterations", { min: 1, max: 100_000 }),
    continueLatest: values.has("continue"),
    session: text(values, "session"),
    ephemeral: values.has("ephemeral"),
    approve: oneOf(values, "approve", APPROVE_MODES) ?? "ask",
    logLevel: oneOf(values, "log-level", LOG_LEVELS),
  });
}

type Values = ParsedFlags["values"];

function text(values: Values, name: FlagName): string | undefined {
  const value = values.get(name);
  if (typeof value !== "string") return undefined;
  if (value.trim() === "") throw new UsageError(`The flag --${name} must not be empty`);
  return value;
}

function wholeNumber(
  values: Values,
  name: FlagName,
  range: { min: number; max: number },
): number | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= range.min && number <= range.max) return number;
  throw new UsageError(
    `The flag --${name} needs a whole number from ${range.min} to ${range.max}, not "${value}"`,
  );
}

function oneOf<Choice extends string>(
  values: Values,
  name: FlagName,
  choices: readonly Choice[],
): Choice | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`The flag --${name} must be one of ${choices.join(", ")}, not "${value}"`);
}

function checkEndpoint(endpoint: string): void {
  const scheme = URL.canParse(endpoint) ? new URL(endpoint).protocol : "";
  if (scheme === "http:" || scheme === "https:") return;
  throw new UsageError(
    `The flag --endpoint needs a URL such as http://localhost:1234/v1/chat/completions, ` +
      `not "${endpoint}"`,
  );
}

function rejectTogether(values: Values, names: readonly string[]): void {
  const given = names.filter((name) => values.has(name)).map((name) => `--${name}`);
  if (given.length > 1) throw new UsageError(`The flags ${given.join(" and ")} exclude each other`);
}

function omitUndefined(
  options: {
    [Key in keyof CliOptions]: CliOptions[Key] | undefined;
  },
): CliOptions {
  const kept = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as unknown as CliOptions;
}
