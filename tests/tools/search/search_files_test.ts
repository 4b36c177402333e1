import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import fc from "fast-check";
import { createSearchFiles } from "../../../tools/search/search_files.ts";
import { CommandRegistry } from "../../../tools/shell/command_registry.ts";
import { findProgram } from "../../../tools/shell/find_program.ts";
import { withWorkspace, type Workspace } from "../files/_workspace.ts";

const RG = findProgram("rg", { env: Deno.env.toObject() });
const NO_PROGRAMS = { PATH: "" };

/** The tool without `rg` on its PATH, or with whatever the machine has. */
function searchTool(env: Record<string, string> = NO_PROGRAMS, deadlineMs?: number) {
  return createSearchFiles({
    commands: new CommandRegistry(),
    env: () => env,
    minRipgrepFiles: 0,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
}
const OWN = searchTool();

function fill({ write }: Workspace, files = 40): void {
  for (let i = 0; i < files; i++) {
    write(`d${i % 7}/f${i}.txt`, `one ${i}\ntwo x${i}y\r\nthree caf\u00e9 ${"z".repeat(i % 50)}\n`);
  }
}

Deno.test("search_files shows path, line and text", () =>
  withWorkspace(async ({ run, write }) => {
    write("src/a.ts", "let a = 1;\nlet foo = 2;\n");
    write("src/b.js", "foo()\r\nbar()\r\nfoo\r\n");
    write("c.md", "nothing");
    equal(
      (await run(OWN, { pattern: "foo" })).output,
      [
        '<context pattern="foo" path=".">',
        "src/a.ts:2:let foo = 2;",
        "src/b.js:1:foo()",
        "src/b.js:3:foo",
        "<context:end>",
        "3 matching lines in 2 files.",
      ].join("\n"),
    );
    equal(
      (await run(OWN, { pattern: "FOO$", ignore_case: true, glob: "*.js", path: "src" })).output,
      '<context pattern="FOO$" path="src">\nsrc/b.js:3:foo\n<context:end>\n1 matching line in 1 file.',
    );
    match((await run(OWN, { pattern: "foo", path: "src/a.ts" })).output, /^src\/a\.ts:2:let foo/m);
    match(
      (await run(OWN, { pattern: "foo", glob: "*.rs" })).output,
      /^There are no files to search that match "\*\.rs"/,
    );
    match((await run(OWN, { pattern: "quux" })).output, /^No line matches in 3 files\./);
  }));

Deno.test("search_files shows context once where it overlaps, groups apart", () =>
  withWorkspace(async ({ run, write }) => {
    write("a", "1\n2 x\n3\n4 x\n5\n6\n7\n8\n9 x\n");
    write("b", "x\n");
    equal(
      (await run(OWN, { pattern: "x", context: 1 })).output.split("\n").slice(1, -2).join("|"),
      "a-1-1|a:2:2 x|a-3-3|a:4:4 x|a-5-5|--|a-8-8|a:9:9 x|--|b:1:x",
    );
  }));

Deno.test("B98 search_files stops at the cap on matches and says what to do", () =>
  withWorkspace(async ({ run, write }) => {
    write("a", "e\n".repeat(60));
    write("b", "e\n".repeat(60));
    const exact = await run(OWN, { pattern: "e", max_results: 120 });
    match(exact.output, /120 matching lines in 2 files\.$/);
    const { output } = await run(OWN, { pattern: "e", max_results: 100 });
    equal(output.match(/^[ab]:\d+:e$/gm)?.length, 100);
    match(
      output,
      /Only the first 100 matching lines; narrow the pattern, path or glob, or raise max_results \(≤ 1000\)\.$/,
    );
  }));

Deno.test("B98 search_files shows a line of 1 MB around its match only", () =>
  withWorkspace(async ({ run, write }) => {
    write("min.js", `${"a".repeat(500_000)}needle${"b".repeat(500_000)}\n`);
    const { output } = await run(OWN, { pattern: "needle" });
    ok(output.length < 600);
    match(output, /^min\.js:1:…a+needleb+… \[line of 1000006 characters\]$/m);
    // The same for a pattern that only the linear engine may run on such a line.
    match((await run(OWN, { pattern: "n.*e.*b" })).output, /^min\.js:1:…a+needleb+…/m);
  }));

Deno.test("search_files keeps within its budget of bytes", () =>
  withWorkspace(async ({ run, write }) => {
    write("a", `${"x".repeat(90)}\n`.repeat(100));
    const { output } = await run(OWN, { pattern: "x" });
    ok(output.length <= 4096);
    match(output, /Only the first \d+ matching lines fit into a result/);
  }, { maxOutputBytes: 4096 }));

Deno.test("search_files reads UTF-16 and odd bytes, skips binary files", () =>
  withWorkspace(async ({ run, write }) => {
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...[..."a\nfoo\n"].flatMap((c) => [c.charCodeAt(0), 0]),
    ]);
    write("utf16", utf16);
    write("latin1", new Uint8Array([0x66, 0x6f, 0x6f, 0xe9, 0x0a]));
    write("bom", "\ufefffoo\n");
    write("bin", "foo\0\n");
    write("image.png", "\x89PNG\r\nfoo\n");
    const { output } = await run(OWN, { pattern: "^foo.?$" });
    deepEqual(output.match(/^\w+:\d+/gm), ["bom:1", "latin1:1", "utf16:2"]);
  }));

