import assert from "node:assert/strict";
import fc from "fast-check";
import { type LineBlocksResult, readLineBlocks } from "../../../sessions/files/line_blocks.ts";

interface Read extends LineBlocksResult {
  readonly lines: readonly string[];
  readonly rest: string;
  readonly tooLong: number;
}

async function read(
  text: string,
  options: { readonly bufferBytes: number; readonly maxLineBytes?: number },
): Promise<Read> {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, text);
  const decoder = new TextDecoder();
  const { bufferBytes, ...limits } = options;
  const lines: string[] = [];
  let rest = "";
  let tooLong = 0;
  const result = readLineBlocks(path, {
    ...limits,
    buffer: new Uint8Array(bufferBytes),
    onBlock: (block) => lines.push(...decoder.decode(block).split("\n").slice(0, -1)),
    onRest: (bytes) => rest = decoder.decode(bytes),
    onTooLong: () => tooLong += 1,
  });
  await Deno.remove(path);
  return { ...result, lines, rest, tooLong };
}

Deno.test("readLineBlocks() gives every line whole, whatever the buffer", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "\n", "bcd", "é", "\r"), { maxLength: 60 }),
      fc.integer({ min: 1, max: 16 }),
      async (parts, bufferBytes) => {
        const text = parts.join("");
        const found = await read(text, { bufferBytes });
        const lines = text.split("\n");
        assert.equal(found.rest, lines.pop());
        assert.deepEqual(found.lines, lines);
        const size = new TextEncoder().encode(text).length;
        assert.equal(found.size, size);
        assert.equal(found.wholeSize, size - new TextEncoder().encode(found.rest).length);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("readLineBlocks() skips lines that are too long and goes on behind them", async () => {
  const long = "x".repeat(100);
  const found = await read(`a\n${long}\nb\n${long}`, { bufferBytes: 8, maxLineBytes: 16 });
  assert.deepEqual(found.lines, ["a", "b"]);
  assert.equal(found.tooLong, 2);
  assert.equal(found.rest, "");
  assert.deepEqual([found.size, found.wholeSize], [205, 105]);
});
