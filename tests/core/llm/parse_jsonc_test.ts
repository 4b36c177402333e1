import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJsonc } from "../../../core/llm/parse_jsonc.ts";

Deno.test("parseJsonc() takes comments and trailing commas, and leaves strings alone", () => {
  const table: readonly (readonly [string, unknown])[] = [
    ["{}", {}],
    ['// a\n{ "a": 1, // b\n}', { a: 1 }],
    ['{ /* "x": 1, */ "a": [1, 2, ], }', { a: [1, 2] }],
    ['{ "a": "// no, /* comment */ ,}" }', { a: "// no, /* comment */ ,}" }],
    ['{ "a": "\\"// still" }', { a: '"// still' }],
    ['{ "a": 1 } // end', { a: 1 }],
    ['{ "a": "http://x/y" }', { a: "http://x/y" }],
    ["[1, /* two */ 2,\r\n]", [1, 2]],
  ];
  for (const [text, expected] of table) assert.deepEqual(parseJsonc(text), expected, text);
});

Deno.test("parseJsonc() refuses what is no JSON beyond that", () => {
  for (const text of ["", "{", '{"a" 1}', '{"a": 1,, }', '"open', "/* open", "{a: 1}"]) {
    assert.throws(() => parseJsonc(text), SyntaxError, text);
  }
});

Deno.test("parseJsonc() reads every JSON value as JSON.parse() does", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.deepEqual(parseJsonc(text), JSON.parse(text));
      assert.deepEqual(parseJsonc(`// x\n${text}/* y */`), JSON.parse(text));
    }),
  );
});
