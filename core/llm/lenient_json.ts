/** What {@linkcode parseToolArguments} makes of a text. */
export type ToolArguments =
  | {
    readonly ok: true;
    readonly value: Record<string, unknown>;
    /** Whether the text had to be repaired. */
    readonly repaired: boolean;
  }
  | {
    readonly ok: false;
    /** What is wrong and where, for the model to read. */
    readonly error: string;
  };

/** Options of {@linkcode parseToolArguments}. */
export interface ParseToolArgumentsOptions {
  /**
   * Whether the call came to its end. A call that did not is never closed into something that
   * runs.
   * @default {true}
   */
  readonly complete?: boolean;
}

/**
 * The arguments of a tool call. Blank text and `null` are `{}`. Text that is not JSON gets one
 * lenient repair: code fences, single quotes, trailing commas, junk after the closing brace, and,
 * for a complete call, unclosed strings and brackets at the end.
 */
export function parseToolArguments(
  text: string,
  options: ParseToolArgumentsOptions = {},
): ToolArguments {
  const complete = options.complete ?? true;
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "null") {
    return complete
      ? { ok: true, value: {}, repaired: false }
      : { ok: false, error: "The arguments were cut off before they began" };
  }
  try {
    return objectOnly(JSON.parse(trimmed), false);
  } catch {
    // Not JSON: the lenient reader says what it can make of it.
  }
  const reader = new LenientReader(trimmed);
  const value = reader.read();
  if (reader.problem !== undefined) return { ok: false, error: reader.problem };
  if (reader.unclosed && !complete) {
    return {
      ok: false,
      error: `The arguments were cut off at position ${trimmed.length}: ` +
        "they end inside a value; send the whole call again",
    };
  }
  return objectOnly(value, true);
}

function objectOnly(value: unknown, repaired: boolean): ToolArguments {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { ok: true, value: value as Record<string, unknown>, repaired };
  }
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return { ok: false, error: `The arguments are ${kind} at position 0; send a JSON object` };
}

const FENCE_REGEXP = /^```[A-Za-z0-9]*\s*/;
const LITERALS: readonly (readonly [string, unknown])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
];
const NUMBER_REGEXP = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const MAX_DEPTH = 200;

/** Marks the place of a value that the text ends before. */
const MISSING = Symbol("missing");

/** A recursive reader of almost-JSON; linear in the length of the text. */
class LenientReader {
  readonly #text: string;
  #at: number;
  /** What is wrong and where, when the text cannot be read. */
  problem: string | undefined;
  /** Whether the end of the text had to close strings or brackets. */
  unclosed = false;

  constructor(text: string) {
    this.#text = text;
    this.#at = FENCE_REGEXP.exec(text)?.[0].length ?? 0;
  }

  read(): unknown {
    const value = this.#value(0);
    // Whatever follows the closing brace is junk.
    return value === MISSING ? this.#fail("a value") : value;
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) return this.#fail("fewer levels");
    this.#skipSpace();
    const start = this.#text[this.#at];
    if (start === undefined) {
      this.unclosed = true;
      return MISSING;
    }
    if (start === "{") return this.#object(depth);
    if (start === "[") return this.#array(depth);
    if (start === '"' || start === "'") return this.#string(start);
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    NUMBER_REGEXP.lastIndex = this.#at;
    const number = NUMBER_REGEXP.exec(this.#text)?.[0];
    if (number === undefined) return this.#fail("a value");
    this.#at += number.length;
    // A number at the very end may have lost digits.
    if (this.#at === this.#text.length) this.unclosed = true;
    return Number(number);
  }

  #object(depth: number): unknown {
    const record: Record<string, unknown> = {};
    this.#at += 1;
    while (this.problem === undefined) {
      this.#skipSpace();
      const next = this.#text[this.#at];
      if (next === undefined) {
        this.unclosed = true;
        return record;
      }
      if (next === "}") {
        this.#at += 1;
        return record;
      }
      if (next === ",") {
        this.#at += 1;
        continue;
      }
      if (next !== '"' && next !== "'") return this.#fail("a property name in quotes");
      const key = this.#string(next);
      this.#skipSpace();
      if (this.#at >= this.#text.length) {
        // A name without its value says nothing.
        this.unclosed = true;
        return record;
      }
      if (this.#text[this.#at] !== ":") return this.#fail('":"');
      this.#at += 1;
      const value = this.#value(depth + 1);
      if (value === MISSING) return record;
      Object.defineProperty(record, key, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
      if (!this.#atBoundary("}")) return this.#fail('"," or "}"');
    }
    return record;
  }

  #array(depth: number): unknown {
    const items: unknown[] = [];
    this.#at += 1;
    while (this.problem === undefined) {
      this.#skipSpace();
      const next = this.#text[this.#at];
      if (next === "]") {
        this.#at += 1;
        return items;
      }
      if (next === ",") {
        this.#at += 1;
        continue;
      }
      const value = this.#value(depth + 1);
      if (value === MISSING) return items;
      items.push(value);
      if (!this.#atBoundary("]")) return this.#fail('"," or "]"');
    }
    return items;
  }

  #atBoundary(closing: string): boolean {
    if (this.problem !== undefined) return true;
    this.#skipSpace();
    const next = this.#text[this.#at];
    return next === undefined || next === "," || next === closing;
  }

  #string(quote: string): string {
    let text = "";
    let from = this.#at + 1;
    for (let at = from;; at++) {
      const unit = this.#text[at];
      if (unit === undefined) {
        this.unclosed = true;
        this.#at = at;
        return text + this.#text.slice(from, at);
      }
      if (unit === quote) {
        this.#at = at + 1;
        return text + this.#text.slice(from, at);
      }
      if (unit !== "\\") continue;
      const escape = readEscape(this.#text, at);
      text += this.#text.slice(from, at) + escape.text;
      at += escape.units - 1;
      from = at + 1;
    }
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #fail(wanted: string): unknown {
    const found = this.#text[this.#at];
    this.problem ??=
      `The arguments are not valid JSON: expected ${wanted} at position ${this.#at}, ` +
      (found === undefined ? "found the end" : `found ${JSON.stringify(found)}`);
    return undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** The meaning of a backslash; one that the text ends in means nothing. */
function readEscape(text: string, at: number): { readonly text: string; readonly units: number } {
  const letter = text[at + 1];
  if (letter === undefined) return { text: "", units: 1 };
  if (letter === "u") {
    const hex = /^[0-9a-fA-F]{4}$/.exec(text.slice(at + 2, at + 6));
    if (hex !== null) return { text: String.fromCharCode(parseInt(hex[0], 16)), units: 6 };
  }
  // A backslash before any other letter is meant as itself, as in a Windows path.
  return ESCAPES[letter] !== undefined
    ? { text: ESCAPES[letter], units: 2 }
    : "\"\\/'".includes(letter)
    ? { text: letter, units: 2 }
    : { text: `\\${letter}`, units: 2 };
}
