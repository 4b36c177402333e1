import { errorMessage } from "../../core/base/errors.ts";
import { BadPatternError } from "./bad_pattern_error.ts";
import { type PatternCost, patternCost } from "./pattern_cost.ts";
import { nativeSource, ripgrepSource } from "./pattern_source.ts";
import { parsePattern } from "./pattern_tree.ts";
import { requiredText } from "./required_text.ts";

/** The most steps of V8's engine on one line, and in one go over a whole text. */
const MAX_LINE_STEPS = 10_000_000;
const MAX_TEXT_STEPS = 50_000_000;

/** The engine that takes linear time whatever the pattern is. */
interface LinearEngine {
  matcher(text: string): { find(): boolean; start(): number };
}

/**
 * Finds a pattern in lines. RE2 decides what is valid and what matches; V8's engine, which is many
 * times faster but goes back and tries again, is used where {@linkcode patternCost} bounds its work
 * on a line of that length.
 */
export class LineMatcher {
  /** The pattern for `rg`, which matches at least the same lines; `undefined` if there is none. */
  readonly ripgrepSource: string | undefined;
  readonly #linear: LinearEngine;
  readonly #cost: PatternCost | undefined;
  readonly #line: RegExp | undefined;
  readonly #text: RegExp | undefined;
  /** What every match holds. */
  readonly #required: RegExp | undefined;
  readonly #maxNativeUnits: number;

  private constructor(
    pattern: string,
    options: { readonly ignoreCase: boolean; readonly linear: LinearEngine },
  ) {
    this.#linear = options.linear;
    const tree = parsePattern(pattern, options);
    if (tree === undefined) {
      this.#maxNativeUnits = -1;
      return;
    }
    this.ripgrepSource = ripgrepSource(tree);
    const required = requiredText(tree);
    if (required !== undefined) this.#required = new RegExp(nativeSource(required), "v");
    this.#cost = patternCost(tree);
    if (this.#cost === undefined) {
      this.#maxNativeUnits = -1;
      return;
    }
    this.#maxNativeUnits = root(MAX_LINE_STEPS / this.#cost.branches, this.#cost.degree);
    this.#line = new RegExp(nativeSource(tree), "v");
    this.#text = new RegExp(nativeSource(tree), "vm");
  }

  /**
   * Makes a pattern ready.
   *
   * @throws {BadPatternError} when RE2 does not take it.
   */
  static async compile(
    pattern: string,
    options: { readonly ignoreCase: boolean },
  ): Promise<LineMatcher> {
    const { RE2JS, RE2JSSyntaxException } =
      await (import("re2js" as string) as Promise<typeof import("re2js")>);
    try {
      const linear = RE2JS.compile(pattern, options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
      return new LineMatcher(pattern, { ...options, linear });
    } catch (cause) {
      if (!(cause instanceof RE2JSSyntaxException)) throw cause;
      const { error, input } = cause as { readonly error?: string; readonly input?: string | null };
      throw new BadPatternError(pattern, {
        reason: error ?? errorMessage(cause),
        fragment: input ?? null,
        cause,
      });
    }
  }

  /** Whether V8's engine is used for lines of this many UTF-16 units. */
  isNative(units: number): boolean {
    return units <= this.#maxNativeUnits;
  }

  /** `false` when no line of a text matches; `true` when one may. */
  mayMatch(text: string): boolean {
    const isPlain = this.#cost !== undefined && this.#cost.degree <= 1;
    if (this.#required !== undefined && !isPlain && !this.#required.test(text)) return false;
    if (this.#cost === undefined || this.#text === undefined) return true;
    const { degree, branches } = this.#cost;
    const steps = MAX_TEXT_STEPS / (branches * Math.max(1, text.length));
    if (steps < 1 || (!isPlain && hasLineOver(text, root(steps, degree - 1)))) return true;
    return this.#text.test(text);
  }

  /** Where the first match in a line starts, in UTF-16 units from 0; -1 without one. */
  find(line: string): number {
    if (this.#line !== undefined && this.isNative(line.length)) return line.search(this.#line);
    if (this.#required !== undefined && !this.#required.test(line)) return -1;
    const matcher = this.#linear.matcher(line);
    return matcher.find() ? matcher.start() : -1;
  }
}

/** The largest n with n to the power of `degree` within `steps`. */
function root(steps: number, degree: number): number {
  return degree === 0 ? Infinity : Math.floor(steps ** (1 / degree));
}

/** Whether a line may have more than `maxUnits`; looks only where one could end. */
function hasLineOver(text: string, maxUnits: number): boolean {
  for (let start = 0; text.length - start > maxUnits;) {
    const feed = text.lastIndexOf("\n", start + maxUnits);
    if (feed < start) return true;
    start = feed + 1;
  }
  return false;
}
