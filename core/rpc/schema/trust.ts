import * as v from "valibot";

const SHA256 = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/),
  v.description("Of the file's bytes, in lowercase hex"),
);

/** Result of `listTrust`. */
export const LIST_TRUST_RESULT = v.object({
  pending: v.array(v.object({
    path: v.pipe(v.string(), v.description("Absolute")),
    kind: v.picklist(["context", "extension", "config"]),
    sha256: SHA256,
    text: v.pipe(
      v.string(),
      v.description("What to review; characters that cannot be seen are written as `\\u{hex}`"),
    ),
  })),
});

/** Params of `trust`: one of the two. */
export const TRUST_PARAMS = v.object({
  paths: v.optional(v.pipe(
    v.array(v.pipe(v.string(), v.nonEmpty())),
    v.minLength(1),
    v.description("As listed, or relative to the project root"),
  )),
  all: v.optional(v.pipe(v.boolean(), v.description("Everything that was listed"))),
});

/** Result of `trust`. */
export const TRUST_RESULT = v.object({
  trusted: v.pipe(v.array(v.string()), v.description("The files that count from now on")),
});

/** Result of `listTrust`. */
export type ListTrustResult = v.InferOutput<typeof LIST_TRUST_RESULT>;

/** Params of `trust`. */
export type TrustParams = v.InferOutput<typeof TRUST_PARAMS>;

/** Result of `trust`. */
export type TrustResult = v.InferOutput<typeof TRUST_RESULT>;