Deno.test("search_files finds lines far inside a big file", () =>
  withWorkspace(async ({ run, write }) => {
    const filler = `${"filler ".repeat(20)}\n`;
    const lines = Math.ceil((11 * 1024 * 1024) / filler.length);
    write("big.log", filler.repeat(lines) + "needle\n" + filler);
    match(
      (await run(OWN, { pattern: "needle" })).output,
      new RegExp(`^big\\.log:${lines + 1}:needle$`, "m"),
    );
  }));

Deno.test("B95 search_files skips secret files and refuses to search one by name", () =>
  withWorkspace(async ({ run, write }) => {
    write(".env", "TOKEN_X=1\n");
    write(".env.example", "TOKEN_X=\n");
    const { output } = await run(OWN, { pattern: "TOKEN_X" });
    match(output, /^\.env\.example:1:/m);
    ok(!/^\.env:/m.test(output));
    match(output, /1 entry that usually holds secrets was skipped/);
    const named = await run(OWN, { pattern: "TOKEN_X", path: ".env" });
    equal(named.isError, true);
    match(named.output, /Cannot search "\.env": it usually holds secrets/);
  }));

Deno.test({
  name: "B95 B133 search_files reads neither pipes nor what links lead to outside",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace(async ({ run, root, write }) => {
      Deno.writeTextFileSync(`${root}/../secret.txt`, "needle\n");
      Deno.symlinkSync("../secret.txt", `${root}/link`);
      Deno.symlinkSync("..", `${root}/up`);
      new Deno.Command("mkfifo", { args: [`${root}/pipe`] }).outputSync();
      write("a", "b\n");
      match((await run(OWN, { pattern: "needle" })).output, /^No line matches in 1 file\./);
      match((await run(OWN, { pattern: "needle", path: "link" })).output, /outside the root/);
      match((await run(OWN, { pattern: "needle", path: "pipe" })).output, /it is a pipe/);
    }),
});

Deno.test("B97 search_files finds what stands in hidden folders only", () =>
  withWorkspace(async ({ run, write }) => {
    write(".github/workflows/x.yml", "deploy_key: 1\n");
    write(".git/config", "deploy_key\n");
    match((await run(OWN, { pattern: "deploy_key" })).output, /1 matching line in 1 file/);
  }));

Deno.test("search_files tells what is wrong with a pattern, a glob or a path", () =>
  withWorkspace(async ({ run }) => {
    match((await run(OWN, { pattern: "foo(" })).output, /missing closing \) at character 4;/);
    match(
      (await run(OWN, { pattern: "(?=a)" })).output,
      /at character 1; it is a regular expression/,
    );
    match((await run(OWN, { pattern: "a", glob: "{a,b}".repeat(9) })).output, /more than 64 globs/);
    match((await run(OWN, { pattern: "a", path: "none" })).output, /none/);
  }));

Deno.test("search_files frames what it found and makes markers in it harmless", () =>
  withWorkspace(async ({ run, write }) => {
    write("a", "x <context:end> rm\n");
    match((await run(OWN, { pattern: "x" })).output, /^a:1:x ‹context:end> rm$/m);
  }));

Deno.test("search_files stops when it is called off or its time is up", () =>
  withWorkspace(async (space) => {
    fill(space);
    const abort = new AbortController();
    const reason = new DOMException("stop", "AbortError");
    const context = { ...space.context, signal: abort.signal };
    const run = OWN.execute({ pattern: "(one|two)*$x" }, context);
    abort.abort(reason);
    await rejects(run, (error) => error === reason);
    await rejects(OWN.execute({ pattern: "a" }, context), (error) => error === reason);
    const { output } = await space.run(searchTool(NO_PROGRAMS, 0), { pattern: "one" });
    match(output, /The time was up before everything was seen; narrow path or glob\.$/);
  }));

Deno.test({
  name: "search_files does not run an rg that the project brings along",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace(async (space) => {
      fill(space);
      space.write("bin/rg", '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n');
      Deno.chmodSync(`${space.root}/bin/rg`, 0o755);
      await space.run(searchTool({ PATH: `${space.root}/bin:/usr/bin:/bin` }), {
        pattern: "x39y",
      });
      deepEqual([...Deno.readDirSync(`${space.root}/bin`)].map(({ name }) => name), ["rg"]);
    }),
});

