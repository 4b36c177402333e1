import assert from "node:assert/strict";
import { checkSyntax, type SyntaxReport } from "../../../tools/files/syntax_check.ts";

async function check(path: string, before: string, after: string): Promise<SyntaxReport> {
  let firstChange = 0;
  while (firstChange < after.length && before[firstChange] === after[firstChange]) firstChange += 1;
  return await checkSyntax({ path, before, after, edits: [], firstChange });
}

async function warnings(path: string, before: string, part: string): Promise<readonly string[]> {
  const start = before.indexOf(part);
  const edits = [{ number: 1, start, end: start + part.length }];
  return (await checkSyntax({ path, before, after: before, edits, firstChange: 0 })).warnings;
}

Deno.test("checkSyntax() names line, column, node and what is wrong", async () => {
  const before = "fn main() {\n    let a = (1 + 2);\n}\n";
  const { problem } = await check("a.rs", before, before.replace(");", ";"));
  assert.match(
    problem ?? "",
    /^a syntax error at line 2, column \d+, in .*\(line 2\): missing "\)"\. That line would read: let a = \(1 \+ 2;$/,
  );
});

Deno.test("checkSyntax() passes sound changes, other languages and what cannot be parsed", async () => {
  assert.deepEqual(await check("a.ts", "let a = 1;\n", "let b = [2];\n"), { warnings: [] });
  assert.deepEqual(await check("a.txt", "(", "(("), { warnings: [] });
  assert.deepEqual(await check("a.ts", "a", `let a = (${"1+".repeat(20_000)}`), { warnings: [] });
  assert.deepEqual(await check("a.py", "a = 1\r\n", "a = 2\r\nif a:\r\n    b()\r\n"), {
    warnings: [],
  });
});

Deno.test("checkSyntax() lets a broken file get better or stay, never worse", async () => {
  const broken = "function f( {\n}\nfunction g() {\n  return 1;\n}\n";
  const worse = broken.replace("return 1;", "return (1;");
  assert.match((await check("a.js", broken, worse)).problem ?? "", /may not get more/);
  assert.equal((await check("a.js", worse, broken)).problem, undefined);
  assert.equal((await check("a.js", broken, broken.replace("1", "2"))).problem, undefined);
});

Deno.test("checkSyntax() points at the change where the parser lost its way", async () => {
  const before = "function f() {\n  return 1;\n}\n".repeat(20);
  const lines = before.split("\n");
  lines[30] = "}}}} ((( {{{";
  const { problem } = await check("a.ts", before, lines.join("\n"));
  assert.match(problem ?? "", /at line (?:3[0-9]|[4-6][0-9])/);
});

Deno.test("checkSyntax() warns of a range that cuts a node in two, and names it", async () => {
  const text = "function a() {\n  b();\n}\n\nfunction c() {\n  d();\n}\n";
  assert.deepEqual(await warnings("a.ts", text, "  b();\n}\n\nfunction c() {\n"), [
    "edit 1 starts inside statement_block (lines 1-3)",
    "edit 1 ends inside statement_block (lines 5-7)",
  ]);
  assert.deepEqual(await warnings("a.ts", text, "function c() {\n"), [
    "edit 1 ends inside statement_block (lines 5-7)",
  ]);
  assert.deepEqual(await warnings("a.ts", text, "  d();\n"), []);
  assert.deepEqual(await warnings("a.ts", text, "function c() {\n  d();\n}\n"), []);
  assert.deepEqual(await warnings("a.ts", text, "\n\n"), []);
});
