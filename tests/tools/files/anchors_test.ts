import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  ANCHOR_LETTERS,
  lineAnchor,
  lineHash,
  parseAnchor,
  startsWithAnchor,
} from "../../../tools/files/anchors.ts";

/** FNV-1a as published, over bytes. */
function referenceHash(bytes: Uint8Array): string {
  let hash = 0x811c9dc5n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x01000193n) & 0xffffffffn;
  const folded = Number((hash >> 16n) ^ (hash & 0xffffn));
  return [12, 8, 4, 0].map((shift) => ANCHOR_LETTERS[(folded >> shift) & 15]).join("");
}

Deno.test("lineHash() is FNV-1a over the line's UTF-8 bytes, folded to 16 bits", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, line) => {
    const suffix = /[\p{L}\p{N}]/u.test(text) ? "" : `\0${line}`;
    equal(lineHash(text, line), referenceHash(new TextEncoder().encode(text + suffix)));
  }));
});

Deno.test("lineHash() has known values", () => {
  equal(ANCHOR_LETTERS.length, new Set(ANCHOR_LETTERS).size);
  // FNV-1a of "foobar" is 0xbf9cf968 by its authors' test vectors; folded 0x46f4.
  equal(
    lineHash("foobar", 1),
    ["4", "6", "f", "4"].map((digit) => ANCHOR_LETTERS[parseInt(digit, 16)]).join(""),
  );
});

Deno.test("B80 lineHash() tells lines without letters or digits apart by their number", () => {
  notEqual(lineHash("}", 3), lineHash("}", 4));
  notEqual(lineHash("", 3), lineHash("", 4));
  equal(lineHash("a}", 3), lineHash("a}", 4));
});

Deno.test("B80 anchors collide about once in 65,536 pairs, measured on 500-line files", () => {
  let pairs = 0;
  let collisions = 0;
  for (let file = 0; file < 40; file++) {
    const seen = new Map<string, string>();
    for (let line = 1; line <= 500; line++) {
      // A third of the lines are short or blank, as in code.
      const text = line % 3 === 0
        ? ["}", "", "  });", "]"][line % 4] ?? ""
        : `  item ${file}.${line};`;
      const hash = lineHash(text, line);
      if (seen.has(hash)) collisions += 1;
      seen.set(hash, text);
    }
    pairs += 500 * 499 / 2;
  }
  const expected = pairs / 65536;
  ok(collisions < expected * 1.5, `${collisions} collisions, ${expected.toFixed(0)} expected`);
});

Deno.test("parseAnchor() reads what models write", () => {
  const anchor = { line: 12, hash: "KTXJ" };
  for (const text of ["12#KTXJ", " 12#KTXJ ", "12#ktxj", "12#KTXJ:let x = 1;", "12 # KTXJ"]) {
    deepEqual(parseAnchor(text), anchor, text);
  }
  for (const text of ["12", "#KTXJ", "12#ABCD", "12#KTX", "12#KTXJZ", "x12#KTXJ", "", "-1#KTXJ"]) {
    equal(parseAnchor(text), undefined, text);
  }
});

Deno.test("startsWithAnchor() knows lines of our own output", () => {
  const anchor = lineAnchor("let x", 7);
  match(anchor, /^7#[A-Z]{4}$/);
  for (const line of [`${anchor}:let x`, `+${anchor}:let x`, `  ${anchor}:`]) {
    ok(startsWithAnchor(line), line);
  }
  for (const line of ["let x", "# KTXJ: a", "see 12#KTXJ: there", "12#ABCD:x", "a12#KTXJ:"]) {
    ok(!startsWithAnchor(line), line);
  }
});
