import { UsageError } from "../base/errors.ts";
import { type CliOptions, cliOptions, flagText, rejectTogether } from "./cli_options.ts";
import { parseFlags } from "./flag_parser.ts";
import { type Flag, FLAGS } from "./flags.ts";

/** Where more text of a one-shot comes from than its command line. */
export type PromptSource = { readonly type: "stdin" } | {
  readonly type: "file";
  /** Relative to the working directory. */
  readonly path: string;
};

/** What `rho run` is told. */
export interface RunArguments {
  readonly options: CliOptions;
  /** The words of the command line; absent when there are none. */
  readonly prompt?: string;
  readonly source?: PromptSource;
  /** What goes to stdout: the reply, the turn as one JSON object, or the notifications as lines. */
  readonly output: "reply" | "json" | "events";
}

const RUN_FLAGS: readonly Flag[] = [
  { name: "file", short: "f", value: "path", summary: "take the prompt from a file" },
  { name: "json", summary: "print the finished turn as one JSON object" },
  { name: "events", summary: "print the protocol's notifications, one a line" },
];

/** The help page of `rho run`. */
export const RUN_HELP =
  `rho run: one turn for scripts, the reply on stdout, everything else on stderr.

Usage:
  rho run [flags] [-f file | -] <prompt>

  -f, --file <path>  take the prompt from a file; with a prompt, as data below it
  -                  the same from stdin
  --json             print the finished turn as one JSON object
  --events           print the protocol's notifications, one a line

All flags of rho hold, see rho --help. What would be asked is denied unless --approve allows it.

Exit codes: 0 done, 1 failed before or beside the model, 2 bad flags, 3 consent missing,
4 the reply is incomplete, cut or filtered, 5 a limit was reached, 6 the provider failed,
7 done but something was denied, 130 cancelled.

Example:
  git diff | rho run --endpoint http://localhost:1234/v1/chat/completions -m qwen3-8b - "Review this"
`;

/**
 * Understands what follows `rho run`.
 *
 * @returns \`help\` when the help page is wanted.
 * @throws {UsageError} with one line that says what is wrong.
 */
export function parseRunCommandLine(args: readonly string[]): RunArguments | "help" {
  const known: readonly Flag[] = FLAGS.filter(({ name }) => name !== "version");
  const parsed = parseFlags(args, [...known, ...RUN_FLAGS]);
  const { values } = parsed;
  if (values.has("help")) return "help";
  rejectTogether(values, ["json", "events"]);
  const words = parsed.words.filter((word) => word !== "-");
  const source = sourceOf(flagText(values, "file"), parsed.words.length - words.length);
  const prompt = words.join(" ").trim();
  if (prompt === "" && source === undefined) {
    throw new UsageError('"rho run" needs a prompt: its words, -f <path>, or - for stdin');
  }
  return {
    options: cliOptions(parsed),
    ...(prompt === "" ? {} : { prompt }),
    ...(source === undefined ? {} : { source }),
    output: values.has("json") ? "json" : values.has("events") ? "events" : "reply",
  };
}

function sourceOf(file: string | undefined, dashes: number): PromptSource | undefined {
  if (file === "-" || (file === undefined && dashes > 0)) return { type: "stdin" };
  if (file !== undefined && dashes > 0) {
    throw new UsageError("The flag --file and - exclude each other");
  }
  return file === undefined ? undefined : { type: "file", path: file };
}
