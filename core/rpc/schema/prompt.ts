import * as v from "valibot";
import { COUNT, EMPTY, FINISH_REASON } from "./scalars.ts";
import { TURN_USAGE } from "./usage.ts";

/** Params of `prompt`. */
export const PROMPT_PARAMS = v.object({
  message: v.pipe(
    v.string(),
    v.check((message) => message.trim() !== "", "a message that is not blank"),
    v.description("What the user says; not blank"),
  ),
  steer: v.optional(v.pipe(
    v.boolean(),
    v.description("Add the message to the running turn; answered at once"),
  )),
  attachments: v.optional(v.pipe(
    v.array(v.object({ path: v.pipe(v.string(), v.minLength(1)) })),
    v.description("Text files inside the project root that go along with the message"),
  )),
});

/** Params of `prompt`. */
export type PromptParams = v.InferOutput<typeof PROMPT_PARAMS>;

/** Result of `prompt`; empty for a steering message. */
export const PROMPT_RESULT = v.union([
  v.object({
    reply: v.string(),
    finishReason: FINISH_REASON,
    iterations: COUNT,
    usage: TURN_USAGE,
  }),
  EMPTY,
]);

/** Result of `prompt`. */
export type PromptResult = v.InferOutput<typeof PROMPT_RESULT>;
