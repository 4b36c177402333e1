import * as v from "valibot";
import { COUNT } from "./scalars.ts";

/** Params of `setModel`. */
export const SET_MODEL_PARAMS = v.object({
  model: v.pipe(
    v.string(),
    v.check((text) => text.trim() !== "", "a model id that is not blank"),
    v.description("An id, or `provider:id`, which asks no server whether it exists"),
  ),
});

/** Params of `setModel`. */
export type SetModelParams = v.InferOutput<typeof SET_MODEL_PARAMS>;

/** Result of `setModel`. */
export const SET_MODEL_RESULT = v.object({ model: v.string(), provider: v.string() });

/** Result of `setModel`. */
export type SetModelResult = v.InferOutput<typeof SET_MODEL_RESULT>;

/** Params of `setReasoningEffort`. */
export const SET_REASONING_EFFORT_PARAMS = v.object({
  effort: v.pipe(
    v.nullable(v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/, "a word such as low or high"))),
    v.description("Which words a model knows is its own affair; null leaves it to the model"),
  ),
});

/** Params of `setReasoningEffort`. */
export type SetReasoningEffortParams = v.InferOutput<typeof SET_REASONING_EFFORT_PARAMS>;

/** Result of `setReasoningEffort`. */
export const SET_REASONING_EFFORT_RESULT = v.object({ reasoningEffort: v.nullable(v.string()) });

/** Result of `setReasoningEffort`. */
export type SetReasoningEffortResult = v.InferOutput<typeof SET_REASONING_EFFORT_RESULT>;

/** Result of `listModels`. */
export const LIST_MODELS_RESULT = v.object({
  models: v.array(v.object({
    id: v.string(),
    provider: v.string(),
    contextWindow: v.optional(v.pipe(COUNT, v.description("In tokens, when it is known"))),
  })),
  errors: v.pipe(
    v.array(v.object({ provider: v.string(), error: v.string() })),
    v.description("The providers that gave no list within 3 seconds, and why"),
  ),
});

/** Result of `listModels`. */
export type ListModelsResult = v.InferOutput<typeof LIST_MODELS_RESULT>;
