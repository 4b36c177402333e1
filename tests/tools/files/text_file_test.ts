import { deepEqual, equal, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { decodeFile, encodeFile, type TextEncoding } from "../../../tools/files/text_file.ts";
import { dominantEnding, fullEnd, splitLines } from "../../../tools/files/text_lines.ts";

const ENCODINGS: readonly TextEncoding[] = [
  { name: "utf-8", bom: false },
  { name: "utf-8", bom: true },
  { name: "utf-16le", bom: true },
  { name: "utf-16be", bom: true },
];

Deno.test("decodeFile() and encodeFile() keep every text in every encoding", () => {
  const text = fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", () => ""))
    .filter((value) => value.isWellFormed() && !/^\ufeff|^(BM|MZ|%PDF|PK)/.test(value));
  fc.assert(fc.property(text, fc.constantFrom(...ENCODINGS), (value, encoding) => {
    const decoded = decodeFile(encodeFile(value, encoding));
    deepEqual(decoded, { type: "text", text: value, encoding });
  }));
});

Deno.test("decodeFile() gives back exactly the bytes of every text it accepts", () => {
  const piece = fc.constantFrom(...["a", "ü", "😀", "\r", "\n", "\r\n", "\ufeff", "\u2028", "‹"]);
  const bytes = fc.tuple(
    fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]),
    fc.oneof(
      fc.uint8Array(),
      fc.array(piece).map((parts) => new TextEncoder().encode(parts.join(""))),
    ),
  ).map(([head, rest]) => new Uint8Array([...head, ...rest]));
  fc.assert(
    fc.property(bytes, (raw) => {
      const decoded = decodeFile(raw);
      if (decoded.type === "text") deepEqual(encodeFile(decoded.text, decoded.encoding), raw);
    }),
    { numRuns: 500 },
  );
});

Deno.test("B77 decodeFile() takes the byte order mark out of the text and keeps a second one", () => {
  const decoded = decodeFile(new Uint8Array([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x61]));
  deepEqual(decoded, {
    type: "text",
    text: "\ufeffa",
    encoding: { name: "utf-8", bom: true },
  });
});

Deno.test("decodeFile() describes what is no text", () => {
  const table: readonly [Uint8Array, string, RegExp][] = [
    [new Uint8Array([0x61, 0, 0x62]), "binary", /binary file/],
    [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), "binary", /PNG/],
    [new Uint8Array([0x61, 0x62, 0xe4, 0x63]), "unknown_encoding", /first bad byte at offset 2/],
    [new Uint8Array([0x61, 0xc3]), "unknown_encoding", /UTF-8/],
    [new Uint8Array([0xff, 0xfe, 0x61]), "unknown_encoding", /UTF-16LE/],
    [new Uint8Array([0xff, 0xfe, 0x00, 0xd8]), "unknown_encoding", /UTF-16LE/],
    [new Uint8Array([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), "unknown_encoding", /UTF-32/],
  ];
  for (const [bytes, type, message] of table) {
    const decoded = decodeFile(bytes);
    equal(decoded.type, type, String(bytes));
    match(JSON.stringify(decoded), message);
  }
});

Deno.test("B76 splitLines() keeps each line's own ending and takes a bare CR for data", () => {
  const text = "a\r\nb\nlog: 10%\r50%\r100%\nend";
  const lines = splitLines(text);
  deepEqual(lines.map(({ start, end, ending }) => [text.slice(start, end), ending]), [
    ["a", "\r\n"],
    ["b", "\n"],
    ["log: 10%\r50%\r100%", "\n"],
    ["end", ""],
  ]);
});

Deno.test("B89 splitLines() defines the small cases", () => {
  equal(splitLines("").length, 0);
  deepEqual(splitLines("abc"), [{ start: 0, end: 3, ending: "" }]);
  deepEqual(splitLines("\n"), [{ start: 0, end: 0, ending: "\n" }]);
  deepEqual(splitLines("\r\n\n"), [
    { start: 0, end: 0, ending: "\r\n" },
    { start: 2, end: 2, ending: "\n" },
  ]);
});

Deno.test("splitLines() covers every text without gaps", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom("a", "\r", "\n") }), (text) => {
    let at = 0;
    for (const line of splitLines(text)) {
      equal(line.start, at);
      at = fullEnd(line);
      equal(text.slice(line.end, at), line.ending);
      ok(!text.slice(line.start, line.end).includes("\n"));
    }
    equal(at, text.length);
  }));
});

Deno.test("dominantEnding() is a line feed unless most lines say otherwise", () => {
  equal(dominantEnding(splitLines("")), "\n");
  equal(dominantEnding(splitLines("a\r\nb\n")), "\n");
  equal(dominantEnding(splitLines("a\r\nb\r\nc\n")), "\r\n");
});
