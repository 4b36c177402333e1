import { deepEqual, equal, match, ok } from "node:assert/strict";
import { READ_FILE } from "../../../tools/files/read_file.ts";
import { WRITE_FILE } from "../../../tools/files/write_file.ts";
import { withWorkspace } from "./_workspace.ts";

const POSIX = { ignore: Deno.build.os === "windows" };

Deno.test("write_file creates a file with its folders and tells what it was", () =>
  withWorkspace(async ({ run, read, tracker, root, names }) => {
    const result = await run(WRITE_FILE, { path: "x/y/a.txt", content: "ä\nb\n" });
    deepEqual(result, {
      output: 'Created "x/y/a.txt": 2 lines, 5 bytes.',
      isError: false,
      details: { type: "FileChange", path: "x/y/a.txt", before: null, after: "ä\nb\n" },
    });
    equal(read("x/y/a.txt"), "ä\nb\n");
    equal(tracker.status(`${root}/x/y/a.txt`, "ä\nb\n"), "current");
    deepEqual(names(), ["x"]);
  }));

Deno.test("write_file overwrites only what was read and is still the same", () =>
  withWorkspace(async ({ run, write, read }) => {
    write("a", "one\n");
    const unread = await run(WRITE_FILE, { path: "a", content: "two\n" });
    match(
      unread.output,
      /Cannot overwrite "a": you have not read it; read it with read_file first/,
    );
    equal(read("a"), "one\n");
    await run(READ_FILE, { path: "a" });
    write("a", "one\nby somebody else\n");
    const changed = await run(WRITE_FILE, { path: "a", content: "two\n" });
    equal(changed.isError, true);
    match(
      changed.output,
      /changed since you last saw it; nothing was written[\s\S]*\+by somebody else/,
    );
    equal(read("a"), "one\nby somebody else\n");
    await run(READ_FILE, { path: "a" });
    const done = await run(WRITE_FILE, { path: "a", content: "two\n" });
    match(done.output, /^Overwrote "a": 1 line, 4 bytes\.$/);
    equal(read("a"), "two\n");
    match(
      (await run(WRITE_FILE, { path: "a", content: "two\n" })).output,
      /exactly this text already/,
    );
  }));

Deno.test("B77 write_file keeps byte order mark, encoding and uniform CRLF of what it overwrites", () =>
  withWorkspace(async ({ run, write, bytes }) => {
    write("bom.ps1", new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a]));
    write("wide.txt", new Uint8Array([0xfe, 0xff, 0, 0x61, 0, 0x0a]));
    await run(READ_FILE, { path: "bom.ps1" });
    await run(READ_FILE, { path: "wide.txt" });
    const one = await run(WRITE_FILE, { path: "bom.ps1", content: "b\nc\n" });
    match(one.output, /kept: byte order mark, CRLF line endings/);
    deepEqual(bytes("bom.ps1"), new Uint8Array([0xef, 0xbb, 0xbf, 0x62, 13, 10, 0x63, 13, 10]));
    await run(WRITE_FILE, { path: "wide.txt", content: "ü\n" });
    deepEqual(bytes("wide.txt"), new Uint8Array([0xfe, 0xff, 0, 0xfc, 0, 0x0a]));
  }));

Deno.test("B77 write_file can add a byte order mark, and the file still counts as seen", () =>
  withWorkspace(async ({ run, bytes }) => {
    await run(WRITE_FILE, { path: "a", content: "\ufeffa\n" });
    deepEqual(bytes("a"), new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 10]));
    match((await run(WRITE_FILE, { path: "a", content: "b\n" })).output, /^Overwrote "a".*mark\)/);
    deepEqual(bytes("a"), new Uint8Array([0xef, 0xbb, 0xbf, 0x62, 10]));
  }));

Deno.test("B151 write_file writes a token-like literal byte for byte", () =>
  withWorkspace(async ({ run, read }) => {
    const content = 'auth = f"Bearer {key}"\nKEY=sk-ant-api03-abcdef1234567890\n$& $1 $$ $`\n';
    await run(WRITE_FILE, { path: "a.py", content });
    equal(read("a.py"), content);
  }));

