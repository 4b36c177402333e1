import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { METHOD_SCHEMAS, type MethodSchema } from "./schema/method_schemas.ts";
import { SESSION_NOTIFICATIONS } from "./schema/session_notifications.ts";
import { TURN_NOTIFICATIONS } from "./schema/turn_notifications.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * The protocol as an OpenRPC 1.3.2 document, made from the schemas that check it. Notifications
 * from rho to the client have no place in OpenRPC and stand under `x-notifications`.
 *
 * @see https://spec.open-rpc.org
 */
export function openRpcDocument(version: string): Json {
  const notifications = { ...SESSION_NOTIFICATIONS, ...TURN_NOTIFICATIONS };
  return {
    openrpc: "1.3.2",
    info: {
      title: "rho",
      version,
      description: "JSON-RPC 2.0 over stdin and stdout, one JSON value a line",
      license: { name: "MIT" },
    },
    methods: Object.entries(METHOD_SCHEMAS).map(([name, schema]) => method(name, schema)),
    "x-notifications": Object.entries(notifications).map(([name, schema]) => ({
      name,
      params: jsonSchema(schema),
    })),
  };
}

function method(name: string, schema: MethodSchema): Json {
  const optional = new Set(
    Object.entries(schema.params.entries)
      .filter(([, entry]) => entry.type === "optional")
      .map(([key]) => key),
  );
  return {
    name,
    summary: schema.summary,
    paramStructure: "either",
    params: Object.entries(schema.params.entries).map(([key, entry]) => ({
      name: key,
      required: !optional.has(key),
      schema: jsonSchema(entry),
    })),
    result: { name: "result", schema: jsonSchema(schema.result) },
  };
}

function jsonSchema(schema: unknown): Json {
  const { $schema: _, ...json } = toJsonSchema(schema as v.GenericSchema, {
    errorMode: "ignore",
    typeMode: "input",
  });
  return json;
}
