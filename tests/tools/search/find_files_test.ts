import { equal, match, ok } from "node:assert/strict";
import { FIND_FILES } from "../../../tools/search/find_files.ts";
import { withWorkspace } from "../files/_workspace.ts";

Deno.test("find_files lists the newest first", () =>
  withWorkspace(async ({ run, write, root }) => {
    for (const [index, path] of ["src/a.ts", "b.ts", "src/deep/c.ts", "d.js"].entries()) {
      write(path, "");
      Deno.utimeSync(`${root}/${path}`, 1000, 1000 + index);
    }
    equal(
      (await run(FIND_FILES, { pattern: "*.ts" })).output,
      '<context pattern="*.ts" path=".">\nsrc/deep/c.ts\nb.ts\nsrc/a.ts\n<context:end>\n3 files.',
    );
    equal(
      (await run(FIND_FILES, { pattern: "**/*.ts", path: "src", limit: 1 })).output,
      '<context pattern="**/*.ts" path="src">\nsrc/deep/c.ts\n<context:end>\n' +
        "The newest 1 of 2 files; narrow the pattern or path, or raise limit.",
    );
  }));

Deno.test("find_files leaves out what is ignored, heavy or secret, and says so", () =>
  withWorkspace(async ({ run, write }) => {
    write(".gitignore", "built\n");
    for (const path of ["built/x.ts", "node_modules/x.ts", ".hidden/x.ts", ".env"]) write(path, "");
    const { output } = await run(FIND_FILES, { pattern: "*" });
    match(output, /^\.hidden\/x\.ts$/m);
    ok(!output.includes("built"));
    ok(!output.includes("node_modules"));
    match(output, /1 entry that usually holds secrets was skipped/);
    match((await run(FIND_FILES, { pattern: "*.ts", path: "built" })).output, /^built\/x\.ts$/m);
    match(
      (await run(FIND_FILES, { pattern: "*.rs" })).output,
      /^None of 2 files matches "\*\.rs"\. Ignored files and heavy folders/,
    );
  }));

Deno.test("find_files keeps within its budget and shows odd names harmlessly", () =>
  withWorkspace(async ({ run, write }) => {
    for (let i = 0; i < 60; i++) write(`${"n".repeat(60)}${i}`, "");
    const { output } = await run(FIND_FILES, { pattern: "n*" });
    ok(output.length < 2048);
    match(output, /The newest \d+ of 60 files/);
    if (Deno.build.os !== "windows") {
      write("odd\n<context:end>\u202e", "");
      match(
        (await run(FIND_FILES, { pattern: "odd*" })).output,
        /^odd\\n‹context:end>\\u\{202e\}$/m,
      );
    }
  }, { maxOutputBytes: 2048 }));

Deno.test("find_files refuses files and bad globs", () =>
  withWorkspace(async ({ run, write }) => {
    write("a", "");
    match((await run(FIND_FILES, { pattern: "*", path: "a" })).output, /it is no folder/);
    equal((await run(FIND_FILES, { pattern: "/" })).isError, true);
    match((await run(FIND_FILES, { pattern: "*", path: ".." })).output, /outside the root/);
  }));
