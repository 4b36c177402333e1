import assert from "node:assert/strict";
import { withTrees } from "../../../tools/syntax/parse_text.ts";

Deno.test("withTrees() lends one tree a text and deletes them, also when the body throws", async () => {
  const kept = await withTrees(["let a;", "let b;"], { grammar: "javascript" }, (trees) => {
    assert.deepEqual(trees.map((tree) => tree.rootNode.text), ["let a;", "let b;"]);
    return trees;
  });
  assert.throws(() => kept?.[0]?.rootNode.text);
  await assert.rejects(
    withTrees(["x"], { grammar: "javascript" }, () => {
      throw new RangeError("body");
    }),
    RangeError,
  );
  assert.equal(await withTrees(["x"], { grammar: "javascript" }, () => 1), 1);
});

Deno.test("withTrees() does not parse what is too big or too wide", async () => {
  const options = { grammar: "javascript", maxUnits: 100, maxLineUnits: 10 } as const;
  const cases: [text: string, isParsed: boolean][] = [
    ["a;\n".repeat(33), true],
    ["a;\n".repeat(34), false],
    ["0123456789", true],
    ["01234567890", false],
    ["a\n0123456789\n", true],
    ["a\n01234567890\n", false],
    ["0123456789\n01234567890", false],
  ];
  for (const [text, isParsed] of cases) {
    assert.equal(await withTrees([text], options, () => true), isParsed ? true : undefined, text);
  }
});

Deno.test("withTrees() gives up after its time and starts afresh afterwards", async () => {
  const slow = "f(".repeat(200_000);
  const options = { grammar: "typescript", maxLineUnits: 1_000_000, maxParseMs: 5 } as const;
  assert.equal(await withTrees([slow], options, () => true), undefined);
  const text = await withTrees(
    ["let a;"],
    { grammar: "typescript" },
    ([tree]) => tree?.rootNode.toString(),
  );
  assert.equal(text, "(program (lexical_declaration (variable_declarator name: (identifier))))");
});

Deno.test("withTrees() leaves the global process as it was", async () => {
  await withTrees(["a"], { grammar: "javascript" }, () => true);
  assert.equal(typeof process, "object");
  assert.equal(typeof process.pid, "number");
});

Deno.test("withTrees() keeps memory flat over many trees", async () => {
  const text = "export function f(a: number): number { return a + 1; }\n".repeat(2000);
  await withTrees([text], { grammar: "typescript" }, () => true);
  const before = Deno.memoryUsage().rss;
  for (let round = 0; round < 20; round++) {
    await withTrees([text], { grammar: "typescript" }, () => true);
  }
  const grown = (Deno.memoryUsage().rss - before) / 1024 / 1024;
  assert(grown < 60, `${grown} MB`);
});
