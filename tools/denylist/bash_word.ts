import { decodeAnsiC } from "./ansi_c.ts";
import { PIPE_FILE, RUNTIME, type ShellWord } from "./shell_word.ts";

/** A part of a word that the shell replaces, in UTF-16 units of the source. */
export interface WordHole {
  readonly start: number;
  readonly end: number;
  /** What stands there when it runs, where that is known. */
  readonly value?: string;
  /** A folder such as `$HOME`, of which no harm is expected. */
  readonly isFolder?: boolean;
  /** A pipe that a command writes into: `<(…)`. */
  readonly isPipe?: boolean;
}

/** One character with where it comes from. */
interface Atom {
  readonly text: string;
  readonly kind: "plain" | "quoted" | "computed" | "loose";
}

const MAX_BRACE_WORDS = 64;

/**
 * The words that one argument of a POSIX shell becomes. Quotes and escapes are removed, braces
 * expanded (64 words at most), values of known variables split at blanks.
 *
 * @param holes The expansions in it, in order.
 */
export function readBashWord(source: string, holes: readonly WordHole[], offset = 0): ShellWord[] {
  return expandBraces(readAtoms(source, holes, offset)).flatMap(splitWords).map(toWord);
}

function readAtoms(source: string, holes: readonly WordHole[], offset: number): Atom[] {
  const atoms: Atom[] = [];
  let quote: "" | '"' = "";
  let nextHole = 0;
  let at = 0;
  while (at < source.length) {
    const hole = holes[nextHole];
    if (hole !== undefined && at + offset >= hole.start) {
      atoms.push(...holeAtoms(hole, quote));
      at = hole.end - offset;
      nextHole += 1;
      continue;
    }
    const char = source[at] ?? "";
    if (char === "\\") {
      const next = source[at + 1] ?? "";
      at += 2;
      if (next === "\n") continue;
      // In double quotes a backslash is only special before these.
      if (quote === '"' && !'$`"\\'.includes(next)) atoms.push({ text: "\\", kind: "quoted" });
      if (next !== "") atoms.push({ text: next, kind: "quoted" });
    } else if (char === '"') {
      quote = quote === "" ? '"' : "";
      at += 1;
    } else if (quote === "" && char === "'") {
      const end = endOf(source, "'", at + 1);
      pushQuoted(atoms, source.slice(at + 1, end));
      at = end + 1;
    } else if (quote === "" && char === "$" && source[at + 1] === "'") {
      const end = ansiCEnd(source, at + 2);
      pushQuoted(atoms, decodeAnsiC(source.slice(at + 2, end)));
      at = end + 1;
    } else if (quote === "" && char === "$" && source[at + 1] === '"') {
      at += 1;
    } else {
      atoms.push({ text: char, kind: quote === "" ? "plain" : "quoted" });
      at += 1;
    }
  }
  return atoms;
}

function endOf(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from);
  return end === -1 ? source.length : end;
}

function ansiCEnd(source: string, from: number): number {
  let at = from;
  while (at < source.length && source[at] !== "'") at += source[at] === "\\" ? 2 : 1;
  return Math.min(at, source.length);
}

function pushQuoted(atoms: Atom[], text: string): void {
  for (let at = 0; at < text.length; at++) atoms.push({ text: text[at] ?? "", kind: "quoted" });
}

function holeAtoms(hole: WordHole, quote: string): Atom[] {
  if (hole.isPipe) return [{ text: PIPE_FILE, kind: "quoted" }];
  const kind = quote === "" && hole.isFolder !== true ? "loose" : "computed";
  if (hole.value === undefined) return [{ text: RUNTIME, kind }];
  return Array.from(hole.value, (text) => ({ text, kind }));
}

/** `a{b,c}` as `ab` and `ac`; ranges such as `{1..3}` are left alone. */
function expandBraces(atoms: readonly Atom[]): Atom[][] {
  const done: Atom[][] = [];
  const todo: (readonly Atom[])[] = [atoms];
  for (let word = todo.pop(); word !== undefined; word = todo.pop()) {
    const choices = done.length + todo.length < MAX_BRACE_WORDS ? braceChoices(word) : undefined;
    if (choices === undefined) done.push([...word]);
    else todo.push(...choices.reverse());
  }
  return done;
}

function braceChoices(atoms: readonly Atom[]): Atom[][] | undefined {
  const isPlain = (at: number, text: string) =>
    atoms[at]?.kind === "plain" && atoms[at]?.text === text;
  for (let open = 0; open < atoms.length; open++) {
    if (!isPlain(open, "{")) continue;
    const commas: number[] = [];
    let depth = 0;
    for (let at = open + 1; at < atoms.length; at++) {
      if (isPlain(at, "{")) depth += 1;
      else if (isPlain(at, ",") && depth === 0) commas.push(at);
      else if (isPlain(at, "}") && depth > 0) depth -= 1;
      else if (isPlain(at, "}")) {
        if (commas.length === 0) break;
        const edges = [open, ...commas, at];
        return commas.concat(at).map((edge, index) => [
          ...atoms.slice(0, open),
          ...atoms.slice((edges[index] ?? open) + 1, edge),
          ...atoms.slice(at + 1),
        ]);
      }
    }
  }
  return undefined;
}

/** Splits where a value brings blanks of its own. */
function splitWords(atoms: readonly Atom[]): Atom[][] {
  const words: Atom[][] = [[]];
  for (const atom of atoms) {
    if (atom.kind === "loose" && /\s/.test(atom.text)) words.push([]);
    else words.at(-1)?.push(atom);
  }
  return words.length === 1 ? words : words.filter((word) => word.length > 0);
}

function toWord(atoms: readonly Atom[]): ShellWord {
  let text = "";
  let knownFrom = 0;
  let isLoose = false;
  for (const { text: char, kind } of atoms) {
    text += char;
    const isPattern = kind === "plain" && (char === "*" || char === "?" || char === "[");
    if (kind === "computed" || kind === "loose" || isPattern) knownFrom = text.length;
    if (kind === "loose") isLoose = true;
  }
  // The command `[` is no pattern.
  return text === "[" ? { text, knownFrom: 0, isLoose: false } : { text, knownFrom, isLoose };
}
