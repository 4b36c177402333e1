import * as v from "valibot";

const TOOL_CALL = v.object({
  id: v.string(),
  type: v.literal("function"),
  function: v.object({ name: v.string(), arguments: v.string() }),
});

const ENTRY_ID = v.pipe(v.string(), v.description("The entry that holds the message"));

/** One message of the active path. */
export const SESSION_MESSAGE = v.variant("role", [
  v.object({ role: v.literal("system"), content: v.string(), entryId: ENTRY_ID }),
  v.object({ role: v.literal("user"), content: v.string(), entryId: ENTRY_ID }),
  v.object({
    role: v.literal("assistant"),
    content: v.string(),
    entryId: ENTRY_ID,
    tool_calls: v.optional(v.array(TOOL_CALL)),
    finish_reason: v.optional(v.nullable(v.string())),
    reasoning: v.optional(v.string()),
    partial: v.optional(v.picklist(["cancelled", "interrupted", "incomplete"])),
  }),
  v.object({
    role: v.literal("tool"),
    content: v.string(),
    entryId: ENTRY_ID,
    tool_call_id: v.string(),
    is_error: v.optional(v.boolean()),
  }),
]);

/** One message of the active path. */
export type SessionMessage = v.InferOutput<typeof SESSION_MESSAGE>;

/** Result of `getMessages`. */
export const GET_MESSAGES_RESULT = v.object({ messages: v.array(SESSION_MESSAGE) });

/** Result of `getMessages`. */
export type GetMessagesResult = v.InferOutput<typeof GET_MESSAGES_RESULT>;
