import assert from "node:assert/strict";
import { plainSchema } from "../../../../core/llm/request/plain_schema.ts";
import type { JsonSchema } from "../../../../core/llm/types.ts";

const TABLE: readonly (readonly [title: string, schema: JsonSchema, plain: unknown])[] = [
  ["drops $schema and comments", {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $comment: "x",
    type: "object",
    properties: {},
  }, { type: "object", properties: {} }],
  ["puts references in place", {
    type: "object",
    properties: { a: { $ref: "#/$defs/A", description: "an A" } },
    $defs: {
      A: { type: "object", properties: { b: { $ref: "#/$defs/B" } } },
      B: { type: "number" },
    },
  }, {
    type: "object",
    properties: {
      a: { type: "object", properties: { b: { type: "number" } }, description: "an A" },
    },
  }],
  ["lets a reference that leads back into itself allow anything", {
    type: "object",
    properties: { tree: { $ref: "#/$defs/Tree" } },
    $defs: {
      Tree: {
        type: "object",
        properties: { kids: { type: "array", items: { $ref: "#/$defs/Tree" } } },
      },
    },
  }, {
    type: "object",
    properties: {
      tree: { type: "object", properties: { kids: { type: "array", items: {} } } },
    },
  }],
  ["lets an unknown reference allow anything", {
    type: "object",
    properties: { a: { $ref: "https://elsewhere.test/x" }, b: { $ref: "#/nowhere" } },
  }, { type: "object", properties: { a: {}, b: {} } }],
  ["folds constants into an enum", {
    type: "object",
    properties: {
      mode: { anyOf: [{ const: "a" }, { const: "b", type: "string" }], description: "d" },
      mixed: { oneOf: [{ const: 1 }, { enum: ["x", null] }] },
    },
  }, {
    type: "object",
    properties: {
      mode: { type: "string", description: "d", enum: ["a", "b"] },
      mixed: { enum: [1, "x", null] },
    },
  }],
  ["leaves other alternatives", {
    type: "object",
    properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
  }, { type: "object", properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } }],
  ["gives an object without properties an empty list", { type: "object" }, {
    type: "object",
    properties: {},
  }],
  ["keeps properties that are named like keywords", {
    type: "object",
    properties: { $ref: { type: "string" }, pattern: { type: "string" }, __proto__x: {} },
    required: ["$ref"],
  }, {
    type: "object",
    properties: { $ref: { type: "string" }, pattern: { type: "string" }, __proto__x: {} },
    required: ["$ref"],
  }],
  ["leaves data alone", {
    type: "object",
    properties: { a: { default: { $ref: "x" }, enum: [{ $schema: "y" }] } },
  }, {
    type: "object",
    properties: { a: { default: { $ref: "x" }, enum: [{ $schema: "y" }] } },
  }],
];

for (const [title, schema, plain] of TABLE) {
  Deno.test(`plainSchema() ${title}`, () => {
    const before = JSON.stringify(schema);
    assert.equal(JSON.stringify(plainSchema(schema)), JSON.stringify(plain));
    assert.equal(JSON.stringify(schema), before, "the input is not changed");
    assert.equal(plainSchema(schema), plainSchema(schema), "the work is done once");
  });
}

Deno.test("B23 plainSchema() without patterns keeps a property called pattern", () => {
  const schema = {
    type: "object",
    properties: {
      pattern: { type: "string", pattern: "^a", minLength: 1 },
      list: { type: "array", maxItems: 3, items: { type: "string", format: "uri" } },
    },
  };
  assert.deepEqual(plainSchema(schema, { bare: true }), {
    type: "object",
    properties: {
      pattern: { type: "string" },
      list: { type: "array", items: { type: "string" } },
    },
  });
});

Deno.test("plainSchema() takes a schema of absurd depth", () => {
  let schema: JsonSchema = { type: "string" };
  for (let at = 0; at < 10_000; at++) schema = { type: "array", items: schema };
  assert.ok(JSON.stringify(plainSchema(schema)).length < 5_000);
});
