import * as v from "valibot";

/** Every notification that is not part of a turn, by method: its params. */
export const SESSION_NOTIFICATIONS = {
  "ready": v.object({
    version: v.string(),
    protocol: v.literal(1),
    sessionId: v.string(),
    sessionPath: v.pipe(v.string(), v.description("Empty for a session in memory")),
  }),
  "session/change": v.object({
    sessionId: v.string(),
    path: v.string(),
    cursorId: v.string(),
    leaf: v.string(),
    persisted: v.boolean(),
  }),
  "extension/log": v.object({
    extension: v.string(),
    level: v.picklist(["error", "warn", "info", "debug"]),
    message: v.pipe(v.string(), v.description("Secrets are masked")),
  }),
  "notice": v.object({
    code: v.pipe(v.string(), v.description("Stable, for programs")),
    level: v.picklist(["info", "warn"]),
    message: v.string(),
  }),
} as const;
