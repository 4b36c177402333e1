import { isSecretEnvName } from "../../core/security/redaction_names.ts";

/** Options of {@linkcode commandEnvironment}. */
export interface CommandEnvironmentOptions {
  /** The environment to start from, usually rho's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of secret variables that commands see all the same. */
  readonly passEnv: readonly string[];
  /**
   * The operating system; names are compared without case on Windows.
   * @default {Deno.build.os}
   */
  readonly os?: typeof Deno.build.os;
}

/**
 * What every command finds set. Editors fail instead of succeeding: with `true` in place of
 * `false`, `git rebase -i` would not be refused but run with its default list.
 */
const FIXED: Readonly<Record<string, string>> = {
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  NO_COLOR: "1",
  TERM: "dumb",
};

/** Start-up files of shells, and switches that overrule `NO_COLOR`. */
const REMOVED: ReadonlySet<string> = new Set(["BASH_ENV", "ENV", "CLICOLOR_FORCE", "FORCE_COLOR"]);

/**
 * The complete environment of a command: that of rho without secrets, made for a program that
 * nobody watches.
 */
export function commandEnvironment(options: CommandEnvironmentOptions): Record<string, string> {
  const isWindows = (options.os ?? Deno.build.os) === "windows";
  const fold = (name: string) => isWindows ? name.toUpperCase() : name;
  const passed = new Set(options.passEnv.map(fold));
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.env)) {
    const folded = fold(name);
    if (REMOVED.has(folded) || folded in FIXED) continue;
    if (isSecretEnvName(name) && !passed.has(folded)) continue;
    result[name] = value;
  }
  return { ...result, ...FIXED };
}
