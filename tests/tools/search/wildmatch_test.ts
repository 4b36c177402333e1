import { equal, ok } from "node:assert/strict";
import { wildmatch } from "../../../tools/search/wildmatch.ts";

const PATHS: readonly (readonly [pattern: string, path: string, matches: boolean])[] = [
  ["*.ts", "a.ts", true],
  ["*.ts", "b/a.ts", false],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "b/c/a.ts", true],
  ["src/**", "src/a/b", true],
  ["src/**", "src", false],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/*/b", "a/b", false],
  ["a**b", "axyb", true],
  ["a**b", "a/b", false],
  ["a?b", "a/b", false],
  ["a[/]b", "a/b", false],
  ["[]a]x", "]x", true],
  ["[!a-c]x", "bx", false],
  ["[[:digit:]]x", "7x", true],
  ["[[:nope:]]x", "nx", false],
  ["[a", "[a", false],
  ["\\*a", "*a", true],
  ["\\*a", "ba", false],
  ["a\\", "a", false],
  ["", "", true],
  ["**", "a/b", true],
];

Deno.test("wildmatch() matches paths as git does", () => {
  for (const [pattern, path, matches] of PATHS) {
    equal(wildmatch(pattern, path, { isPath: true }), matches, `${pattern} on ${path}`);
  }
});

Deno.test("wildmatch() lets a star cross slashes outside of paths", () => {
  ok(wildmatch("a*c", "a/b/c", { isPath: false }));
});

Deno.test("wildmatch() does not blow up on many stars", () => {
  const start = performance.now();
  equal(wildmatch(`${"*a".repeat(30)}*b`, "a".repeat(4000), { isPath: true }), false);
  equal(wildmatch(`${"**/a/".repeat(8)}b`, "a/".repeat(60), { isPath: true }), false);
  ok(performance.now() - start < 2000);
});
