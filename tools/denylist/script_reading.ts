import type { CommandUse, ShellWord } from "./shell_word.ts";

/** What a script does, as far as its text tells. */
export interface ScriptReading {
  /** Every command in it, also those inside of others. */
  readonly commands: readonly CommandUse[];
  /** Whether the whole script follows the grammar. */
  readonly isSound: boolean;
  /**
   * Whether it is nothing but commands with literal words, joined by `;`, `&&`, `||` and pipes;
   * output that is thrown away or joined (`2>&1`) is nothing more.
   */
  readonly isPlain: boolean;
  /** Files that output or input is redirected to. */
  readonly redirects: readonly ShellWord[];
  /** Further scripts in it. */
  readonly scripts: readonly string[];
  /** Texts in which names of `.NET` types count. */
  readonly typeTexts: readonly string[];
  /** Why a person has to look at it, whatever the commands are. */
  readonly questions: readonly string[];
}

/** A script in which nothing was found. */
export const EMPTY_READING: ScriptReading = {
  commands: [],
  isSound: true,
  isPlain: false,
  redirects: [],
  scripts: [],
  typeTexts: [],
  questions: [],
};
