import * as v from "valibot";
import { AGENT_STATE, COUNT } from "./scalars.ts";

/** Result of `getState`. */
export const GET_STATE_RESULT = v.object({
  model: v.string(),
  provider: v.string(),
  cwd: v.pipe(v.string(), v.description("The project root")),
  messageCount: v.pipe(COUNT, v.description("Messages of the active path, system included")),
  sessionId: v.string(),
  sessionPath: v.pipe(v.string(), v.description("Empty while the session is in memory only")),
  cursorId: v.string(),
  leaf: v.string(),
  state: AGENT_STATE,
  reasoningEffort: v.nullable(v.string()),
  version: v.string(),
  persisted: v.pipe(v.boolean(), v.description("Whether everything said so far is on disk")),
  recovered: v.optional(v.object({ badLines: COUNT, tornBytes: COUNT, reattached: COUNT })),
});

/** Result of `getState`. */
export type GetStateResult = v.InferOutput<typeof GET_STATE_RESULT>;
