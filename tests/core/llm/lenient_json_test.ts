import assert from "node:assert/strict";
import fc from "fast-check";
import { parseToolArguments } from "../../../core/llm/lenient_json.ts";

const REPAIRED: readonly (readonly [title: string, text: string, value: unknown])[] = [
  ["a trailing comma in an object", '{"a":1,}', { a: 1 }],
  ["a trailing comma in an array", '{"a":[1,2,]}', { a: [1, 2] }],
  ["B37 an extra closing brace", '{"path":"a.txt"}}', { path: "a.txt" }],
  ["words after the closing brace", '{"a":1} I will now', { a: 1 }],
  ["the same object twice", '{"a":1}{"a":1}', { a: 1 }],
  ["an unclosed string", '{"a":"b', { a: "b" }],
  ["unclosed brackets", '{"a":[{"b":1', { a: [{ b: 1 }] }],
  ["a name without its value at the end", '{"a":1,"b":', { a: 1 }],
  ["code fences", '```json\n{"a":1}\n```', { a: 1 }],
  ["single quotes", "{'a':'it\\'s'}", { a: "it's" }],
  ["a raw line break inside a string", '{"a":"b\nc"}', { a: "b\nc" }],
  ["a backslash that escapes nothing", '{"a":"C:\\dir"}', { a: "C:\\dir" }],
  ["words of Python", "{'a':True,'b':None}", { a: true, b: null }],
];

for (const [title, text, value] of REPAIRED) {
  Deno.test(`parseToolArguments() repairs ${title}`, () => {
    assert.deepEqual(parseToolArguments(text), { ok: true, value, repaired: true });
  });
}

Deno.test("B35 parseToolArguments() takes blank text and null for no arguments", () => {
  for (const text of ["", "  \n", "null", " null "]) {
    assert.deepEqual(parseToolArguments(text), { ok: true, value: {}, repaired: false });
  }
});

Deno.test("parseToolArguments() leaves valid JSON as it is", () => {
  assert.deepEqual(parseToolArguments(' {"a":{"b":[1,"x"]}} '), {
    ok: true,
    value: { a: { b: [1, "x"] } },
    repaired: false,
  });
});

Deno.test("parseToolArguments() refuses what is no object", () => {
  for (const text of ["[1]", '"x"', "5", "true"]) {
    const parsed = parseToolArguments(text);
    assert.ok(!parsed.ok);
    assert.match(parsed.error, /position 0; send a JSON object/);
  }
});

Deno.test("parseToolArguments() tells where it gave up", () => {
  const parsed = parseToolArguments('{"a":1 "b":2}');
  assert.deepEqual(parsed, {
    ok: false,
    error: 'The arguments are not valid JSON: expected "," or "}" at position 7, found "\\""',
  });
});

Deno.test("B37 parseToolArguments() never closes a call that was cut off", () => {
  for (const text of ['{"command":"rm -rf build', '{"a":1', '{"a":', '{"n":12', '{"a":[1]', ""]) {
    const parsed = parseToolArguments(text, { complete: false });
    assert.ok(!parsed.ok, text);
    assert.match(parsed.error, /cut off/);
  }
  assert.deepEqual(parseToolArguments('{"a":1}} x', { complete: false }), {
    ok: true,
    value: { a: 1 },
    repaired: true,
  });
});

Deno.test("B44 parseToolArguments() keeps names of object built-ins as plain properties", () => {
  const parsed = parseToolArguments("{'__proto__':{'x':1},'constructor':2}");
  assert.ok(parsed.ok);
  assert.deepEqual(Object.keys(parsed.value), ["__proto__", "constructor"]);
  assert.equal(Object.getPrototypeOf(parsed.value), Object.prototype);
});

Deno.test("parseToolArguments() refuses absurd nesting instead of overflowing", () => {
  const parsed = parseToolArguments(`{"a":${"[".repeat(100_000)}`);
  assert.ok(!parsed.ok);
});

Deno.test("parseToolArguments() reads every JSON object as JSON.parse does", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
    const text = JSON.stringify(value);
    const parsed = parseToolArguments(text);
    assert.ok(parsed.ok && !parsed.repaired);
    assert.deepEqual(parsed.value, JSON.parse(text));
    const withJunk = parseToolArguments(`${text} }junk`);
    assert.ok(withJunk.ok);
    assert.deepEqual(withJunk.value, JSON.parse(text));
  }));
});

Deno.test("parseToolArguments() takes any prefix without throwing, and never runs one as cut", () => {
  const text = JSON.stringify({
    path: "a\\b\u{1f600}",
    list: [1, 2.5e3, true, null],
    o: { k: "v" },
  });
  for (let at = 0; at < text.length; at++) {
    parseToolArguments(text.slice(0, at));
    assert.ok(!parseToolArguments(text.slice(0, at), { complete: false }).ok);
  }
});

Deno.test("parseToolArguments() takes any text without throwing", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    parseToolArguments(text);
    parseToolArguments(`{${text}`);
  }));
});
