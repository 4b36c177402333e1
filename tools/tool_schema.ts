import { toJsonSchema } from "@valibot/to-json-schema";
import type { JsonSchema, LlmTool } from "../core/llm/types.ts";
import type { Tool } from "./tool.ts";
import { ToolError } from "./tool_error.ts";

const CACHE = new WeakMap<object, JsonSchema>();

/**
 * The JSON Schema of a tool's arguments as models see it: the tool's own `parameters`, else derived
 * from its valibot schema. Plain on purpose, because small servers understand little: type
 * `object`, no `$schema`, no `$ref`, enums as `{"type": "string", "enum": […]}`.
 *
 * @throws {ToolError} when the schema cannot be expressed that way.
 */
export function toolParameters(
  tool: Pick<Tool, "name" | "schema" | "parameters">,
): JsonSchema {
  if (tool.parameters !== undefined) return tool.parameters;
  const cached = CACHE.get(tool.schema);
  if (cached !== undefined) return cached;
  let converted: unknown;
  try {
    converted = plain(toJsonSchema(tool.schema, {
      target: "draft-07",
      typeMode: "input",
      // A rule in code has no JSON Schema; a call that breaks it gets the rule's own message.
      ignoreActions: ["check"],
    }));
  } catch (cause) {
    throw new ToolError(`Cannot describe the arguments of "${tool.name}" as JSON Schema`, {
      cause,
    });
  }
  if (!isRecord(converted) || converted["type"] !== "object") {
    throw new ToolError(`Cannot describe the arguments of "${tool.name}": they are no object`);
  }
  const schema: JsonSchema = { ...converted, properties: converted["properties"] ?? {} };
  if (JSON.stringify(schema).includes('"$ref"')) {
    throw new ToolError(`Cannot describe the arguments of "${tool.name}": they are recursive`);
  }
  CACHE.set(tool.schema, schema);
  return schema;
}

/** A tool as it goes into a request. */
export function toLlmTool(tool: Tool): LlmTool {
  return { name: tool.name, description: tool.description, parameters: toolParameters(tool) };
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value)
    .filter(([key, item]) => key !== "$schema" && !(key === "required" && isEmptyArray(item)))
    .map(([key, item]): [string, unknown] =>
      key === "const" ? ["enum", [item]] : [key, plain(item)]
    );
  const result: Record<string, unknown> = Object.fromEntries(entries);
  const values = result["enum"];
  if (Array.isArray(values) && values.every((item) => typeof item === "string")) {
    return { type: "string", ...result };
  }
  return result;
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