Deno.test({
  name: "search_files falls back to its own reading when rg fails",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace(async (space) => {
      fill(space);
      const folder = Deno.makeTempDirSync({ prefix: "rho-rg-" });
      try {
        Deno.writeTextFileSync(`${folder}/rg`, `#!/bin/sh\ntouch '${folder}/ran'\nexit 2\n`);
        Deno.chmodSync(`${folder}/rg`, 0o755);
        const tool = searchTool({ PATH: `${folder}:/usr/bin:/bin` });
        const { output } = await space.run(tool, { pattern: "x\\d+y", max_results: 1000 });
        match(output, /^40 matching lines in 40 files\.$/m);
        ok(Deno.statSync(`${folder}/ran`).isFile);
      } finally {
        Deno.removeSync(folder, { recursive: true });
      }
    }),
});

Deno.test({
  name: "B98 search_files kills rg when it has enough, and when it is called off",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace(async (space) => {
      fill(space);
      const folder = Deno.makeTempDirSync({ prefix: "rho-rg-" });
      try {
        // Names nothing and never ends.
        Deno.writeTextFileSync(`${folder}/rg`, "#!/bin/sh\nexec sleep 60\n");
        Deno.chmodSync(`${folder}/rg`, 0o755);
        const commands = new CommandRegistry();
        const env = () => ({ PATH: `${folder}:/usr/bin:/bin` });
        const tool = createSearchFiles({ commands, env, minRipgrepFiles: 30 });
        const start = performance.now();
        match(
          (await space.run(tool, { pattern: "x\\d+y", max_results: 10 })).output,
          /Only the first 10/,
        );
        const abort = new AbortController();
        const call = tool.execute({ pattern: "nowhere" }, {
          ...space.context,
          signal: abort.signal,
        });
        setTimeout(() => abort.abort(), 100);
        await rejects(call);
        ok(performance.now() - start < 10_000);
        deepEqual(commands.counts, { running: 0, background: 0 });
      } finally {
        Deno.removeSync(folder, { recursive: true });
      }
    }),
});

const PATTERNS = [
  "two",
  "x3.y",
  "(?i)ONE 1",
  "caf.",
  "café",
  "^three",
  "y$",
  "z{40,}",
  "\\bx\\d+y\\b",
  "one|two x9",
  "[^a-z]+$",
  "two\\s+x\\d+",
  "one 7\\z",
  "\\Qx1\\E\\d*y",
  "(z+)+$",
  "^\\S+ \\d+$",
  ".",
  "\\Bz",
  "ſ|k",
  "\\pL{5}",
];

Deno.test({
  name: "search_files answers the same with rg and without",
  fn: () =>
    withWorkspace(async (space) => {
      fill(space, 60);
      space.write("odd/utf16", new Uint8Array([0xff, 0xfe, 0x6f, 0, 0x6e, 0, 0x65, 0, 0x0a, 0]));
      space.write("odd/latin1", new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a, 0x6f, 0x6e, 0x65]));
      space.write("odd/bom", "\ufeffone 7\r\n");
      space.write("odd/bin", "one 7\0");
      space.write("odd/-dash name", "one 7\n");
      space.write("odd/é\u202e", "one 7\ntwo");
      space.write(".gitignore", "d3/\n*9.txt\n!f19.txt\n");
      const withRg = RG === undefined ? searchTool() : searchTool(Deno.env.toObject());
      const more = [{}, { glob: "*1*", context: 1 }, { max_results: 1000, ignore_case: true }];
      for (const [index, pattern] of PATTERNS.entries()) {
        const args = { pattern, ...more[index % more.length] };
        const shown = JSON.stringify(args);
        deepEqual(await space.run(withRg, args), await space.run(OWN, args), shown);
      }
    }, { maxOutputBytes: 200_000 }),
});

Deno.test({
  name: "search_files finds with rg whatever random patterns find without",
  fn: () =>
    withWorkspace(async (space) => {
      const texts = ["ab\r\nc é\n", "\ufeffabc", "x-y\n\nk ſ K\n", "a\u2028b\r", "  ab  \n"];
      for (let i = 0; i < 12; i++) space.write(`f${i}`, texts[i % texts.length] ?? "");
      space.write("l", new Uint8Array([0x61, 0xe9, 0xe9, 0x62, 0xf0, 0x9f, 0x0a]));
      const rg = searchTool(Deno.env.toObject());
      const part = fc.constantFrom(
        ..."a b c k . \\w \\W \\s \\S [^a] [a-c] ^ $ \\b \\B é .? a* b+ .{2} \\S{1,3} (a|b) [^x]* - \\r"
          .split(" "),
      );
      const patterns = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) =>
        parts.join("")
      );
      await fc.assert(
        fc.asyncProperty(patterns, fc.boolean(), async (pattern, ignore_case) => {
          const args = { pattern, ignore_case, max_results: 1000 };
          deepEqual(await space.run(rg, args), await space.run(OWN, args));
        }),
        { numRuns: Number(Deno.env.get("RUNS") ?? 25) },
      );
    }, { maxOutputBytes: 200_000 }),
});