Deno.test("write_file refuses to put our own output over real content", () =>
  withWorkspace(async ({ run, write, read }) => {
    write("a", "key = real\n<context x>\n");
    await run(READ_FILE, { path: "a" });
    const table: readonly [string, RegExp][] = [
      ["key = [REDACTED]\n", /holds \[REDACTED\], a mask for a secret/],
      ["1#KTXJ:key = x\n", /starts lines with anchors/],
      ["‹context x>\n", /stands for "<context"/],
      ["abc…[line cut: characters 1-3 of 9; read on with offset 1, column 4]\n", /mark of a line/],
    ];
    for (const [content, message] of table) {
      const result = await run(WRITE_FILE, { path: "a", content });
      equal(result.isError, true);
      match(result.output, message);
    }
    equal(read("a"), "key = real\n<context x>\n");
    ok(!(await run(WRITE_FILE, { path: "new.md", content: "says [REDACTED]\n" })).isError);
  }));

Deno.test("B55 write_file replaces lone surrogates, which no file can hold", () =>
  withWorkspace(async ({ run, read, tracker, root }) => {
    await run(WRITE_FILE, { path: "a", content: "x\ud83dy\n" });
    equal(read("a"), "x\ufffdy\n");
    equal(tracker.status(`${root}/a`, "x\ufffdy\n"), "current");
  }));

Deno.test("write_file does not overwrite folders, binaries and what is outside", () =>
  withWorkspace(async ({ run, write, root }) => {
    Deno.mkdirSync(`${root}/folder`);
    write("bin", new Uint8Array([0, 1, 2]));
    for (
      const [path, message] of [
        ["folder", /it is a folder/],
        ["bin", /Cannot overwrite "bin": it is a binary file, not text/],
        ["../x", /outside the root/],
        ["bin/x", /"bin" is a file, not a folder/],
      ] as const
    ) {
      const result = await run(WRITE_FILE, { path, content: "x" });
      equal(result.isError, true);
      match(result.output, message);
    }
  }));

Deno.test({
  name: "B133 write_file never follows a link out of the root, dangling ones included",
  ...POSIX,
  fn: () =>
    withWorkspace(async ({ run, root }) => {
      Deno.symlinkSync("../not-yet.txt", `${root}/new`);
      Deno.symlinkSync("..", `${root}/d`);
      for (const path of ["new", "d/x.txt"]) {
        const result = await run(WRITE_FILE, { path, content: "x" });
        equal(result.isError, true);
        match(result.output, /is a link to/);
      }
      deepEqual([...Deno.readDirSync(`${root}/..`)].map(({ name }) => name), ["root"]);
    }),
});

Deno.test("write_file asks before it writes protected and secret files", () =>
  withWorkspace(async ({ context, write }) => {
    write(".env", "A=1\n");
    const guard = (path: string) => WRITE_FILE.guard?.({ path, content: "" }, context);
    for (const path of [".git/config", ".rho/config.toml", ".rho/extensions/x.ts"]) {
      match(await guard(path) ?? "", /needs a person's approval/);
    }
    match(await guard(".env") ?? "", /usually holds secrets/);
    equal(await guard(".env.local"), undefined);
    equal(await guard("a.ts"), undefined);
    equal(await guard("../x"), undefined);
  }));

Deno.test("write_file previews a diff and changes nothing", () =>
  withWorkspace(async ({ context, write, read, names }) => {
    write("a", "one\n");
    const preview = await WRITE_FILE.preview?.({ path: "a", content: "two\n\u202e" }, context);
    equal(
      preview?.text,
      "--- a/a\n+++ b/a\n@@ -1,1 +1,2 @@\n-one\n+two\n+\\u{202e}\n\\ No newline at end of file\n",
    );
    await WRITE_FILE.preview?.({ path: "b", content: "new\n" }, context);
    equal(read("a"), "one\n");
    deepEqual(names(), ["a"]);
  }));
