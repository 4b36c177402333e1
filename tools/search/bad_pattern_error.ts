import { RhoError } from "../../core/base/errors.ts";

/** A pattern that RE2 does not take. */
export class BadPatternError extends RhoError {
  /**
   * @param failure.reason What is wrong, in RE2's words.
   * @param failure.fragment The part of the pattern that RE2 names, if it names one.
   */
  constructor(
    pattern: string,
    failure: { readonly reason: string; readonly fragment: string | null; readonly cause: unknown },
  ) {
    const position = failurePosition(pattern, failure.fragment);
    super(
      "bad_pattern",
      `Cannot use the pattern "${pattern}": ${failure.reason} at character ${position}; it is a ` +
        "regular expression as RE2 and rg know it (no look-around, no backreferences), and a " +
        'backslash makes a special character plain: "main\\("',
      { cause: failure.cause, data: { position } },
    );
  }
}

/** Where RE2 stopped, from 1: it tells the part that is wrong, or the whole for a bracket. */
function failurePosition(pattern: string, fragment: string | null): number {
  if (fragment === null) return pattern.length;
  if (fragment === pattern) return (unmatchedBracket(pattern) ?? 0) + 1;
  return Math.max(0, pattern.indexOf(fragment)) + 1;
}

function unmatchedBracket(pattern: string): number | undefined {
  const open: number[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === "\\") i += 1;
    else if (char === "(") open.push(i);
    else if (char === ")" && open.pop() === undefined) return i;
    else if (char === "[") {
      // Brackets in a set are plain, and so is a `]` that stands first.
      const end = /^\[\^?\]?(?:\\.|[^\]\\])*\]/s.exec(pattern.slice(i));
      if (end === null) return i;
      i += end[0].length - 1;
    }
  }
  return open.at(-1);
}
