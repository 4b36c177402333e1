import { UsageError } from "../base/errors.ts";
import { type Flag, FLAGS } from "./flags.ts";

/** The shells that completions can be made for. */
export const COMPLETION_SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

type CompletionShell = (typeof COMPLETION_SHELLS)[number];

/**
 * A completion script.
 *
 * @param subcommands The words that may follow `rho`.
 * @throws {UsageError} for a shell that is not known.
 */
export function completionScript(shell: string, subcommands: readonly string[]): string {
  const known = COMPLETION_SHELLS.find((candidate) => candidate === shell);
  if (known === undefined) {
    throw new UsageError(`There are completions for ${COMPLETION_SHELLS.join(", ")} only`);
  }
  return SCRIPTS[known](subcommands, FLAGS);
}

type Script = (subcommands: readonly string[], flags: readonly Flag[]) => string;

const SCRIPTS: Readonly<Record<CompletionShell, Script>> = {
  bash: (subcommands, flags) =>
    `# rho completions for bash: source this file, or write it to a completions folder
_rho() {
  local words="${[...subcommands, ...flags.map(({ name }) => `--${name}`)].join(" ")}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _rho rho
`,
  zsh: (subcommands, flags) =>
    `#compdef rho
# rho completions for zsh: write this to a file named _rho in your fpath
_arguments \\
  '1:command:(${subcommands.join(" ")})' \\
${flags.map(zshFlag).join(" \\\n")}
`,
  fish: (subcommands, flags) =>
    [
      "# rho completions for fish: write this to ~/.config/fish/completions/rho.fish",
      `complete -c rho -n __fish_use_subcommand -a '${subcommands.join(" ")}'`,
      ...flags.map(fishFlag),
      "",
    ].join("\n"),
  powershell: (subcommands, flags) =>
    `# rho completions for PowerShell: dot-source this file in your profile
Register-ArgumentCompleter -Native -CommandName rho -ScriptBlock {
  param($word)
  @(${
      [...subcommands, ...flags.map(({ name }) => `--${name}`)].map((word) => `'${word}'`).join(
        ", ",
      )
    }) |
    Where-Object { $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
};

function zshFlag(flag: Flag): string {
  const value = flag.value === undefined ? "" : `:${quoted(flag.value)}:`;
  return `  '--${flag.name}[${quoted(flag.summary).replace(/[[\]]/g, "")}]${value}'`;
}

function fishFlag(flag: Flag): string {
  const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
  const value = flag.value === undefined ? "" : " -r";
  return `complete -c rho -l ${flag.name}${short}${value} -d '${quoted(flag.summary)}'`;
}

/** Text that may stand between single quotes in any of the shells. */
function quoted(text: string): string {
  return text.replaceAll("'", "’").replaceAll(":", " -");
}
