import * as v from "valibot";
import type { KeyFacts } from "./schema_scalars.ts";

/** What the schema says about one key, free of the validator's own structure. */
export interface SchemaNode {
  /** What the key is for; empty for an item of a list. */
  readonly about: string;
  readonly facts: KeyFacts;
  /** What a value must be, such as `true or false`. */
  readonly wanted: string;
  readonly shape: SchemaShape;
}

/** What can be below a key. */
export type SchemaShape =
  | { readonly type: "value" }
  /** A table with these keys and no others. */
  | { readonly type: "table"; readonly keys: ReadonlyMap<string, SchemaNode> }
  /** A table with any keys. */
  | { readonly type: "map"; readonly each: SchemaNode }
  | { readonly type: "list"; readonly each: SchemaNode };

/** Reads a schema made of the blocks of `schema_scalars.ts`. */
export function schemaNode(schema: v.GenericSchema): SchemaNode {
  const inner = withoutOptional(schema);
  return {
    about: v.getDescription(inner as Parameters<typeof v.getDescription>[0]) ?? "",
    facts: v.getMetadata(inner as Parameters<typeof v.getMetadata>[0]) as KeyFacts,
    wanted: String((inner as { readonly message?: unknown }).message ?? ""),
    shape: shapeOf(inner),
  };
}

function withoutOptional(schema: v.GenericSchema): v.GenericSchema {
  return schema.type === "exact_optional" && "wrapped" in schema
    ? schema.wrapped as v.GenericSchema
    : schema;
}

/** The parts of a pipe, pipes inside of it included. */
function pipeParts(schema: v.GenericSchema): v.GenericSchema[] {
  if (!("pipe" in schema) || !Array.isArray(schema.pipe)) return [schema];
  const parts: v.GenericSchema[] = schema.pipe.filter((part) => part.kind === "schema");
  return parts.flatMap((part) => part === schema ? [part] : pipeParts(part));
}

function shapeOf(schema: v.GenericSchema): SchemaShape {
  for (const part of pipeParts(schema)) {
    if (part.type === "object" && "entries" in part) {
      const entries = Object.entries(part.entries as v.ObjectEntries);
      return {
        type: "table",
        keys: new Map(entries.map(([name, entry]) => [name, schemaNode(entry as v.GenericSchema)])),
      };
    }
    if (part.type === "record" && "value" in part) {
      return { type: "map", each: schemaNode(part.value as v.GenericSchema) };
    }
    if (part.type === "array" && "item" in part) {
      return { type: "list", each: schemaNode(part.item as v.GenericSchema) };
    }
  }
  return { type: "value" };
}
