import * as v from "valibot";

/** Params of `exportSession`. */
export const EXPORT_SESSION_PARAMS = v.object({
  format: v.picklist(["markdown", "json"]),
  path: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.description("A file to write; relative to the root")),
  ),
});

/** Params of `exportSession`. */
export type ExportSessionParams = v.InferOutput<typeof EXPORT_SESSION_PARAMS>;

/** Result of `exportSession`: the text, or where it was written. */
export const EXPORT_SESSION_RESULT = v.union([
  v.object({ content: v.string() }),
  v.object({ path: v.string() }),
]);

/** Result of `exportSession`. */
export type ExportSessionResult = v.InferOutput<typeof EXPORT_SESSION_RESULT>;
