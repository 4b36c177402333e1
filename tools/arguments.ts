import { type BaseIssue, getDotPath, safeParse } from "valibot";
import { errorMessage } from "../core/base/errors.ts";
import { headUnits, makeVisible } from "../core/base/text.ts";
import type { JsonSchema } from "../core/llm/types.ts";
import type { Tool } from "./tool.ts";
import { toolParameters } from "./tool_schema.ts";

/** Checked arguments, or why they were refused, worded for the model. */
export type ArgumentCheck<Args> =
  | { readonly ok: true; readonly args: Args }
  | { readonly ok: false; readonly message: string };

const MAX_SHOWN_UNITS = 80;

/**
 * Reads a call's arguments as a model sent them: JSON text (empty stands for `{}`), coerced without
 * loss, checked against the tool's schema. Parameters that the schema does not know are ignored, as
 * models like to add some and the call is clear without them.
 */
export function readArguments<Args>(tool: Tool<Args>, text: string): ArgumentCheck<Args> {
  if (text.trim() === "") return checkArguments(tool, {});
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      ok: false,
      message: `Cannot call "${tool.name}": its arguments are not valid JSON ` +
        `(${errorMessage(error)}); send one JSON object: ${signature(toolParameters(tool))}`,
    };
  }
  return checkArguments(tool, value);
}

/** As {@linkcode readArguments}, for arguments that are a value already. */
export function checkArguments<Args>(tool: Tool<Args>, value: unknown): ArgumentCheck<Args> {
  const schema = toolParameters(tool);
  if (!isRecord(value)) {
    return {
      ok: false,
      message: `Cannot call "${tool.name}": its arguments must be one JSON object, not ` +
        `${shown(value)}: ${signature(schema)}`,
    };
  }
  const coerced = coerceLosslessly(value, schema);
  const result = safeParse(tool.schema, coerced);
  if (result.success) return { ok: true, args: result.output };
  const problems = result.issues.slice(0, 3).map((issue) => problem(issue, schema));
  return {
    ok: false,
    message: `Cannot call "${tool.name}": ${problems.join("; ")}. ` +
      `Its parameters: ${signature(schema)}`,
  };
}

/**
 * Turns values into the type that a JSON Schema wants where nothing is lost and nothing is guessed:
 * `"50"` into 50, `"true"` into true, JSON text into the array or object it stands for; `null`
 * under an optional name counts as left out.
 */
export function coerceLosslessly(value: unknown, schema: unknown): unknown {
  if (!isRecord(schema)) return value;
  const type = schema["type"];
  if (typeof value === "string") return coerceText(value, type, schema);
  if (Array.isArray(value)) {
    return type === "array" ? value.map((item) => coerceLosslessly(item, schema["items"])) : value;
  }
  if (!isRecord(value) || type !== "object") return value;
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const entries = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    const wanted = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (item === null && wanted !== undefined && !required.includes(name) && !allowsNull(wanted)) {
      return [];
    }
    return [[name, coerceLosslessly(item, wanted)]];
  });
  return Object.fromEntries(entries);
}

function coerceText(text: string, type: unknown, schema: JsonSchema): unknown {
  switch (type) {
    case "integer":
    case "number": {
      const number = Number(text);
      return String(number) === text && Number.isFinite(number) ? number : text;
    }
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "array":
    case "object": {
      const parsed = parseOrUndefined(text);
      const fits = type === "array" ? Array.isArray(parsed) : isRecord(parsed);
      return fits ? coerceLosslessly(parsed, schema) : text;
    }
    default:
      return text;
  }
}

function allowsNull(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  const type = schema["type"];
  const options = schema["anyOf"] ?? schema["oneOf"];
  return type === "null" || (Array.isArray(type) && type.includes("null")) ||
    (Array.isArray(options) && options.some(allowsNull)) ||
    (type === undefined && options === undefined && schema["enum"] === undefined);
}

function problem(issue: BaseIssue<unknown>, schema: JsonSchema): string {
  const path = getDotPath(issue);
  if (path === null) return issue.message;
  const wanted = describe(schemaAt(schema, path.split("."))) ?? issue.expected ?? "another value";
  if (issue.input === undefined) return `parameter "${path}" is missing; it must be ${wanted}`;
  // Only a rule that a tool's author wrote has a message of its own.
  const rule = issue.type.endsWith("check") ? ` (${issue.message})` : "";
  return `parameter "${path}" must be ${wanted}${rule}, not ${shown(issue.input)}`;
}

function schemaAt(schema: unknown, path: readonly string[]): unknown {
  let at = schema;
  for (const name of path) {
    if (!isRecord(at)) return undefined;
    const properties = at["properties"];
    at = at["type"] === "array"
      ? at["items"]
      : isRecord(properties) && Object.hasOwn(properties, name)
      ? properties[name]
      : undefined;
  }
  return at;
}

function describe(schema: unknown): string | undefined {
  if (!isRecord(schema)) return undefined;
  const values = schema["enum"];
  if (Array.isArray(values)) {
    return `one of ${values.map((item) => JSON.stringify(item)).join(", ")}`;
  }
  const from = typeof schema["minimum"] === "number" ? ` from ${schema["minimum"]}` : "";
  const to = typeof schema["maximum"] === "number" ? ` up to ${schema["maximum"]}` : "";
  switch (schema["type"]) {
    case "integer":
      return `a whole number${from}${to}`;
    case "number":
      return `a number${from}${to}`;
    case "boolean":
      return "true or false";
    case "array": {
      const least = typeof schema["minItems"] === "number"
        ? ` of at least ${schema["minItems"]}`
        : "";
      const most = typeof schema["maxItems"] === "number"
        ? ` of at most ${schema["maxItems"]}`
        : "";
      const items = isRecord(schema["items"]) ? schema["items"]["type"] : undefined;
      return `an array${least || most}${typeof items === "string" ? ` (of ${items}s)` : ""}`;
    }
    case "object":
      return "an object";
    case "string":
      return typeof schema["minLength"] === "number" ? "a non-empty string" : "a string";
    default:
      return undefined;
  }
}

function signature(schema: JsonSchema): string {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const parts = Object.entries(properties).map(([name, property]) => {
    const type = isRecord(property) && typeof property["type"] === "string"
      ? property["type"]
      : "any";
    return `${name}${required.includes(name) ? "" : "?"}: ${type}`;
  });
  return `{${parts.join(", ")}}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const cut = headUnits(text, MAX_SHOWN_UNITS);
  return makeVisible(cut) + (cut.length < text.length ? "…" : "");
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
