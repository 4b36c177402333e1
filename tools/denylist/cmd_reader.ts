import type { ScriptReading } from "./script_reading.ts";
import { EMPTY_READING } from "./script_reading.ts";
import { type CommandUse, PLAIN_INPUT, RUNTIME, type ShellWord } from "./shell_word.ts";

const COMMAND_END_REGEXP = /[&|()\r\n]+/;

/** Words that stand in front of a command. */
const PREFIXES: ReadonlySet<string> = new Set(["call", "do", "else", "start"]);

/** Reads every command of a script for `cmd.exe`. There is no grammar for it; this is a close look. */
export function readCmdScript(source: string): ScriptReading {
  const commands: CommandUse[] = [];
  // A caret only takes the meaning of the next character away.
  const plain = source.replace(/\^(?:\r?\n)?/g, "");
  for (const part of plain.split(COMMAND_END_REGEXP)) {
    const words = (part.match(/"[^"]*"|[^\s"]+/g) ?? []).map(toWord);
    while (isPrefix(words[0])) words.shift();
    if (/^(?:if|for)$/i.test(words[0]?.text ?? "")) {
      // The condition is not told from the command; every word may be one.
      for (let at = 1; at < words.length; at++) push(commands, words.slice(at));
    } else push(commands, words);
  }
  return { ...EMPTY_READING, commands };
}

function push(commands: CommandUse[], words: readonly ShellWord[]): void {
  if (words.length > 0) commands.push({ words, language: "cmd", input: PLAIN_INPUT });
}

function isPrefix(word: ShellWord | undefined): boolean {
  return word !== undefined && (PREFIXES.has(word.text.toLowerCase()) || /^@+$/.test(word.text));
}

function toWord(source: string): ShellWord {
  const bare = source.replaceAll('"', "").replace(/^@/, "");
  let knownFrom = 0;
  const text = bare.replace(/%[^%\s]+%|%~?\w|![^!\s]+!/g, () => RUNTIME);
  if (text.includes(RUNTIME)) knownFrom = text.lastIndexOf(RUNTIME) + 1;
  return { text, knownFrom, isLoose: knownFrom > 0 };
}
