import { makeVisible } from "../../core/base/text.ts";

/** A path or name on one line, with everything visible in it that could deceive. */
export function shownPath(path: string): string {
  return makeVisible(path).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
