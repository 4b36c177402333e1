import assert from "node:assert/strict";
import * as fc from "fast-check";
import { BoundedText } from "../../../tools/shell/bounded_text.ts";

function bounded(maxBytes: number, ...pieces: string[]) {
  const text = new BoundedText(maxBytes);
  for (const piece of pieces) text.append(piece);
  return text.capture();
}

Deno.test("BoundedText keeps everything up to its limit", () => {
  assert.deepEqual(bounded(8, "abcd", "efgh"), {
    text: "abcdefgh",
    totalBytes: 8,
    omittedBytes: 0,
  });
  assert.deepEqual(bounded(8), { text: "", totalBytes: 0, omittedBytes: 0 });
  assert.equal(bounded(9, "ééé", "é").text, "éééé");
});

Deno.test("BoundedText leaves the middle out beyond its limit and says how much (B104)", () => {
  assert.deepEqual(bounded(8, "abcdefghi"), {
    text: "ab\n[… 1 bytes left out here …]\ndefghi",
    totalBytes: 9,
    omittedBytes: 1,
  });
});

Deno.test("BoundedText cuts at line boundaries where they are near", () => {
  const lines = Array.from({ length: 100 }, (_, i) => `line ${i}\n`);
  const { text, omittedBytes, totalBytes } = bounded(100, ...lines);
  assert.equal(
    text,
    `line 0\nline 1\nline 2\n[… ${omittedBytes} bytes left out here …]\n` +
      lines.slice(-9).join(""),
  );
  assert.equal(totalBytes, lines.join("").length);
});

Deno.test("BoundedText never cuts inside a character (B55)", () => {
  for (let maxBytes = 4; maxBytes < 40; maxBytes++) {
    const { text } = bounded(maxBytes, "😀é€".repeat(20));
    assert(text.isWellFormed());
    assert(!text.includes("\ufffd"), `${maxBytes}`);
  }
});

Deno.test("BoundedText does not depend on how the text is cut", () => {
  const pieces = fc.array(fc.string({ unit: "binary", maxLength: 30 }), { maxLength: 30 });
  fc.assert(fc.property(pieces, fc.integer({ min: 4, max: 300 }), (parts, maxBytes) => {
    const whole = parts.join("");
    const cut = bounded(maxBytes, ...parts);
    assert.deepEqual(cut, bounded(maxBytes, whole));
    if (cut.omittedBytes === 0) assert.equal(cut.text, whole);
    assert.equal(cut.totalBytes, new TextEncoder().encode(whole).length);
  }));
});

Deno.test("BoundedText takes a piece far longer than its limit", () => {
  const { text, totalBytes } = bounded(4096, `start\n${"x".repeat(3_000_000)}\nend\n`, "last");
  assert(text.startsWith("start\n") && text.endsWith("x\nend\nlast"));
  assert.equal(totalBytes, 3_000_015);
  assert(text.length < 4200);
});
