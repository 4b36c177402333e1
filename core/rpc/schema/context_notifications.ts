import * as v from "valibot";
import { COUNT } from "./scalars.ts";

/** Params of `compaction`: older entries were replaced by a summary. */
export const COMPACTION_NOTIFICATION = v.object({
  mode: v.pipe(
    v.picklist(["mechanical", "llm"]),
    v.description("Who wrote the summary's notes: nobody, or the model"),
  ),
  compactedEntries: COUNT,
  tokensBefore: v.pipe(COUNT, v.description("Estimated tokens of the whole prompt")),
  tokensAfter: COUNT,
});
