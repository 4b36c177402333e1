import assert from "node:assert/strict";
import { Ajv } from "ajv";
import * as metaModule from "@open-rpc/meta-schema";
import { VERSION } from "../../../core/base/version.ts";
import { METHODS } from "../../../core/rpc/method_table.ts";
import { openRpcDocument } from "../../../core/rpc/openrpc.ts";

// The package's types do not name the value that it exports.
const { openrpcDocument: metaSchema } = metaModule as unknown as {
  readonly openrpcDocument: { readonly $schema: string; readonly $id: string };
};

Deno.test("openRpcDocument() is what docs/openrpc.json holds", async () => {
  const kept = await Deno.readTextFile(new URL("../../../docs/openrpc.json", import.meta.url));
  assert.equal(kept, JSON.stringify(openRpcDocument(VERSION), null, 2) + "\n");
});

Deno.test("openRpcDocument() describes every method", () => {
  const { methods } = openRpcDocument(VERSION) as { methods: { name: string }[] };
  assert.deepEqual(methods.map(({ name }) => name).sort(), [...METHODS.keys()].sort());
});

Deno.test("openRpcDocument() is valid by OpenRPC's own meta-schema", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  // The meta-schema is written in a dialect of its own, and refers to it for the schemas inside.
  const { $schema: dialect, ...schema } = metaSchema;
  const definitions = { JSONSchemaObject: { properties: { $ref: { type: "string" } } } };
  for (const id of [dialect, dialect.replace(/\/$/, "")]) ajv.addSchema({ definitions }, id);
  const validate = ajv.compile(schema);
  validate(openRpcDocument(VERSION));
  assert.deepEqual(validate.errors ?? [], []);
  assert.equal(validate({ ...openRpcDocument(VERSION), methods: [{ name: 3 }] }), false);
});
