import { type CharSet, charSet, complement, foldAscii, union } from "./char_set.ts";

/** A pattern as a tree, as far as "does this line match" needs it: no groups, no greed. */
export type PatternNode =
  | { readonly type: "chars"; readonly set: CharSet }
  | { readonly type: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly type: "choice"; readonly options: readonly PatternNode[] }
  | {
    readonly type: "repeat";
    readonly body: PatternNode;
    readonly min: number;
    /** `Infinity` for no bound. */
    readonly max: number;
  }
  | { readonly type: "edge"; readonly edge: "start" | "end" | "word" | "no_word" };

/**
 * The tree of a pattern that re2js has found valid, or `undefined` for what is rarely written:
 * Unicode classes, flags in the middle, letters beyond ASCII without case. Such a pattern is only
 * slower.
 */
export function parsePattern(
  pattern: string,
  options: { readonly ignoreCase: boolean },
): PatternNode | undefined {
  const flags = /^\(\?([imsU]+)\)/.exec(pattern);
  const ignoreCase = options.ignoreCase || flags?.[1]?.includes("i") === true;
  const parser = new Parser(pattern, { ignoreCase, start: flags?.[0].length ?? 0 });
  try {
    return parser.parse();
  } catch (thrown) {
    if (thrown instanceof NotAnalysed) return undefined;
    throw thrown;
  }
}

/** Thrown to leave the parser; never leaves this file. */
class NotAnalysed {}

