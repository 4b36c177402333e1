/**
 * What a failed match tells the loops around it. Without the two kinds of giving up a pattern such
 * as `*a*a*a*b` takes exponential time.
 */
type Outcome = "match" | "no_match" | "give_up" | "give_up_to_double_star";

/** Options of {@linkcode wildmatch}. */
export interface WildmatchOptions {
  /** Whether the text is a path, where only a double star between slashes matches a slash. */
  readonly isPath: boolean;
}

const SLASH = 0x2f;
const STAR = 0x2a;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const QUESTION = 0x3f;
const DASH = 0x2d;
const COLON = 0x3a;

/**
 * Matches a glob as git does, after `wildmatch.c` of git 2.44: `*`, `?`, `[a-z]`, `[!a]`,
 * `[[:alpha:]]`, a backslash before a literal character, and in paths a double star. Never takes
 * more than polynomial time.
 */
export function wildmatch(pattern: string, text: string, options: WildmatchOptions): boolean {
  return run({ pattern, text, isPath: options.isPath }, 0, 0) === "match";
}

interface Input {
  readonly pattern: string;
  readonly text: string;
  readonly isPath: boolean;
}

/** The character at a place, 0 behind the end, as in a C string. */
function at(text: string, index: number): number {
  return index < text.length ? text.charCodeAt(index) : 0;
}

function run(input: Input, start: number, from: number): Outcome {
  const { pattern, text, isPath } = input;
  let t = from;
  for (let p = start; p < pattern.length; p++, t++) {
    let wanted = at(pattern, p);
    const found = at(text, t);
    if (t >= text.length && wanted !== STAR) return "give_up";
    switch (wanted) {
      case QUESTION:
        if (isPath && found === SLASH) return "no_match";
        continue;
      case STAR: {
        const star = readStar(input, start, p);
        if (star.skipsNothing && run(input, star.next + 1, t) === "match") return "match";
        if (star.next >= pattern.length) {
          return !star.crosses && text.includes("/", t) ? "give_up_to_double_star" : "match";
        }
        if (!star.crosses && at(pattern, star.next) === SLASH) {
          // One star and a slash take exactly the rest of this name.
          const slash = text.indexOf("/", t);
          if (slash < 0) return "give_up";
          p = star.next;
          t = slash;
          continue;
        }
        return afterStar(input, star, t);
      }
      case OPEN: {
        const set = readSet(pattern, p + 1, found);
        if (set === undefined) return "give_up";
        if (!set.matches || (isPath && found === SLASH)) return "no_match";
        p = set.end;
        continue;
      }
      case BACKSLASH:
        p += 1;
        wanted = at(pattern, p);
    }
    if (found !== wanted) return "no_match";
  }
  return t < text.length ? "no_match" : "match";
}

interface Star {
  /** The index behind the last star. */
  readonly next: number;
  /** Whether it matches slashes. */
  readonly crosses: boolean;
  /** A double star before a slash, which also matches no folder at all. */
  readonly skipsNothing: boolean;
}

function readStar({ pattern, isPath }: Input, start: number, p: number): Star {
  let next = p + 1;
  while (at(pattern, next) === STAR) next += 1;
  if (!isPath) return { next, crosses: true, skipsNothing: false };
  if (next - p === 1) return { next, crosses: false, skipsNothing: false };
  const isAlone = p - 1 < start || at(pattern, p - 1) === SLASH;
  const after = at(pattern, next);
  const ends = after === 0 || after === SLASH ||
    (after === BACKSLASH && at(pattern, next + 1) === SLASH);
  const crosses = isAlone && ends;
  return { next, crosses, skipsNothing: crosses && after === SLASH };
}

function afterStar(input: Input, star: Star, from: number): Outcome {
  const { pattern, text } = input;
  const first = at(pattern, star.next);
  const isLiteral = first !== STAR && first !== QUESTION && first !== OPEN && first !== BACKSLASH;
  for (let t = from; t < text.length; t++) {
    if (isLiteral) {
      // What stands before the next literal must belong to the star.
      while (t < text.length && at(text, t) !== first) {
        if (!star.crosses && at(text, t) === SLASH) return "give_up_to_double_star";
        t += 1;
      }
      if (t >= text.length) return star.crosses ? "give_up" : "give_up_to_double_star";
    }
    const outcome = run(input, star.next, t);
    if (outcome !== "no_match") {
      if (!star.crosses || outcome !== "give_up_to_double_star") return outcome;
    } else if (!star.crosses && at(text, t) === SLASH) return "give_up_to_double_star";
  }
  return "give_up";
}

/** Reads a set from behind its `[`; `undefined` when it has no end or a class nobody knows. */
function readSet(
  pattern: string,
  from: number,
  found: number,
): { readonly end: number; readonly matches: boolean } | undefined {
  let p = from;
  const isNegated = at(pattern, p) === 0x21 || at(pattern, p) === 0x5e;
  if (isNegated) p += 1;
  let matches = false;
  let previous = 0;
  // A `]` that stands first is a member.
  do {
    let member = at(pattern, p);
    if (member === 0) return undefined;
    if (member === BACKSLASH) {
      member = at(pattern, ++p);
      if (member === 0) return undefined;
      matches ||= found === member;
    } else if (
      member === DASH && previous !== 0 && at(pattern, p + 1) !== 0 && at(pattern, p + 1) !== CLOSE
    ) {
      member = at(pattern, ++p);
      if (member === BACKSLASH) {
        member = at(pattern, ++p);
        if (member === 0) return undefined;
      }
      matches ||= found >= previous && found <= member;
      member = 0;
    } else if (member === OPEN && at(pattern, p + 1) === COLON) {
      const close = pattern.indexOf("]", p + 2);
      if (close < 0) return undefined;
      if (close - 1 < p + 2 || at(pattern, close - 1) !== COLON) {
        matches ||= found === OPEN;
      } else {
        const known = CLASSES.get(pattern.slice(p + 2, close - 1));
        if (known === undefined) return undefined;
        matches ||= known.test(String.fromCharCode(found));
        p = close;
        member = 0;
      }
    } else matches ||= found === member;
    previous = member;
    p += 1;
  } while (at(pattern, p) !== CLOSE);
  return { end: p, matches: matches !== isNegated };
}

const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[0-9A-Za-z]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  // deno-lint-ignore no-control-regex -- the class of control characters
  ["cntrl", /[\x00-\x1f\x7f]/],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t-\r]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9A-Fa-f]/],
]);
