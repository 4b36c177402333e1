/** A flag as the command line, the help page and completions know it. */
export interface Flag {
  /** Without the leading dashes. */
  readonly name: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** The name of its value in the help page; a flag without one takes no value. */
  readonly value?: string;
  readonly summary: string;
}

/** Every flag of the command without a subcommand, in the order of the help page. */
export const FLAGS = [
  { name: "model", short: "m", value: "id", summary: "the model to use (or RHO_MODEL)" },
  { name: "endpoint", value: "url", summary: "the server's chat completions URL" },
  { name: "api-key-env", value: "VAR", summary: "the environment variable that holds the key" },
  {
    name: "accept-external-provider",
    summary: "agree that prompts, files and output go to a provider outside this machine",
  },
  { name: "system", short: "s", value: "text", summary: "replace the base prompt" },
  { name: "system-file", value: "path", summary: "replace the base prompt by a file's text" },
  { name: "compact", summary: "use a minimal prompt, for small contexts" },
  { name: "no-context-files", summary: "leave the project's AGENTS.md and its like out" },
  { name: "root", value: "path", summary: "the project root; tools reach nothing outside of it" },
  { name: "token-budget", value: "n", summary: "the context window, in tokens" },
  { name: "max-iterations", value: "n", summary: "the most model responses of one turn" },
  { name: "continue", short: "c", summary: "go on with the latest session of this project" },
  { name: "session", value: "path or id", summary: "go on with this session" },
  { name: "ephemeral", summary: "keep the session in memory only" },
  {
    name: "approve",
    value: "ask|write|all",
    summary: "who answers approvals: the client (default), or rho for writes or for everything",
  },
  { name: "no-extensions", summary: "load no extension" },
  {
    name: "log-level",
    value: "level",
    summary: "error, warn (default), info or debug, on stderr (or RHO_LOG)",
  },
  {
    name: "log-requests",
    value: "file",
    summary: "write every request to a model and every response to this file, secrets masked",
  },
  { name: "version", summary: "print the version and exit" },
  { name: "help", short: "h", summary: "print this page and exit" },
] as const satisfies readonly Flag[];

/** The name of a flag. */
export type FlagName = (typeof FLAGS)[number]["name"];
