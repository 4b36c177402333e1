import * as v from "valibot";
import { COUNT } from "./scalars.ts";

const PATH = v.pipe(v.string(), v.nonEmpty(), v.description("As listSessions gives it"));

/** Params of `resumeSession`: one of the two. */
export const RESUME_SESSION_PARAMS = v.object({
  path: v.optional(PATH),
  id: v.optional(v.pipe(v.string(), v.nonEmpty(), v.description("An id, or the start of one"))),
});

/** Params of `resumeSession`. */
export type ResumeSessionParams = v.InferOutput<typeof RESUME_SESSION_PARAMS>;

/** Result of `resumeSession`. */
export const RESUME_SESSION_RESULT = v.object({
  path: v.pipe(
    v.string(),
    v.description("Another path than asked for when the session goes on in a new file"),
  ),
  model: v.string(),
  cwd: v.pipe(v.string(), v.description("The project root")),
  entryCount: COUNT,
});

/** Result of `resumeSession`. */
export type ResumeSessionResult = v.InferOutput<typeof RESUME_SESSION_RESULT>;

/** Result of `listSessions`. */
export const LIST_SESSIONS_RESULT = v.object({
  sessions: v.array(v.object({
    path: v.string(),
    mtimeSecs: v.pipe(COUNT, v.description("Seconds since the Unix epoch")),
    sizeKb: COUNT,
    entryCount: COUNT,
    id: v.string(),
    title: v.nullable(v.string()),
    firstPrompt: v.nullable(v.string()),
  })),
});

/** Result of `listSessions`. */
export type ListSessionsResult = v.InferOutput<typeof LIST_SESSIONS_RESULT>;

/** Params of `renameSession`. */
export const RENAME_SESSION_PARAMS = v.object({
  path: PATH,
  title: v.pipe(v.string(), v.check((text) => text.trim() !== "", "text that is not blank")),
});

/** Params of `renameSession`. */
export type RenameSessionParams = v.InferOutput<typeof RENAME_SESSION_PARAMS>;

/** Params of `deleteSession`. */
export const DELETE_SESSION_PARAMS = v.object({ path: PATH });

/** Params of `deleteSession`. */
export type DeleteSessionParams = v.InferOutput<typeof DELETE_SESSION_PARAMS>;
