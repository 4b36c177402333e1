import { headUnits } from "../core/base/text.ts";
import type { JsonSchema } from "../core/llm/types.ts";

/** What an extension's `parameters` mean as JSON Schema, and what is wrong with them. */
export interface ToolSchemaCheck {
  readonly schema: JsonSchema;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

const TYPES = ["string", "number", "integer", "boolean", "array", "object"];
const KEYS = ["type", "description", "required", "enum", "default", "items", "properties"];

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a tool's `parameters`: a JSON Schema of type object as it is, or the shorthand
 * `{ name: { type, description?, required?, enum?, default?, items? } }`.
 */
export function toolSchema(value: unknown, path: string): ToolSchemaCheck {
  const empty: JsonSchema = { type: "object", properties: {} };
  if (!isRecord(value)) {
    return { schema: empty, problems: [{ path, message: "must be an object" }] };
  }
  if (
    value["type"] === "object" &&
    (value["properties"] === undefined || isRecord(value["properties"]))
  ) {
    if (!JSON.stringify(value).includes('"$ref"')) {
      return { schema: { properties: {}, ...value }, problems: [] };
    }
    return { schema: empty, problems: [{ path, message: "must not hold $ref" }] };
  }
  const problems: { path: string; message: string }[] = [];
  const properties = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, property(one, `${path}.${name}`, problems)]),
  );
  const required = Object.entries(value)
    .filter(([, one]) => isRecord(one) && one["required"] === true)
    .map(([name]) => name);
  return {
    schema: { type: "object", properties, ...(required.length === 0 ? {} : { required }) },
    problems,
  };
}

function property(
  value: unknown,
  path: string,
  problems: { path: string; message: string }[],
): JsonSchema {
  if (!isRecord(value)) {
    problems.push({ path, message: 'must be an object such as { type: "string" }' });
    return {};
  }
  if (!TYPES.includes(String(value["type"]))) {
    const types = TYPES.map((type) => `"${type}"`).join(", ");
    const shown = headUnits(JSON.stringify(value["type"]) ?? "missing", 60);
    problems.push({ path: `${path}.type`, message: `must be one of ${types}, not ${shown}` });
  }
  for (const key of Object.keys(value).filter((one) => !KEYS.includes(one))) {
    problems.push({
      path: `${path}.${key}`,
      message: "is not known in the shorthand; write a JSON Schema of type object instead",
    });
  }
  if (value["enum"] !== undefined && !Array.isArray(value["enum"])) {
    problems.push({ path: `${path}.enum`, message: "must be a list" });
  }
  if (typeof (value["required"] ?? true) !== "boolean") {
    problems.push({ path: `${path}.required`, message: "must be true or false" });
  }
  const { required: _, ...schema } = value;
  return schema;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
