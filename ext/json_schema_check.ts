import * as v from "valibot";
import type { JsonSchema } from "../core/llm/types.ts";

/** What is wrong at one place of a value. */
interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Deeper values are refused rather than followed. */
const MAX_DEPTH = 64;

/**
 * Checks a tool's arguments by a JSON Schema and fills in defaults. It knows type, enum, const,
 * properties, required, additionalProperties: false, items, the bounds of numbers, texts and lists,
 * anyOf, oneOf and allOf; what it does not know, it leaves to the extension.
 */
export function schemaFromJson(schema: JsonSchema): v.GenericSchema<unknown, Json> {
  return v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const value = withDefaults(dataset.value, schema);
      const problems = [...problemsOf(value, schema, [])];
      const [first] = problems;
      if (first === undefined) return value as Json;
      addIssue({
        message: problems.slice(0, 3).map(({ path, message }) =>
          path.length === 0 ? message : `parameter "${path.join(".")}" ${message}`
        ).join("; "),
      });
      return NEVER;
    }),
  );
}

function withDefaults(value: unknown, schema: JsonSchema): unknown {
  const properties = schema["properties"];
  if (!isRecord(value) || !isRecord(properties)) return value;
  const result: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(properties)) {
    if (!isRecord(property)) continue;
    if (!Object.hasOwn(result, name)) {
      if (Object.hasOwn(property, "default")) result[name] = property["default"];
    } else result[name] = withDefaults(result[name], property);
  }
  return result;
}

function* problemsOf(
  value: unknown,
  schema: unknown,
  path: readonly (string | number)[],
): Generator<Problem> {
  if (!isRecord(schema)) return;
  if (path.length > MAX_DEPTH) return yield { path, message: "is nested too deep" };
  const { type } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    return yield { path, message: `must be of type ${types.join(" or ")}` };
  }
  if (Array.isArray(schema["enum"]) && !schema["enum"].some((one) => isEqual(one, value))) {
    yield { path, message: `must be one of ${JSON.stringify(schema["enum"])}` };
  }
  if (Object.hasOwn(schema, "const") && !isEqual(schema["const"], value)) {
    yield { path, message: `must be ${JSON.stringify(schema["const"])}` };
  }
  yield* boundProblems(value, schema, path);
  if (isRecord(value)) yield* objectProblems(value, schema, path);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* problemsOf(item, schema["items"], [...path, index]);
    }
  }
  yield* combinedProblems(value, schema, path);
}

function* objectProblems(
  value: Json,
  schema: Json,
  path: readonly (string | number)[],
): Generator<Problem> {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  for (const name of required) {
    if (!Object.hasOwn(value, String(name))) {
      yield { path: [...path, String(name)], message: "is missing" };
    }
  }
  for (const [name, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) yield* problemsOf(item, properties[name], [...path, name]);
    else if (schema["additionalProperties"] === false) {
      yield { path: [...path, name], message: "is not known" };
    }
  }
}

function* boundProblems(
  value: unknown,
  schema: Json,
  path: readonly (string | number)[],
): Generator<Problem> {
  const bounds: readonly (readonly [string, string, number | undefined])[] = [
    ["minimum", "maximum", typeof value === "number" ? value : undefined],
    ["minLength", "maxLength", typeof value === "string" ? value.length : undefined],
    ["minItems", "maxItems", Array.isArray(value) ? value.length : undefined],
  ];
  for (const [least, most, size] of bounds) {
    const min = schema[least];
    const max = schema[most];
    if (size === undefined) continue;
    if (typeof min === "number" && size < min) yield { path, message: `breaks ${least} ${min}` };
    if (typeof max === "number" && size > max) yield { path, message: `breaks ${most} ${max}` };
  }
}

function* combinedProblems(
  value: unknown,
  schema: Json,
  path: readonly (string | number)[],
): Generator<Problem> {
  const fits = (one: unknown) => problemsOf(value, one, path).next().done === true;
  for (const key of ["anyOf", "oneOf"]) {
    const options = schema[key];
    if (Array.isArray(options) && !options.some(fits)) {
      yield { path, message: `fits none of its ${key}` };
    }
  }
  if (Array.isArray(schema["allOf"])) {
    for (const one of schema["allOf"]) yield* problemsOf(value, one, path);
  }
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "null":
      return value === null;
    default:
      return true;
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
