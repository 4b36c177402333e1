import { readScript } from "./read_script.ts";
import { PLAIN_INPUT, type ScriptLanguage } from "./shell_word.ts";

/**
 * The commands that the user lets run unasked: exactly these. A line counts when each of its parts
 * is one of them, with the same words and nothing around them: no variables, no substitutions, no
 * redirects to files. An entry of several parts counts as the whole line that it is.
 */
export class ApprovedCommands {
  readonly #entries: readonly string[];
  readonly #parts = new Map<ScriptLanguage, Promise<ReadonlySet<string>>>();

  /** @param entries As they stand in the configuration. */
  constructor(entries: readonly string[]) {
    this.#entries = entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
  }

  /** Whether a line runs nothing but approved commands. */
  async covers(
    line: {
      readonly command: string;
      readonly language: ScriptLanguage;
      readonly stdin?: string;
    },
  ): Promise<boolean> {
    if (this.#entries.length === 0 || line.stdin !== undefined) return false;
    if (this.#entries.includes(line.command.trim())) return true;
    const parts = await partsOf(line.command, line.language);
    if (parts === undefined) return false;
    const approved = await this.#partsIn(line.language);
    return parts.every((part) => approved.has(part));
  }

  #partsIn(language: ScriptLanguage): Promise<ReadonlySet<string>> {
    let parts = this.#parts.get(language);
    if (parts === undefined) {
      parts = Promise.all(this.#entries.map((entry) => partsOf(entry, language))).then((lists) =>
        new Set(lists.filter((list) => list?.length === 1).flatMap((list) => list ?? []))
      );
      this.#parts.set(language, parts);
    }
    return parts;
  }
}

/** The commands of a line, word by word, or `undefined` when it is more than a row of commands. */
async function partsOf(text: string, language: ScriptLanguage): Promise<string[] | undefined> {
  const { isPlain, commands } = await readScript({ text, language, input: PLAIN_INPUT });
  if (!isPlain || commands.length === 0) return undefined;
  return commands.map(({ words }) => words.map((word) => word.text).join("\0"));
}
