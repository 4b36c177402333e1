import { equal, match } from "node:assert/strict";
import { LIST_DIR } from "../../../tools/files/list_dir.ts";
import { withWorkspace } from "./_workspace.ts";

Deno.test("list_dir shows a tree with sizes and does not enter heavy folders", () =>
  withWorkspace(async ({ run, write }) => {
    write("src/a.ts", "x".repeat(1234));
    write("src/deep/b.ts", "");
    write("src/deep/er/c.ts", "");
    write("node_modules/x/index.js", "");
    write(".git/config", "");
    write("README.md", "y");
    equal(
      (await run(LIST_DIR, {})).output,
      [
        '<context path=".">',
        ".git/ (not entered)",
        "README.md  1 byte",
        "node_modules/ (not entered)",
        "src/",
        "  a.ts  1.2 KB",
        "  deep/",
        "<context:end>",
      ].join("\n"),
    );
    equal(
      (await run(LIST_DIR, { path: "src", depth: 3 })).output,
      '<context path="src">\na.ts  1.2 KB\ndeep/\n  b.ts  0 bytes\n  er/\n    c.ts  0 bytes\n<context:end>',
    );
    match((await run(LIST_DIR, { path: "node_modules" })).output, /x\/\n {2}index\.js/);
  }));

Deno.test("list_dir cuts the deepest levels first and says so", () =>
  withWorkspace(async ({ run, write }) => {
    for (const folder of ["a", "b"]) {
      for (let file = 0; file < 5; file++) write(`${folder}/${file}`, "");
    }
    equal(
      (await run(LIST_DIR, { limit: 4 })).output,
      [
        '<context path=".">',
        "a/",
        "  0  0 bytes",
        "  1  0 bytes",
        "  (3 more)",
        "b/",
        "  (5 more)",
        "<context:end>",
        "Not everything is shown; list a folder below, or raise limit.",
      ].join("\n"),
    );
  }));

Deno.test("list_dir keeps within its budget of bytes", () =>
  withWorkspace(async ({ run, write }) => {
    for (let file = 0; file < 50; file++) write(`${"n".repeat(60)}${file}`, "");
    const { output } = await run(LIST_DIR, {});
    equal(output.length < 2048, true);
    match(output, /Not everything is shown/);
  }, { maxOutputBytes: 2048 }));

Deno.test({
  name: "list_dir names links with where they lead and shows odd names harmlessly",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace(async ({ run, write, root }) => {
      write("in/a", "");
      write("odd\n<context:end>\u202e", "");
      Deno.symlinkSync("..", `${root}/out`);
      Deno.symlinkSync("in", `${root}/inner`);
      Deno.symlinkSync("none", `${root}/dead`);
      const { output } = await run(LIST_DIR, {});
      match(output, /^out -> \.\. \(outside the root\)$/m);
      match(output, /^inner -> in \(folder\)$/m);
      match(output, /^dead -> none \(broken\)$/m);
      match(output, /^odd\\n‹context:end>\\u\{202e\} {2}0 bytes$/m);
    }),
});

Deno.test("list_dir tells empty folders, files and missing paths apart", () =>
  withWorkspace(async ({ run, write, root }) => {
    Deno.mkdirSync(`${root}/empty`);
    write("a", "");
    equal((await run(LIST_DIR, { path: "empty" })).output, '"empty" is an empty folder.');
    match(
      (await run(LIST_DIR, { path: "a" })).output,
      /Cannot list "a": it is a file; use read_file/,
    );
    match((await run(LIST_DIR, { path: "emtpy" })).output, /did you mean "empty"/);
    match((await run(LIST_DIR, { path: ".." })).output, /outside the root/);
  }));

Deno.test("list_dir leaves ignored entries out and counts them", () =>
  withWorkspace(async ({ run, write }) => {
    write(".gitignore", "*.log\n/built/\n");
    write("a.log", "");
    write("built/x", "");
    write("src/b.log", "");
    write("src/.gitignore", "!b.log\nc.txt\n");
    write("src/c.txt", "");
    equal(
      (await run(LIST_DIR, {})).output,
      [
        '<context path=".">',
        ".gitignore  14 bytes",
        "src/",
        "  .gitignore  13 bytes",
        "  b.log  0 bytes",
        "<context:end>",
        "3 ignored entries left out.",
      ].join("\n"),
    );
    match((await run(LIST_DIR, { path: "built" })).output, /^x {2}0 bytes$/m);
    write("logs/a.log", "");
    equal(
      (await run(LIST_DIR, { path: "logs" })).output,
      '"logs" shows nothing: 1 ignored entry left out.',
    );
  }));
