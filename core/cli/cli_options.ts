import { UsageError } from "../base/errors.ts";
import { LOG_LEVELS, type LogLevel } from "../base/log.ts";
import { APPROVE_MODES, type ApproveMode } from "../agent/approval_policy.ts";
import type { FlagName } from "./flags.ts";
import type { ParsedFlags } from "./flag_parser.ts";

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
  /** `--no-context-files`. */
  readonly noContextFiles?: boolean;
  /** `--no-extensions`. */
  readonly noExtensions?: boolean;
  readonly logLevel?: LogLevel;
  /** The file that every request and response is written to. */
  readonly logRequests?: string;
}

/**
 * What the flags of a command line say.
 *
 * @throws {UsageError} for a value that is out of range, or flags that exclude each other.
 */
export function cliOptions(parsed: ParsedFlags): CliOptions {
  const { values } = parsed;
  rejectTogether(values, ["continue", "session", "ephemeral"]);
  rejectTogether(values, ["system", "system-file"]);
  const endpoint = flagText(values, "endpoint");
  if (endpoint !== undefined) checkEndpoint(endpoint);
  return omitUndefined({
    model: flagText(values, "model"),
    endpoint,
    apiKeyEnv: flagText(values, "api-key-env"),
    acceptExternal: values.has("accept-external-provider"),
    system: flagText(values, "system"),
    systemFile: flagText(values, "system-file"),
    compact: values.has("compact"),
    root: flagText(values, "root"),
    tokenBudget: wholeNumber(values, "token-budget", { min: 1024, max: 100_000_000 }),
    maxIterations: wholeNumber(values, "max-iterations", { min: 1, max: 100_000 }),
    continueLatest: values.has("continue"),
    session: flagText(values, "session"),
    ephemeral: values.has("ephemeral"),
    approve: oneOf(values, "approve", APPROVE_MODES) ?? "ask",
    noContextFiles: values.has("no-context-files") || undefined,
    noExtensions: values.has("no-extensions") || undefined,
    logLevel: oneOf(values, "log-level", LOG_LEVELS),
    logRequests: flagText(values, "log-requests"),
  });
}

type Values = ParsedFlags["values"];

/**
 * The text that a flag was given.
 *
 * @throws {UsageError} when it is empty.
 */
export function flagText(values: Values, name: string): string | undefined {
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
  const value = flagText(values, name);
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
  const value = flagText(values, name);
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

/**
 * Sees to it that at most one of some flags is given.
 *
 * @throws {UsageError} when more are.
 */
export function rejectTogether(values: Values, names: readonly string[]): void {
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
