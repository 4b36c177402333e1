import { decodeAnsiC } from "./ansi_c.ts";
import { programName } from "./program_name.ts";
import { RUNTIME, type ScriptInput, type ShellWord, UNKNOWN_INPUT } from "./shell_word.ts";

/**
 * What a command prints, where its words tell: `echo`, `printf`, `cat` of a known input. Parts that
 * are unknown stay marked in the text.
 */
export function printedText(words: readonly ShellWord[], input: ScriptInput): ScriptInput {
  const [name, ...rest] = words;
  if (name === undefined) return UNKNOWN_INPUT;
  const texts = rest.map(({ text }) => text);
  switch (programName(name.text)) {
    case "echo":
    case "write-output":
    case "write-host":
    case "write":
      return echoed(texts);
    case "printf":
      return { type: "text", text: formatted(texts) };
    case "cat":
    case "tee":
      return texts.every((text) => text.startsWith("-")) && input.type === "text"
        ? input
        : UNKNOWN_INPUT;
    default:
      return UNKNOWN_INPUT;
  }
}

function echoed(texts: readonly string[]): ScriptInput {
  let first = 0;
  while (/^-[neE]+$/.test(texts[first] ?? "")) first += 1;
  const text = `${texts.slice(first).join(" ")}\n`;
  // Whether escapes are read depends on the shell as much as on `-e`.
  return text.includes("\\")
    ? { type: "text", text, escaped: decodeAnsiC(text) }
    : { type: "text", text };
}

function formatted(texts: readonly string[]): string {
  const [format = "", ...values] = texts[0] === "--" ? texts.slice(1) : texts;
  let next = 0;
  let printed = "";
  const once = () =>
    decodeAnsiC(format).replace(
      /%(?:%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))/g,
      (whole, kind?: string) => {
        if (kind === undefined) return whole === "%%" ? "%" : whole;
        const value = values[next++] ?? "";
        return kind === "b" ? decodeAnsiC(value) : "sdq".includes(kind) ? value : RUNTIME;
      },
    );
  // The format is used again as long as values are left.
  do printed += once(); while (next > 0 && next < values.length && printed.length < 65_536);
  return printed;
}
