import type { JsonSchema } from "../types.ts";

/** Keywords whose values are tables of schemas, where any key is a property's name. */
const TABLE_KEYWORDS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
]);

/** Keywords that hold data, not schemas. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set([
  "enum",
  "const",
  "default",
  "examples",
  "required",
]);

/** Keywords that servers need not see. */
const DROPPED_KEYWORDS: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$comment",
  "$defs",
  "definitions",
  "$ref",
]);

/** Keywords that llama.cpp's grammar builder may refuse (B23). */
const GRAMMAR_KEYWORDS: ReadonlySet<string> = new Set([
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "patternProperties",
]);

/** How deep schemas may nest; what lies below allows anything. */
const MAX_DEPTH = 64;

const PLAIN = new WeakMap<JsonSchema, JsonSchema>();
const BARE = new WeakMap<JsonSchema, JsonSchema>();

/**
 * A schema without what small servers do not understand: no `$schema`, no references (they are put
 * in place; one that leads back into itself allows anything), `anyOf` of constants as `enum`.
 *
 * @param options.bare Also without patterns, formats and lengths.
 */
export function plainSchema(
  schema: JsonSchema,
  options: { readonly bare?: boolean } = {},
): JsonSchema {
  const known = options.bare === true ? BARE : PLAIN;
  const before = known.get(schema);
  if (before !== undefined) return before;
  const plain = plainNode(schema, {
    root: schema,
    bare: options.bare === true,
    refs: [],
    depth: 0,
  }) as JsonSchema;
  // An object without a list of properties is refused by several servers.
  const complete = plain["type"] === "object" && plain["properties"] === undefined
    ? { ...plain, properties: {} }
    : plain;
  known.set(schema, complete);
  return complete;
}

interface Walk {
  readonly root: JsonSchema;
  readonly bare: boolean;
  /** References that led here. */
  readonly refs: readonly string[];
  readonly depth: number;
}

function plainNode(node: unknown, walk: Walk): unknown {
  if (Array.isArray(node)) return node.map((item) => plainNode(item, walk));
  if (typeof node !== "object" || node === null) return node;
  if (walk.depth > MAX_DEPTH) return {};
  const source = node as Record<string, unknown>;
  const inner: Walk = { ...walk, depth: walk.depth + 1 };
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    if (DROPPED_KEYWORDS.has(key) || (walk.bare && GRAMMAR_KEYWORDS.has(key))) continue;
    define(
      plain,
      key,
      DATA_KEYWORDS.has(key)
        ? value
        : TABLE_KEYWORDS.has(key)
        ? plainTable(value, inner)
        : plainNode(value, inner),
    );
  }
  const ref = source["$ref"];
  if (typeof ref === "string") {
    if (!walk.refs.includes(ref)) {
      const target = resolve(walk.root, ref);
      const resolved = plainNode(target, { ...inner, refs: [...walk.refs, ref] });
      return { ...(resolved as Record<string, unknown> | undefined), ...plain };
    }
  }
  return foldConstants(plain);
}

function plainTable(table: unknown, walk: Walk): unknown {
  if (typeof table !== "object" || table === null) return table;
  const plain: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(table)) {
    define(plain, name, plainNode(schema, walk));
  }
  return plain;
}

/** Folds `anyOf: [{const: "a"}, {enum: ["b"]}]` into one `enum`. */
function foldConstants(schema: Record<string, unknown>): Record<string, unknown> {
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const values: unknown[] = [];
    const types = new Set<unknown>();
    for (const branch of branches as Record<string, unknown>[]) {
      if (typeof branch !== "object" || branch === null) return schema;
      if ("const" in branch) values.push(branch["const"]);
      else if (Array.isArray(branch["enum"])) values.push(...branch["enum"]);
      else return schema;
      types.add(branch["type"] ?? typeof values.at(-1));
    }
    const { [keyword]: _folded, ...rest } = schema;
    const [type] = types;
    const typed = types.size === 1 && typeof type === "string" && type !== "object" &&
      rest["type"] === undefined;
    return { ...(typed ? { type } : {}), ...rest, enum: values };
  }
  return schema;
}

function resolve(root: JsonSchema, ref: string): unknown {
  if (!ref.startsWith("#")) return {};
  let at: unknown = root;
  for (const part of ref.slice(1).split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return {};
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** Sets an own property, also one called `__proto__`. */
function define(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
