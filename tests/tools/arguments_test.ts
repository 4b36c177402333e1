import { deepEqual, equal, match, ok } from "node:assert/strict";
import fc from "fast-check";
import * as v from "valibot";
import { checkArguments, coerceLosslessly, readArguments } from "../../tools/arguments.ts";
import { type Tool, toolSuccess } from "../../tools/tool.ts";
import { toolParameters } from "../../tools/tool_schema.ts";

const schema = v.object({
  path: v.pipe(v.string(), v.nonEmpty()),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  deep: v.optional(v.boolean()),
  op: v.optional(v.picklist(["replace", "delete"])),
  edits: v.optional(v.array(v.object({ lines: v.optional(v.array(v.string())) }))),
});
const TOOL: Tool<v.InferOutput<typeof schema>> = {
  name: "probe",
  description: "",
  schema,
  risk: "read",
  highestRisk: "read",
  source: "builtin",
  execute: () => Promise.resolve(toolSuccess("")),
};

const ACCEPTED: readonly [string, unknown][] = [
  ['{"path":"a","limit":"50"}', { path: "a", limit: 50 }],
  ['{"path":"a","deep":"true"}', { path: "a", deep: true }],
  ['{"path":"50","deep":"false"}', { path: "50", deep: false }],
  ['{"path":"true"}', { path: "true" }],
  ['{"path":"a","limit":null}', { path: "a" }],
  ['{"path":"a","edits":"[{\\"lines\\":[\\"x\\"]}]"}', { path: "a", edits: [{ lines: ["x"] }] }],
  ['{"path":"[1]"}', { path: "[1]" }],
  ['{"path":"a","unknown":{"x":1}}', { path: "a" }],
];

for (const [text, args] of ACCEPTED) {
  Deno.test(`B43 readArguments() accepts ${text}`, () => {
    deepEqual(readArguments(TOOL, text), { ok: true, args });
  });
}

const REFUSED: readonly [string, RegExp][] = [
  ["{}", /parameter "path" is missing; it must be a non-empty string/],
  ["", /parameter "path" is missing/],
  ['{"path":123}', /parameter "path" must be a non-empty string, not 123/],
  ['{"path":""}', /parameter "path" must be a non-empty string, not ""/],
  ['{"path":"a","limit":"50x"}', /parameter "limit" must be a whole number from 1, not "50x"/],
  ['{"path":"a","limit":"007"}', /must be a whole number from 1, not "007"/],
  ['{"path":"a","limit":1.5}', /must be a whole number from 1, not 1\.5/],
  ['{"path":"a","limit":0}', /must be a whole number from 1, not 0/],
  ['{"path":"a","deep":"yes"}', /parameter "deep" must be true or false, not "yes"/],
  ['{"path":"a","op":"insert"}', /must be one of "replace", "delete", not "insert"/],
  [
    '{"path":"a","edits":[{"lines":[1]}]}',
    /parameter "edits\.0\.lines\.0" must be a string, not 1/,
  ],
  ['{"path":null}', /parameter "path" must be a non-empty string, not null/],
  ["[]", /must be one JSON object, not \[\]/],
  ['{"path":', /are not valid JSON .* send one JSON object: \{path: string, limit\?: integer/],
];

for (const [text, message] of REFUSED) {
  Deno.test(`B43 readArguments() refuses ${text} and says what is wanted`, () => {
    const result = readArguments(TOOL, text);
    ok(!result.ok);
    match(result.message, message);
    match(result.message, /^Cannot call "probe": /);
  });
}

Deno.test("readArguments() shows long and invisible values short and visible", () => {
  const result = checkArguments(TOOL, { path: "a", limit: `\u202e${"x".repeat(500)}` });
  ok(!result.ok);
  ok(result.message.length < 400);
  ok(!result.message.includes("\u202e"));
});

Deno.test("readArguments() keeps __proto__ an ordinary, ignored name", () => {
  const result = readArguments(TOOL, '{"path":"a","__proto__":{"limit":1}}');
  ok(result.ok);
  equal(result.args.limit, undefined);
});

Deno.test("coerceLosslessly() never changes what fits and never loses a digit", () => {
  const target = toolParameters(TOOL);
  fc.assert(fc.property(fc.jsonValue(), (limit) => {
    const { limit: got } = coerceLosslessly({ limit }, target) as { limit?: unknown };
    if (typeof limit === "string" && typeof got === "number") equal(String(got), limit);
    else if (limit !== null) equal(got, limit);
  }));
});
