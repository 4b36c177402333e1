import assert from "node:assert/strict";
import { GRAMMAR_BYTES, type GrammarName, grammarOfPath } from "../../../tools/syntax/grammars.ts";
import { withTrees } from "../../../tools/syntax/parse_text.ts";
import { syntaxFaults } from "../../../tools/syntax/syntax_faults.ts";

/** A sound and a broken text for every grammar. */
const SAMPLES: Readonly<
  Record<GrammarName, readonly [path: string, sound: string, broken: string]>
> = {
  "bash": ["a.sh", "if true; then echo a; fi\n", "if true; then echo a\n"],
  "c-sharp": ["a.cs", "class A { int F() { return 1; } }\n", "class A { int F() { return 1; }\n"],
  "cpp": ["a.cpp", "int main() { return 0; }\n", "int main() { return 0;\n"],
  "css": ["a.css", "a { color: red; }\n", "a { color: red;\n"],
  "go": [
    "a.go",
    "package a\n\nfunc f() int { return 1 }\n",
    "package a\n\nfunc f() int { return 1\n",
  ],
  "ini": ["a.ini", "[a]\nb = c\n", "[a\nb = c\n"],
  "java": ["A.java", "class A { void f() { g(); } }\n", "class A { void f() { g( } }\n"],
  "javascript": ["a.js", "const a = [1, 2];\n", "const a = [1, 2;\n"],
  "php": ["a.php", "<?php function f() { return 1; }\n", "<?php function f() { return 1;\n"],
  "powershell": ["a.ps1", "if ($a) { Get-Item b }\n", "if ($a) { Get-Item b\n"],
  "python": ["a.py", "def f(a):\n    return [a]\n", "def f(a:\n    return [a]\n"],
  "ruby": ["a.rb", "def f(a)\n  a + 1\nend\n", "def f(a)\n  a + 1\n"],
  "rust": ["a.rs", 'fn main() { println!("{}", 1); }\n', 'fn main() { println!("{}", 1);\n'],
  "tsx": ["a.tsx", "const a = <b c={1}>x</b>;\n", "const a = <b c={1}>x;\n"],
  "typescript": ["a.ts", "const a: number[] = [1];\n", "const a: number[] = [1;\n"],
};

for (const [grammar, [path, sound, broken]] of Object.entries(SAMPLES)) {
  Deno.test(`the ${grammar} grammar tells sound from broken text`, async () => {
    assert.equal(grammarOfPath(`src/${path}`), grammar);
    const counts = await withTrees(
      [sound, broken],
      { grammar: grammar as GrammarName },
      (trees) => trees.map((tree) => syntaxFaults(tree).length),
    );
    assert(counts !== undefined);
    assert.equal(counts[0], 0);
    assert((counts[1] ?? 0) > 0);
  });
}

Deno.test("rho carries 15 grammars, each with a sample here", () => {
  assert.equal(Object.keys(GRAMMAR_BYTES).length, 15);
  assert.deepEqual(Object.keys(SAMPLES).sort(), Object.keys(GRAMMAR_BYTES).sort());
});

Deno.test("grammarOfPath() goes by the extension, without case, and knows when it does not know", () => {
  const cases: [path: string, grammar: GrammarName | undefined][] = [
    ["A.RS", "rust"],
    ["dir.ts/a.py", "python"],
    ["a.d.ts", "typescript"],
    ["a.c", "cpp"],
    ["Makefile", undefined],
    [".ts", undefined],
    ["a.", undefined],
    ["a.constructor", undefined],
    ["a.md", undefined],
    ["dir.rs/file", undefined],
  ];
  for (const [path, grammar] of cases) assert.equal(grammarOfPath(path), grammar, path);
});
