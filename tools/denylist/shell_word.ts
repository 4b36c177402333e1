/**
 * Stands in a word for a part that is only known when the command runs. A noncharacter: what comes
 * from outside is freed of it first.
 */
export const RUNTIME = "\ufdd0";

/** Stands for the name of a pipe that `<(…)` makes: a file with the output of a command in it. */
export const PIPE_FILE = "\ufdd1";

/** One word of a command after quotes, escapes and known variables are resolved. */
export interface ShellWord {
  readonly text: string;
  /**
   * The index behind the last character that came out of an expansion or may be a pattern; 0 when
   * the whole word stands in the source. Such a word is what it seems only from there on.
   */
  readonly knownFrom: number;
  /** Whether it may become several words: an expansion or a pattern outside of quotes. */
  readonly isLoose: boolean;
}

/** How a script is written. */
export type ScriptLanguage = "posix" | "powershell" | "cmd";

/**
 * What a command finds on its standard input: nothing special, a known text, or what only exists
 * when it runs.
 */
export type ScriptInput =
  | { readonly type: "plain" }
  | {
    readonly type: "text";
    readonly text: string;
    /** What it is in shells whose `echo` reads escapes. */
    readonly escaped?: string;
  }
  | { readonly type: "unknown" };

/** No input that a shell could run. */
export const PLAIN_INPUT: ScriptInput = { type: "plain" };

/** Input that only exists when the command runs. */
export const UNKNOWN_INPUT: ScriptInput = { type: "unknown" };

/** One command as it is about to be started. */
export interface CommandUse {
  /** The name first. */
  readonly words: readonly ShellWord[];
  readonly language: ScriptLanguage;
  readonly input: ScriptInput;
  /** Whether more words come from its input, as with `xargs`. */
  readonly hasMoreWords?: boolean;
  /** Variables whose value is known, for scripts inside of it. */
  readonly variables?: ReadonlyMap<string, string>;
}

/** A word that stands in the source as it is. */
export function literalWord(text: string): ShellWord {
  return { text: withoutMarks(text), knownFrom: 0, isLoose: false };
}

/** Whether a word is all there. */
export function isLiteral(word: ShellWord): boolean {
  return word.knownFrom === 0 && !word.isLoose;
}

/** A text from outside that cannot be taken for one of our marks. */
export function withoutMarks(text: string): string {
  return text.replace(/[\ufdd0\ufdd1]/g, "\ufffd");
}

/** A script out of a word: what is unknown becomes a variable, which is unknown again. */
export function scriptText(text: string): string {
  return text.replace(/[\ufdd0\ufdd1]/g, () => "${__}");
}

/** A word for a person: unknown parts as `…`. */
export function showWord(text: string): string {
  return text.replace(/[\ufdd0\ufdd1]/g, "…");
}
