import * as v from "valibot";

/** Result of `newSession`. */
export const NEW_SESSION_RESULT = v.object({
  sessionId: v.string(),
  path: v.pipe(v.string(), v.description("Empty for a session in memory")),
});

/** Result of `newSession`. */
export type NewSessionResult = v.InferOutput<typeof NEW_SESSION_RESULT>;
