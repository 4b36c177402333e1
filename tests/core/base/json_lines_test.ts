import assert from "node:assert/strict";
import fc from "fast-check";
import { LineSplitter, type SplitLine } from "../../../core/base/json_lines.ts";
import { encodeUtf8 } from "../../../core/base/text.ts";

function split(chunks: readonly Uint8Array[], maxBytes = 1_000): SplitLine[] {
  const splitter = new LineSplitter({ maxBytes });
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

function texts(lines: readonly SplitLine[]): (string | undefined)[] {
  return lines.map((line) => line.type === "line" ? line.text : undefined);
}

Deno.test("LineSplitter ends lines at line feeds, drops one carriage return, keeps the last line", () => {
  assert.deepEqual(texts(split([encodeUtf8("a\nb\r\n\nc\r\r\nd")])), ["a", "b", "", "c\r", "d"]);
});

Deno.test("LineSplitter B139 leaves U+2028, U+2029, U+0085, VT and FF inside a line", () => {
  const text = "a\u2028b\u2029c\u0085d\ve\ff";
  assert.deepEqual(texts(split([encodeUtf8(`${text}\n`)])), [text]);
});

Deno.test("LineSplitter gives the same lines wherever the bytes are cut", () => {
  fc.assert(fc.property(
    fc.array(fc.string({ unit: "binary" }), { maxLength: 8 }),
    fc.array(fc.nat(200), { maxLength: 12 }),
    (parts, cuts) => {
      const bytes = encodeUtf8(parts.map((part) => part.toWellFormed()).join("\n"));
      const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      const chunks = [0, ...at].map((from, i) => bytes.slice(from, at[i] ?? bytes.length));
      assert.deepEqual(split(chunks), split([bytes]));
    },
  ));
});

Deno.test("LineSplitter B140 spoils only the line that holds bad UTF-8", () => {
  const bytes = new Uint8Array([0x61, 0x0a, 0xff, 0xfe, 0x0a, 0x62, 0x0a]);
  assert.deepEqual(split([bytes]), [
    { type: "line", text: "a" },
    { type: "invalid_utf8" },
    { type: "line", text: "b" },
  ]);
});

Deno.test("LineSplitter drops a byte order mark at the very start only", () => {
  const lines = texts(split([encodeUtf8("\ufeffa\n\ufeffb\n")]));
  assert.deepEqual(lines, ["a", "\ufeffb"]);
});

Deno.test("LineSplitter reports a line over the limit and reads on", () => {
  const at = (length: number) => texts(split([encodeUtf8(`${"x".repeat(length)}\nok\n`)], 10));
  assert.deepEqual(at(9), ["x".repeat(9), "ok"]);
  assert.deepEqual(at(10), ["x".repeat(10), "ok"]);
  assert.deepEqual(split([encodeUtf8(`${"x".repeat(11)}\nok\n`)], 10), [
    { type: "too_long", bytes: 11 },
    { type: "line", text: "ok" },
  ]);
});

Deno.test("LineSplitter does not count the carriage return against the limit", () => {
  assert.deepEqual(texts(split([encodeUtf8(`${"x".repeat(10)}\r\n`)], 10)), ["x".repeat(10)]);
});

Deno.test("LineSplitter keeps no more than its limit of an endless line", () => {
  const splitter = new LineSplitter({ maxBytes: 100 });
  for (let i = 0; i < 1_000; i++) assert.deepEqual(splitter.push(new Uint8Array(64).fill(97)), []);
  assert.deepEqual(splitter.push(new Uint8Array([0x0a])), [{ type: "too_long", bytes: 64_000 }]);
});
