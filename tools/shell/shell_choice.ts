import type { ShellSettings } from "../../core/config/settings.ts";
import { RhoError, type RhoErrorOptions } from "../../core/base/errors.ts";
import { baseName } from "../../core/base/paths.ts";
import { findProgram, type FindProgramOptions } from "./find_program.ts";

/** The shell that runs the model's commands. */
export interface ShellChoice {
  /** The program's name without folder and `.exe`, such as `bash`; the system prompt names it. */
  readonly name: string;
  /** Its absolute path. */
  readonly path: string;
  /** The grammar that its commands are written in. */
  readonly language: "posix" | "powershell" | "other";
  /** The arguments that make it run one command without profile and without a terminal. */
  readonly args: (command: string) => string[];
}

/** No shell is where it should be. */
export class ShellNotFoundError extends RhoError {
  constructor(message: string, options: RhoErrorOptions = {}) {
    super("shell_not_found", message, options);
  }
}

const CHOSEN = new WeakMap<ShellSettings, ShellChoice>();

/**
 * The shell that the settings ask for, or with `auto` the first that is there: `pwsh`, then on
 * Windows `powershell`, elsewhere `bash` and `sh`. Nothing is started to find out; the answer for
 * one settings record is remembered.
 *
 * @throws {ShellNotFoundError} when none is there.
 */
export function chooseShell(
  settings: ShellSettings,
  options: FindProgramOptions = { env: Deno.env.toObject() },
): ShellChoice {
  const known = CHOSEN.get(settings);
  if (known !== undefined) return known;
  const os = options.os ?? Deno.build.os;
  const wanted = settings.program === "auto"
    ? os === "windows" ? ["pwsh", "powershell"] : ["pwsh", "bash", "sh"]
    : [settings.program];
  for (const name of wanted) {
    const path = findProgram(name, options);
    if (path === undefined) continue;
    const choice = describeShell(path);
    CHOSEN.set(settings, choice);
    return choice;
  }
  const list = wanted.map((name) => `"${name}"`).join(", ");
  throw new ShellNotFoundError(
    `Cannot run commands: no shell found, looked for ${list} in PATH; ` +
      `install one or set "program" under [shell] to the path of a shell`,
    { data: { wanted } },
  );
}

function describeShell(path: string): ShellChoice {
  const name = baseName(path.replaceAll("\\", "/")).toLowerCase().replace(
    /\.(?:exe|com|cmd|bat)$/,
    "",
  );
  return { name, path, ...invocation(name) };
}

// Never `-l` or `-i`: profiles cost 100 ms and may print, prompt or change what commands mean.
function invocation(name: string): Pick<ShellChoice, "language" | "args"> {
  switch (name) {
    case "pwsh":
    case "powershell":
      return {
        language: "powershell",
        args: (command) => [
          "-NoLogo",
          "-NoProfile",
          "-NonInteractive",
          "-Command",
          powershellScript(command),
        ],
      };
    case "bash":
      return {
        language: "posix",
        args: (command) => ["--noprofile", "--norc", "-c", "--", command],
      };
    case "sh":
    case "dash":
    case "ash":
      return { language: "posix", args: (command) => ["-c", "--", command] };
    case "zsh":
      return { language: "posix", args: (command) => ["-f", "-c", command] };
    case "fish":
      return { language: "other", args: (command) => ["--no-config", "-c", command] };
    case "nu":
      return { language: "other", args: (command) => ["--no-config-file", "-c", command] };
    case "cmd":
      return {
        language: "other",
        args: (command) => ["/d", "/c", `chcp 65001>nul & ${command}`],
      };
    default:
      return {
        language: name.endsWith("sh") ? "posix" : "other",
        args: (command) => ["-c", command],
      };
  }
}

/**
 * A PowerShell script that speaks UTF-8 whatever the code page is, and ends with the exit code of
 * its last command as other shells do (`-Command` alone only knows 0 and 1).
 */
function powershellScript(command: string): string {
  return "try { $OutputEncoding = [Console]::InputEncoding = [Console]::OutputEncoding = " +
    "[System.Text.UTF8Encoding]::new($false) } catch { }\n" +
    `${command}\n` +
    "if ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }";
}
