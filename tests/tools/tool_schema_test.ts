import { deepEqual, equal, throws } from "node:assert/strict";
import * as v from "valibot";
import { toolSuccess } from "../../tools/tool.ts";
import { ToolError } from "../../tools/tool_error.ts";
import { toLlmTool, toolParameters } from "../../tools/tool_schema.ts";

Deno.test("toolParameters() gives plain JSON Schema without $schema, $ref and empty lists", () => {
  const schema = v.object({
    action: v.pipe(v.picklist(["a", "b"]), v.description("What to do.")),
    kind: v.optional(v.literal("x")),
    count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    list: v.optional(v.array(v.object({ on: v.optional(v.boolean()) }))),
  });
  deepEqual(toolParameters({ name: "t", schema }), {
    type: "object",
    properties: {
      action: { type: "string", enum: ["a", "b"], description: "What to do." },
      kind: { type: "string", enum: ["x"] },
      count: { type: "integer", minimum: 1 },
      list: {
        type: "array",
        items: { type: "object", properties: { on: { type: "boolean" } } },
      },
    },
    required: ["action"],
  });
});

Deno.test("toolParameters() gives an object without parameters its empty properties", () => {
  deepEqual(toolParameters({ name: "t", schema: v.object({}) }), {
    type: "object",
    properties: {},
  });
});

Deno.test("toolParameters() prefers the schema that a tool brings along", () => {
  const parameters = { type: "object", properties: { x: { type: "string" } } };
  equal(toolParameters({ name: "t", schema: v.unknown(), parameters }), parameters);
});

Deno.test("toolParameters() refuses what cannot be said plainly", () => {
  interface Node {
    readonly next?: Node | undefined;
  }
  const recursive: v.GenericSchema<unknown, Node> = v.object({
    next: v.optional(v.lazy(() => recursive)),
  });
  throws(() => toolParameters({ name: "t", schema: recursive }), ToolError);
  throws(() => toolParameters({ name: "t", schema: v.string() }), ToolError);
  throws(() => toolParameters({ name: "t", schema: v.object({ d: v.date() }) }), ToolError);
});

Deno.test("toLlmTool() gives the same bytes every time", () => {
  const tool = {
    name: "t",
    description: "d",
    schema: v.object({ a: v.string() }),
    risk: "read",
    highestRisk: "read",
    source: "builtin",
    execute: () => Promise.resolve(toolSuccess("")),
  } as const;
  equal(JSON.stringify(toLlmTool(tool)), JSON.stringify(toLlmTool(tool)));
});
