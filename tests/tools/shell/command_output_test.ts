import assert from "node:assert/strict";
import * as fc from "fast-check";
import { CommandOutput } from "../../../tools/shell/command_output.ts";

const ENCODER = new TextEncoder();

function clean(pieces: readonly Uint8Array<ArrayBuffer>[], maxBytes = 1_000_000) {
  const live: string[] = [];
  const output = new CommandOutput({
    maxBytes,
    keepControls: false,
    onText: (chunk) => live.push(chunk),
  });
  for (const piece of pieces) output.push(piece);
  return { ...output.finish(), live };
}

const cleanText = (text: string, maxBytes?: number) => clean([ENCODER.encode(text)], maxBytes).text;

Deno.test("CommandOutput removes control sequences and folds redrawn lines (B110)", () => {
  const cases: [input: string, wanted: string][] = [
    ["plain\ttext\n", "plain\ttext\n"],
    ["\x1b]133;A\x07\x1b[31mred\x1b[0m\r50%\r100%\n", "100%\n"],
    ["\x1b[38;2;1;2;3mcolour\x1b[m", "colour"],
    ["\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1b]0;title\u009cafter", "after"],
    ["\u009b31mred \u009d0;t\x07b", "red b"],
    ["\x1bPq#0;2;0\x1b\\sixel", "sixel"],
    ["\x1b(Bg0 \x1b=keys \x1b7save", "g0 keys save"],
    ["\x1b]never ended\nnext line", "\nnext line"],
    ["\x1b[12\nbroken", "\nbroken"],
    ["\x1b\x1b[1mtwice", "twice"],
    ["\x1b]a\x1b[1mstring cut by a sequence", "string cut by a sequence"],
    ["a\x00b\x07c\x7fd\u0085e\ff\vg", "abcdefg"],
    ["one\r\ntwo\r\r\n", "one\ntwo\n"],
    ["10%\r20%\r30%", "30%"],
    ["done\r", "done"],
    ["a\r\nb\rc\n", "a\nc\n"],
    ["long line\rshort\n", "short\n"],
    ["work |\b/\b-\n", "work -\n"],
    ["N\bNA\bAME\n", "NAME\n"],
    ["\b\bx\n\by", "x\ny"],
    ["😀\b!", "!"],
    ["\x1b", ""],
    ["\x1b[", ""],
  ];
  for (const [input, wanted] of cases) {
    assert.equal(cleanText(input), wanted, JSON.stringify(input));
  }
});

Deno.test("CommandOutput decodes characters cut between chunks (B106)", () => {
  const { text, live } = clean([new Uint8Array([0xc3]), new Uint8Array([0xa9, 0x0a])]);
  assert.equal(text, "é\n");
  assert.deepEqual(live, ["é\n"]);
});

Deno.test("CommandOutput marks bytes that are no UTF-8", () => {
  assert.equal(clean([new Uint8Array([0x61, 0xff, 0x62, 0xe2, 0x82])]).text, "a\ufffdb\ufffd");
});

Deno.test("CommandOutput gives the same text however the bytes are cut", () => {
  const unit = fc.constantFrom(
    ..."aß😀 \t\n\r\b",
    "\r\n",
    "\x1b",
    "\x1b[31m",
    "\x1b]0;t\x07",
    "\x1b\\",
    "\x07",
    "\u009b",
    "\u009d",
    "[0;1",
    "x".repeat(9000),
    "é\n".repeat(300),
  );
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), cuts, (units, where) => {
      const bytes = ENCODER.encode(units.join(""));
      const ends = where.map((part) => Math.round(part * bytes.length)).sort((a, b) => a - b);
      const pieces = [0, ...ends].map((start, i) => bytes.slice(start, ends[i] ?? bytes.length));
      for (const maxBytes of [1_000_000, 2000]) {
        assert.equal(clean(pieces, maxBytes).text, clean([bytes], maxBytes).text);
      }
    }),
    { numRuns: 80 },
  );
});

Deno.test("CommandOutput takes hostile input in linear time", () => {
  const parts = [
    "\r",
    "\b",
    "\x1b",
    "\x1b[",
    "\x1b]",
    "\x1b]\n",
    "a\r",
    "a\b",
    "\x1b[1m",
    "x",
    "\0",
  ];
  for (const part of parts) {
    const text = "x".repeat(4000) + part.repeat(200_000 / part.length);
    const startMs = performance.now();
    cleanText(text);
    assert(performance.now() - startMs < 1000, JSON.stringify(part));
  }
});
