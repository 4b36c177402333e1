import { deepEqual, equal, throws } from "node:assert/strict";
import { Glob, GlobError } from "../../../tools/search/glob.ts";

const FILES = ["a.ts", "b.js", "src/a.ts", "src/deep/b.test.ts", "src/deep/c.js", ".github/x.yml"];

function matching(glob: string, base = "."): string[] {
  const compiled = new Glob(glob, base);
  return FILES.filter((path) => base === "." || path.startsWith(`${base}/`))
    .filter((path) => compiled.matches({ path, name: path.slice(path.lastIndexOf("/") + 1) }));
}

const CASES: readonly (readonly [glob: string, base: string, files: readonly string[]])[] = [
  ["*.ts", ".", ["a.ts", "src/a.ts", "src/deep/b.test.ts"]],
  ["/*.ts", ".", ["a.ts"]],
  ["./*.ts", ".", ["a.ts"]],
  ["src/*.ts", ".", ["src/a.ts"]],
  ["src/**/*.ts", ".", ["src/a.ts", "src/deep/b.test.ts"]],
  ["src/", ".", ["src/a.ts", "src/deep/b.test.ts", "src/deep/c.js"]],
  ["*.{js,yml}", ".", ["b.js", "src/deep/c.js", ".github/x.yml"]],
  ["{src,.github}/{a,x}.*", ".", ["src/a.ts", ".github/x.yml"]],
  ["!*.ts", ".", ["b.js", "src/deep/c.js", ".github/x.yml"]],
  ["deep/*", "src", ["src/deep/b.test.ts", "src/deep/c.js"]],
  ["src/deep/*", "src", ["src/deep/b.test.ts", "src/deep/c.js"]],
  ["{a}", ".", []],
];

Deno.test("Glob.matches() takes names, paths from the root and paths from the searched folder", () => {
  for (const [glob, base, files] of CASES) deepEqual(matching(glob, base), files, glob);
});

Deno.test("Glob refuses what stands for too much or nothing", () => {
  throws(() => new Glob("{a,b}".repeat(7), "."), GlobError);
  throws(() => new Glob("./", "."), GlobError);
  equal(new Glob("{a,b}".repeat(6), ".").matches({ name: "ababab", path: "ababab" }), true);
});
