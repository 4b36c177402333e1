import { RE2JS } from "re2js";
import { errorMessage } from "../base/errors.ts";
import type { CustomPattern } from "./redaction_engine.ts";
import { REDACTED } from "./redaction_scan.ts";

/** Patterns that are ready, and what was wrong with the others. */
export interface CompiledPatterns {
  readonly patterns: readonly CustomPattern[];
  readonly problems: readonly string[];
}

/**
 * Compiles `[redaction] custom_patterns`. Their syntax is RE2's, so none of them can run away; an
 * invalid one is left out.
 *
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compileCustomPatterns(sources: readonly string[]): CompiledPatterns {
  const patterns: CustomPattern[] = [];
  const problems: string[] = [];
  for (const source of sources) {
    try {
      const compiled = RE2JS.compile(source);
      patterns.push({ replaceAll: (text) => compiled.matcher(text).replaceAll(REDACTED) });
    } catch (error) {
      problems.push(`The pattern "${source}" of [redaction] is invalid: ${errorMessage(error)}`);
    }
  }
  return { patterns, problems };
}
