import { DEFAULT_SETTINGS, type DenylistSettings } from "../../core/config/settings.ts";
import type { ShellSettings } from "../../core/config/settings.ts";
import type { CommandJudge } from "../denylist/command_judge.ts";
import type { ScriptLanguage } from "../denylist/shell_word.ts";
import type { CallVerdict } from "../tool.ts";
import { chooseShell, type ShellChoice, ShellNotFoundError } from "./shell_choice.ts";

/** Options of {@linkcode CommandGuard}. */
export interface CommandGuardOptions {
  /** The `[shell]` settings; the shell decides which grammar a command is read with. */
  readonly shell: ShellSettings;
  /**
   * What the denylist holds besides its built-in rules.
   * @default {DEFAULT_SETTINGS.denylist}
   */
  readonly denylist?: DenylistSettings;
  /**
   * Commands that run unasked.
   * @default {[]}
   */
  readonly approvedCommands?: readonly string[];
  /** The environment in which the shell is looked for; rho's own by default. */
  readonly env?: () => Record<string, string>;
}

/**
 * The one judge of every command that rho starts for anyone: the model, extensions, cargo. Grammars
 * and rules load with the first command.
 */
export class CommandGuard {
  readonly #options: CommandGuardOptions;
  #judge: Promise<CommandJudge> | undefined;

  constructor(options: CommandGuardOptions) {
    this.#options = options;
  }

  /** Judges a command line for the shell of the settings. */
  async judgeShell(line: {
    readonly command: string;
    readonly stdin?: string | undefined;
  }): Promise<CallVerdict> {
    let language: ScriptLanguage;
    try {
      const env = this.#options.env?.() ?? Deno.env.toObject();
      language = languageOf(chooseShell(this.#options.shell, { env }));
    } catch (error) {
      // Nothing will run, and the call itself says why.
      if (error instanceof ShellNotFoundError) return { type: "allowed" };
      throw error;
    }
    const { command, stdin } = line;
    const judge = await this.#loadJudge();
    return await judge.judgeShell({
      command,
      language,
      ...(stdin === undefined ? {} : { stdin }),
    });
  }

  /** Judges a program that is started with arguments and without a shell. */
  async judgeProgram(
    program: string,
    args: readonly string[],
    options: { readonly stdin?: string } = {},
  ): Promise<CallVerdict> {
    return await (await this.#loadJudge()).judgeProgram(program, args, options);
  }

  #loadJudge(): Promise<CommandJudge> {
    return this.#judge ??= (import("../denylist/command_judge.ts" as string) as Promise<
      typeof import("../denylist/command_judge.ts")
    >).then(({ CommandJudge }) => {
      const { denylist = DEFAULT_SETTINGS.denylist, approvedCommands = [] } = this.#options;
      return new CommandJudge({ denylist, approvedCommands });
    });
  }
}

function languageOf(shell: ShellChoice): ScriptLanguage {
  if (shell.language !== "other") return shell.language;
  return shell.name === "cmd" ? "cmd" : "posix";
}
