import * as v from "valibot";
import { AGENT_STATE, COUNT, EMPTY, FINISH_REASON, TOOL_RISK } from "./scalars.ts";
import { COMPACTION_NOTIFICATION } from "./context_notifications.ts";
import { TURN_USAGE, USAGE_NOTIFICATION } from "./usage.ts";

const DURATION_MS = v.pipe(COUNT, v.description("Milliseconds"));
const CALL_ID = v.pipe(v.string(), v.description("The id of the tool call"));

const TOOL_CALL_OUTCOME = v.object({
  kind: v.picklist(["success", "error", "denied", "blocked", "skipped"]),
  output: v.optional(v.string()),
});

/** Every notification that a turn produces, by method: its params. */
export const TURN_NOTIFICATIONS = {
  "agent/start": EMPTY,
  "agent/end": v.object({
    reply: v.string(),
    iterations: COUNT,
    usage: TURN_USAGE,
    toolCalls: v.array(v.object({
      id: CALL_ID,
      name: v.string(),
      arguments: v.pipe(v.string(), v.description("The JSON text of what ran")),
      outcome: TOOL_CALL_OUTCOME,
      durationMs: DURATION_MS,
    })),
    durationMs: DURATION_MS,
    finishReason: FINISH_REASON,
  }),
  "agent/error": v.object({
    error: v.string(),
    code: v.pipe(v.string(), v.description("Stable, for programs")),
  }),
  "state/change": v.object({ state: AGENT_STATE }),
  "message/delta": v.object({ delta: v.string() }),
  "reasoning/delta": v.object({ delta: v.string() }),
  "tool/call": v.object({
    id: CALL_ID,
    name: v.string(),
    arguments: v.pipe(v.string(), v.description("The JSON text that the model sent")),
  }),
  "tool/progress": v.object({ id: CALL_ID, name: v.string(), chunk: v.string() }),
  "tool/result": v.object({
    id: CALL_ID,
    name: v.string(),
    is_error: v.boolean(),
    output: v.string(),
    durationMs: DURATION_MS,
  }),
  "tool/denied": v.object({ id: CALL_ID, name: v.string(), reason: v.string() }),
  "approval/request": v.object({
    id: CALL_ID,
    tool: v.string(),
    arguments: v.pipe(v.string(), v.description("The JSON text of exactly what will run")),
    risk: TOOL_RISK,
    preview: v.optional(v.string()),
  }),
  "usage": USAGE_NOTIFICATION,
  "retry": v.object({
    attempt: COUNT,
    maxAttempts: COUNT,
    delayMs: DURATION_MS,
    error: v.string(),
    discardedChars: v.pipe(
      COUNT,
      v.description("UTF-16 units of streamed text that are void"),
    ),
  }),
  "compaction": COMPACTION_NOTIFICATION,
  "steer/applied": v.object({ message: v.string() }),
} as const;