const ANY = complement([]);
const DIGIT = charSet([[0x30, 0x39]]);
const WORD = charSet([[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);
const SPACE = charSet([[0x09, 0x0d], [0x20, 0x20]]);
/** RE2's `\s` has no vertical tab. */
const RE2_SPACE = charSet([[0x09, 0x0a], [0x0c, 0x0d], [0x20, 0x20]]);
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);
const NAMED: ReadonlyMap<string, CharSet> = new Map(Object.entries({
  alnum: charSet([[0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]]),
  alpha: charSet([[0x41, 0x5a], [0x61, 0x7a]]),
  ascii: charSet([[0, 0x7f]]),
  blank: charSet([[0x09, 0x09], [0x20, 0x20]]),
  cntrl: charSet([[0, 0x1f], [0x7f, 0x7f]]),
  digit: DIGIT,
  graph: charSet([[0x21, 0x7e]]),
  lower: charSet([[0x61, 0x7a]]),
  print: charSet([[0x20, 0x7e]]),
  punct: charSet([[0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e]]),
  space: SPACE,
  upper: charSet([[0x41, 0x5a]]),
  word: WORD,
  xdigit: charSet([[0x30, 0x39], [0x41, 0x46], [0x61, 0x66]]),
}));
const MAX_DEPTH = 50;

const EDGES: ReadonlyMap<string, "start" | "end" | "word" | "no_word"> = new Map([
  ["A", "start"],
  ["z", "end"],
  ["b", "word"],
  ["B", "no_word"],
]);

class Parser {
  readonly #text: string;
  readonly #ignoreCase: boolean;
  #at: number;
  #depth = 0;

  constructor(text: string, options: { readonly ignoreCase: boolean; readonly start: number }) {
    this.#text = text;
    this.#ignoreCase = options.ignoreCase;
    this.#at = options.start;
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#text.length) throw new NotAnalysed();
    return node;
  }

  #choice(): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw new NotAnalysed();
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    this.#depth -= 1;
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { type: "choice", options };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.#at < this.#text.length && !this.#sees("|") && !this.#sees(")")) {
      if (this.#take("\\Q")) items.push(...this.#quoted());
      else items.push(this.#repeats(this.#atom()));
    }
    return { type: "sequence", items };
  }

  #quoted(): PatternNode[] {
    const end = this.#text.indexOf("\\E", this.#at);
    const quoted = this.#text.slice(this.#at, end < 0 ? this.#text.length : end);
    // What a repetition behind the quotation would repeat is not worth knowing.
    if (end >= 0 && /^[*+?{]/.test(this.#text.slice(end + 2))) throw new NotAnalysed();
    this.#at = end < 0 ? this.#text.length : end + 2;
    return [...quoted].map((char) => this.#chars(single(char)));
  }

  #atom(): PatternNode {
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return this.#class();
    if (this.#take(".")) return { type: "chars", set: ANY };
    if (this.#take("^")) return { type: "edge", edge: "start" };
    if (this.#take("$")) return { type: "edge", edge: "end" };
    if (this.#take("\\")) return this.#escape();
    return this.#chars(single(this.#next()));
  }

  #group(): PatternNode {
    const name = /^\?(?:P?<[^>]*>|:)/.exec(this.#text.slice(this.#at));
    if (name !== null) this.#at += name[0].length;
    else if (this.#sees("?")) throw new NotAnalysed();
    const body = this.#choice();
    if (!this.#take(")")) throw new NotAnalysed();
    return body;
  }

  #repeats(atom: PatternNode): PatternNode {
    let node = atom;
    for (;;) {
      const range = /^(?:[*+?]|\{(\d+)(,(\d*))?\})/.exec(this.#text.slice(this.#at, this.#at + 20));
      if (range === null) return node;
      if (node !== atom) throw new NotAnalysed();
      this.#at += range[0].length;
      this.#take("?");
      node = { type: "repeat", body: atom, ...bounds(range) };
    }
  }

  #escape(): PatternNode {
    const char = this.#next();
    const edge = EDGES.get(char);
    if (edge !== undefined) return { type: "edge", edge };
    const set = classEscape(char, this.#ignoreCase);
    return set !== undefined ? { type: "chars", set } : this.#chars(this.#codeEscape(char));
  }

  /** An escape that stands for one character, its letter already taken. */
  #codeEscape(char: string): CharSet {
    const control = CONTROLS.get(char);
    if (control !== undefined) return [[control, control]];
    if (char === "x") {
      const hex = /^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/.exec(this.#text.slice(this.#at));
      if (hex === null) throw new NotAnalysed();
      this.#at += hex[0].length;
      const code = parseInt(hex[1] ?? hex[2] ?? "", 16);
      return [[code, code]];
    }
    // Digits (octal) and unknown letters are left to re2js.
    if (!/^[!-/:-@[-`{-~]$/.test(char)) throw new NotAnalysed();
    return single(char);
  }

  #class(): PatternNode {
    const isNegated = this.#take("^");
    let set: CharSet = [];
    for (let isFirst = true; isFirst || !this.#sees("]"); isFirst = false) {
      set = union(set, this.#classItem());
    }
    this.#at += 1;
    const folded = this.#ignoreCase ? foldAscii(set) : charSet(set);
    if (folded === undefined) throw new NotAnalysed();
    return notEmpty(isNegated ? complement(folded) : folded);
  }

  #classItem(): CharSet {
    const named = /^\[:(\^?)([a-z]+):\]/.exec(this.#text.slice(this.#at, this.#at + 20));
    const known = named?.[2] === undefined ? undefined : NAMED.get(named[2]);
    if (named !== null && known !== undefined) {
      this.#at += named[0].length;
      return named[1] === "^" ? complement(known) : known;
    }
    const char = this.#next();
    const set = char === "\\" ? this.#classEscape() : single(char);
    const [range] = set;
    const isSingle = set.length === 1 && range !== undefined && range[0] === range[1];
    if (!isSingle || !this.#sees("-") || this.#text[this.#at + 1] === "]") return set;
    this.#at += 1;
    const end = this.#next();
    const last = (end === "\\" ? this.#codeEscape(this.#next()) : single(end))[0];
    if (last === undefined) throw new NotAnalysed();
    return [[range[0], last[1]]];
  }

  #classEscape(): CharSet {
    const char = this.#next();
    return classEscape(char, this.#ignoreCase) ?? this.#codeEscape(char);
  }

  #chars(set: CharSet): PatternNode {
    const folded = this.#ignoreCase ? foldAscii(set) : charSet(set);
    if (folded === undefined) throw new NotAnalysed();
    return notEmpty(folded);
  }

  #next(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw new NotAnalysed();
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }

  #sees(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#at += text.length;
    return true;
  }
}

function single(char: string): CharSet {
  const code = char.codePointAt(0) ?? 0;
  return [[code, code]];
}

// An empty set cannot be written in every dialect, and is what a line feed leaves of its set.
function notEmpty(set: CharSet): PatternNode {
  if (set.length === 0) throw new NotAnalysed();
  return { type: "chars", set };
}

function classEscape(char: string, ignoreCase: boolean): CharSet | undefined {
  const set = char === "d" || char === "D"
    ? DIGIT
    : char === "s" || char === "S"
    ? RE2_SPACE
    : char === "w" || char === "W"
    ? (ignoreCase ? foldAscii(WORD) : WORD)
    : undefined;
  return set === undefined || char > "Z" ? set : complement(set);
}

function bounds(range: RegExpExecArray): { readonly min: number; readonly max: number } {
  const [whole, low, comma, high] = range;
  if (whole === "*") return { min: 0, max: Infinity };
  if (whole === "+") return { min: 1, max: Infinity };
  if (whole === "?") return { min: 0, max: 1 };
  const min = Number(low);
  if (comma === undefined) return { min, max: min };
  return { min, max: high === "" || high === undefined ? Infinity : Number(high) };
}
