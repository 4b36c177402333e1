import * as v from "valibot";
import { TOOL_RISK } from "./scalars.ts";

/** Result of `listTools`. */
export const LIST_TOOLS_RESULT = v.object({
  tools: v.array(v.object({
    name: v.string(),
    description: v.string(),
    risk: v.pipe(TOOL_RISK, v.description("The highest risk that a call may have")),
    parameters: v.pipe(
      v.record(v.string(), v.unknown()),
      v.description("A JSON Schema of type object"),
    ),
    source: v.pipe(v.string(), v.description("`builtin` or an extension's name")),
  })),
});

/** Result of `listTools`. */
export type ListToolsResult = v.InferOutput<typeof LIST_TOOLS_RESULT>;
