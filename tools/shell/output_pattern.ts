import { errorMessage } from "../../core/base/errors.ts";
import { BadPatternError } from "../search/bad_pattern_error.ts";

/**
 * Makes a pattern ready for whole outputs; `^` and `$` stand for the ends of lines. RE2 takes
 * linear time whatever the pattern is.
 *
 * @throws {BadPatternError} when RE2 does not take it.
 */
export async function outputPattern(pattern: string): Promise<(text: string) => boolean> {
  const { RE2JS, RE2JSSyntaxException } =
    await (import("re2js" as string) as Promise<typeof import("re2js")>);
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.MULTILINE);
    return (text) => compiled.matcher(text).find();
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
