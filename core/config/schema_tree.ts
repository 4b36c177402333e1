import * as v from "valibot";
import type { KeyFacts } from "./schema_scalars.ts";

/** What can be below a key. */
export type SchemaShape =
  | { readonly type: "value" }
  /** A table with certain keys and no others. */
  | { readonly type: "table"; readonly keys: SchemaKeys }
  /** A table with any keys. */
  | { readonly type: "map"; readonly each: SchemaNode }
  | { readonly type: "list"; readonly each: SchemaNode };

/** The keys of a table. */
export interface SchemaKeys {
  readonly names: readonly string[];
  /** What the schema says about one of them. */
  get(name: string): SchemaNode | undefined;
}

/**
 * What a schema made of the blocks of `schema_scalars.ts` says about one key, free of the
 * validator's own structure. Everything is looked up when it is asked for: a file with ten keys
 * must not pay for all that there are.
 */
export class SchemaNode {
  readonly #schema: v.GenericSchema;

  constructor(schema: v.GenericSchema) {
    this.#schema = schema.type === "exact_optional" && "wrapped" in schema
      ? schema.wrapped as v.GenericSchema
      : schema;
  }

  /** What the key is for; empty for an item of a list. */
  get about(): string {
    return v.getDescription(this.#schema as Parameters<typeof v.getDescription>[0]) ?? "";
  }

  /** Default and place. */
  get facts(): KeyFacts {
    return v.getMetadata(this.#schema as Parameters<typeof v.getMetadata>[0]) as KeyFacts;
  }

  /** What a value must be, such as `true or false`. */
  get wanted(): string {
    return String((this.#schema as { readonly message?: unknown }).message ?? "");
  }

  /** What can be below. */
  get shape(): SchemaShape {
    for (const part of pipeParts(this.#schema)) {
      if (part.type === "object" && "entries" in part) {
        return { type: "table", keys: keysOf(part.entries as v.ObjectEntries) };
      }
      if (part.type === "record" && "value" in part) {
        return { type: "map", each: new SchemaNode(part.value as v.GenericSchema) };
      }
      if (part.type === "array" && "item" in part) {
        return { type: "list", each: new SchemaNode(part.item as v.GenericSchema) };
      }
    }
    return { type: "value" };
  }
}

/** The known keys of a table with their nodes; none for anything else. */
export function tableKeys(node: SchemaNode): [name: string, node: SchemaNode][] {
  const { shape } = node;
  if (shape.type !== "table") return [];
  return shape.keys.names.map((name) => [name, shape.keys.get(name) ?? node]);
}

function keysOf(entries: v.ObjectEntries): SchemaKeys {
  return {
    names: Object.keys(entries),
    get: (name) => {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      return entry === undefined ? undefined : new SchemaNode(entry as v.GenericSchema);
    },
  };
}

/** The parts of a pipe, pipes inside of it included. */
function pipeParts(schema: v.GenericSchema): v.GenericSchema[] {
  if (!("pipe" in schema) || !Array.isArray(schema.pipe)) return [schema];
  const parts: v.GenericSchema[] = schema.pipe.filter((part) => part.kind === "schema");
  return parts.flatMap((part) => part === schema ? [part] : pipeParts(part));
}
