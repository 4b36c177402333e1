import type { CommandUse, ScriptInput, ScriptLanguage, ShellWord } from "./shell_word.ts";

/** A script that a command is about to run. */
export interface InnerScript {
  readonly text: string;
  readonly language: ScriptLanguage;
  readonly input: ScriptInput;
  readonly variables?: ReadonlyMap<string, string>;
}

/** What a command runs besides itself. */
export interface InnerCommands {
  readonly commands?: readonly CommandUse[];
  readonly scripts?: readonly InnerScript[];
  /** Why nobody can tell what it runs. */
  readonly question?: string;
}

/** The options in front of the operands of a command. */
export interface OptionSpec {
  /** Letters of short options that take a value. */
  readonly short?: string;
  /** Long options that take a value, without dashes. */
  readonly long?: readonly string[];
}

/** Options as they were found. */
export interface FoundOptions {
  /** The index of the first operand. */
  readonly next: number;
  /** Each option with its dashes and its value, `""` for flags. */
  readonly options: readonly { readonly name: string; readonly value: string }[];
}

/** Reads options up to the first operand or `--`, as getopt does. */
export function readOptions(
  words: readonly ShellWord[],
  from: number,
  spec: OptionSpec,
): FoundOptions {
  const options: { readonly name: string; readonly value: string }[] = [];
  let at = from;
  while (at < words.length) {
    const text = words[at]?.text ?? "";
    if (text === "--") return { next: at + 1, options };
    if (text.length < 2 || text[0] !== "-") break;
    at += 1;
    if (text.startsWith("--") || spec.long?.includes(text.slice(1))) {
      const name = text.replace(/^--?/, "");
      const equals = name.indexOf("=");
      if (equals > 0) {
        options.push({ name: `--${name.slice(0, equals)}`, value: name.slice(equals + 1) });
      } else if (spec.long?.includes(name)) {
        options.push({ name: `--${name}`, value: words[at++]?.text ?? "" });
      } else options.push({ name: `--${name}`, value: "" });
      continue;
    }
    for (let index = 1; index < text.length; index++) {
      const letter = text[index] ?? "";
      if (spec.short?.includes(letter)) {
        const rest = text.slice(index + 1);
        options.push({ name: `-${letter}`, value: rest === "" ? words[at++]?.text ?? "" : rest });
        break;
      }
      options.push({ name: `-${letter}`, value: "" });
    }
  }
  return { next: at, options };
}

/** The value of the first option that has one of some names; `undefined` when none is there. */
export function optionValue(found: FoundOptions, ...names: string[]): string | undefined {
  return found.options.find(({ name }) => names.includes(name))?.value;
}
