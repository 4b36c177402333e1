import type { WordHole } from "./bash_word.ts";
import { RUNTIME, type ShellWord } from "./shell_word.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/**
 * One argument of a PowerShell command without its quotes and backticks. A here-string gives its
 * body.
 *
 * @param holes The expansions in it, in order.
 */
export function readPowerShellWord(
  source: string,
  holes: readonly WordHole[],
  offset = 0,
): ShellWord {
  const here = /^@(["'])[ \t]*\r?\n([^]*?)\r?\n\1@$/.exec(source);
  if (here !== null && here[1] === "'") {
    return { text: here[2] ?? "", knownFrom: 0, isLoose: false };
  }
  const start = here === null ? 0 : source.indexOf("\n") + 1;
  const end = here === null ? source.length : source.length - 2;
  let text = "";
  let knownFrom = 0;
  let isLoose = false;
  let quote = here === null ? "" : '"';
  let nextHole = 0;
  let at = start;
  while (at < end) {
    const hole = holes[nextHole];
    const char = source[at] ?? "";
    if (hole !== undefined && at + offset >= hole.start) {
      text += hole.value ?? RUNTIME;
      knownFrom = text.length;
      if (quote === "") isLoose = true;
      at = Math.max(hole.end - offset, at + 1);
      nextHole += 1;
    } else if (char === "`" && quote !== "'") {
      const next = source[at + 1] ?? "";
      at += next === "\r" ? 3 : 2;
      // Outside of strings a backtick only takes the meaning away, but `n is a line break anywhere.
      if (next !== "\n" && next !== "\r") text += quote === "" ? next : ESCAPES[next] ?? next;
    } else if (isQuote(char) && (quote === "" || quote === plainQuote(char))) {
      const isDoubled = quote !== "" && plainQuote(source[at + 1] ?? "") === quote && here === null;
      if (isDoubled) text += char;
      else if (here === null) quote = quote === "" ? plainQuote(char) : "";
      else text += char;
      at += isDoubled ? 2 : 1;
    } else {
      text += char;
      at += 1;
    }
  }
  return { text, knownFrom, isLoose };
}

// PowerShell takes typographic quotes for plain ones.
function plainQuote(char: string): string {
  if (/["\u201c-\u201e]/.test(char)) return '"';
  return /['\u2018-\u201b]/.test(char) ? "'" : "";
}

function isQuote(char: string): boolean {
  return plainQuote(char) !== "";
}
