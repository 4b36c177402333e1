import * as v from "valibot";
import { COUNT } from "./scalars.ts";

/** Params of `compact`. */
export const COMPACT_PARAMS = v.object({
  focus: v.optional(v.pipe(
    v.string(),
    v.description("What the summary has to remember above all"),
  )),
});

/** Params of `compact`. */
export type CompactParams = v.InferOutput<typeof COMPACT_PARAMS>;

/** Result of `compact`. */
export const COMPACT_RESULT = v.object({
  compactedEntries: v.pipe(
    COUNT,
    v.description("0 when less than 10 % would have been saved; nothing was changed then"),
  ),
  tokensBefore: v.pipe(COUNT, v.description("Estimated tokens of the whole prompt")),
  tokensAfter: COUNT,
});

/** Result of `compact`. */
export type CompactResult = v.InferOutput<typeof COMPACT_RESULT>;
