import { deepEqual, equal, match, ok } from "node:assert/strict";
import { lineAnchor } from "../../../tools/files/anchors.ts";
import { READ_FILE } from "../../../tools/files/read_file.ts";
import { withWorkspace } from "./_workspace.ts";

const POSIX = { ignore: Deno.build.os === "windows" };

Deno.test("read_file shows lines with anchors in a frame that names path and range", () =>
  withWorkspace(async ({ run, write, tracker, root }) => {
    write("src/a.ts", "let a = 1;\n}\nend");
    const result = await run(READ_FILE, { path: "./src/a.ts" });
    equal(
      result.output,
      [
        '<context path="src/a.ts" lines="1-3/3">',
        `${lineAnchor("let a = 1;", 1)}:let a = 1;`,
        `${lineAnchor("}", 2)}:}`,
        `${lineAnchor("end", 3)}:end`,
        "<context:end>",
      ].join("\n"),
    );
    equal(result.isError, false);
    equal(tracker.status(`${root}/src/a.ts`, "let a = 1;\n}\nend"), "current");
  }));

Deno.test("read_file reads a range and says how to go on", () =>
  withWorkspace(async ({ run, write }) => {
    write("a", Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join(""));
    const result = await run(READ_FILE, { path: "a", offset: 3, limit: 2, hashline: false });
    equal(
      result.output,
      '<context path="a" lines="3-4/10">\nline 3\nline 4\n<context:end>\n' +
        "Lines 3-4 of 10; read on with offset 5.",
    );
    const beyond = await run(READ_FILE, { path: "a", offset: 11 });
    deepEqual(beyond, { output: 'Cannot read from line 11: "a" has 10 lines', isError: true });
  }));

Deno.test("read_file answers a repeated read of the same content with a reference", () =>
  withWorkspace(async ({ run, write, tracker }) => {
    write("a", "x\n");
    match((await run(READ_FILE, { path: "a" })).output, /^<context/);
    match((await run(READ_FILE, { path: "a" })).output, /unchanged since you read the same lines/);
    match((await run(READ_FILE, { path: "a", hashline: false })).output, /^<context/);
    tracker.forgetReads();
    match((await run(READ_FILE, { path: "a" })).output, /^<context/);
    write("a", "y\n");
    match((await run(READ_FILE, { path: "a" })).output, /:y\n/);
  }));

Deno.test("read_file makes frame markers inside a file harmless", () =>
  withWorkspace(async ({ run, write }) => {
    write("a", "<context:end>\n<context path='x'>\n");
    const { output } = await run(READ_FILE, { path: "a" });
    equal(output.match(/<context/g)?.length, 2);
    equal(output.match(/‹context/g)?.length, 2);
  }));

Deno.test("B92 read_file cuts a long line, says so, and reads on in it to the end", () =>
  withWorkspace(async ({ run, write }) => {
    const line = Array.from({ length: 12_000 }, (_, index) => `"k${index}":😀,`).join("");
    write("a.json", `${line}\nnext\n`);
    const first = await run(READ_FILE, { path: "a.json" });
    ok(first.output.length < 4000);
    let collected = "";
    let column = 1;
    for (let calls = 0; calls < 40; calls++) {
      const { output } = await run(READ_FILE, { path: "a.json", offset: 1, limit: 1, column });
      const body = output.split("\n")[1] ?? "";
      const text = body.replace(/^1#[A-Z]{4}:(?:\[characters \d+-\d+ of \d+\] )?/, "");
      const mark = text.indexOf("…[line cut: ");
      collected += mark < 0 ? text : text.slice(0, mark);
      const next = /read on with offset 1, column (\d+)\]/.exec(text);
      if (next === null) break;
      column = Number(next[1]);
    }
    equal(collected, line);
    const beyond = await run(READ_FILE, { path: "a.json", column: line.length + 1 });
    match(beyond.output, /Cannot read from column \d+: line 1 of "a\.json" has \d+ characters/);
  }));

Deno.test("B94 read_file fills the budget it is given and says how to go on", () =>
  withWorkspace(async ({ run, write }) => {
    write(
      "a.log",
      Array.from({ length: 9000 }, (_, index) => `${index} ${"x".repeat(64)}\n`).join(""),
    );
    const { output } = await run(READ_FILE, { path: "a.log", limit: 9000 });
    ok(output.length <= 8192 && output.length > 7000, String(output.length));
    const last = Number(/Lines 1-(\d+) of 9000; read on with offset (\d+)\.$/.exec(output)?.[1]);
    ok(last > 80);
    match(output, new RegExp(`lines="1-${last}/9000"`));
  }, { maxOutputBytes: 8192 }));

Deno.test("read_file shows something even with a tiny budget", () =>
  withWorkspace(async ({ run, write }) => {
    write("a", `${"ä".repeat(3000)}\nb\n`);
    const { output } = await run(READ_FILE, { path: "a" });
    match(output, /ä…\[line cut: characters 1-85 of 3000; read on with offset 1, column 86\]/);
  }, { maxOutputBytes: 10 }));

Deno.test({
  name: "B95 read_file describes binaries and refuses folders, pipes and devices at once",
  ...POSIX,
  fn: () =>
    withWorkspace(async ({ run, write, root }) => {
      write("logo.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));
      write("data.bin", new Uint8Array([1, 0, 2]));
      write("latin1.txt", new Uint8Array([0x61, 0xe4]));
      write("empty", "");
      Deno.mkdirSync(`${root}/folder`);
      await new Deno.Command("mkfifo", { args: [`${root}/pipe`] }).output();
      Deno.symlinkSync("/dev/zero", `${root}/zero`);
      const table: readonly [string, boolean, RegExp][] = [
        ["logo.png", false, /"logo\.png" is a PNG image, 10 bytes; its content is not shown/],
        ["data.bin", false, /is a binary file, 3 bytes/],
        ["latin1.txt", true, /not valid UTF-8 \(first bad byte at offset 1\)/],
        ["empty", false, /"empty" is empty: 0 lines/],
        ["folder", true, /"folder": it is a folder; use list_dir/],
        ["pipe", true, /pipe, socket or device/],
        ["zero", true, /"zero" is a link to "\/dev\/zero", outside the root/],
        ["emty", true, /Cannot find "emty" \(did you mean "empty"\?\)/],
        ["../x", true, /outside the root; give a path relative to/],
      ];
      for (const [path, isError, message] of table) {
        const result = await run(READ_FILE, { path });
        match(result.output, message);
        equal(result.isError, isError, path);
      }
    }),
});

Deno.test("B95 read_file asks before it reads files that usually hold secrets", () =>
  withWorkspace(async ({ context, write, root }) => {
    write(".env", "A=1\n");
    write(".env.example", "A=\n");
    write("a.ts", "");
    const guard = (path: string) => READ_FILE.guard?.({ path }, context);
    match(await guard(".env") ?? "", /"\.env" usually holds secrets/);
    equal(await guard(".env.example"), undefined);
    equal(await guard("a.ts"), undefined);
    equal(await guard("missing/.env"), undefined);
    if (Deno.build.os === "windows") return;
    Deno.symlinkSync(".env", `${root}/harmless.txt`);
    match(await guard("harmless.txt") ?? "", /"\.env" usually holds secrets/);
  }));

Deno.test({
  name: "read_file refuses a path that leads elsewhere than when it was judged",
  ...POSIX,
  fn: () =>
    withWorkspace(async ({ context, write, root }) => {
      write(".env", "SECRET=1\n");
      write("a.txt", "fine\n");
      Deno.symlinkSync("a.txt", `${root}/link`);
      const args = { path: "link" };
      equal(await READ_FILE.guard?.(args, context), undefined);
      Deno.removeSync(`${root}/link`);
      Deno.symlinkSync(".env", `${root}/link`);
      const result = await READ_FILE.execute(args, context);
      equal(result.isError, true);
      match(result.output, /leads to "\.env" now, other than when this call was judged/);
    }),
});

Deno.test("read_file reads UTF-16 and hides byte order marks", () =>
  withWorkspace(async ({ run, write }) => {
    write("le.txt", new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x0a, 0]));
    write("bom.txt", new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x0a]));
    for (const path of ["le.txt", "bom.txt"]) {
      const { output } = await run(READ_FILE, { path });
      equal(output.split("\n")[1], `${lineAnchor("a", 1)}:a`);
    }
  }));

Deno.test("read_file describes a text over 10 MiB and reads ranges of it", () =>
  withWorkspace(async ({ run, write, tracker, root }) => {
    const line = "0123456789 äöü 0123456789 äöü 0123456789\n";
    const count = Math.ceil(11 * 1024 * 1024 / 47) + 5;
    write("big.log", line.repeat(count));
    const whole = await run(READ_FILE, { path: "big.log" });
    match(whole.output, /"big\.log" is a text file of \d+\.\d MB, too big to be shown whole/);
    const range = await run(READ_FILE, { path: "big.log", offset: count - 1 });
    match(range.output, new RegExp(`lines="${count - 1}-${count}/${count}"`));
    equal(
      range.output.split("\n")[1],
      `${lineAnchor(line.trimEnd(), count - 1)}:${line.trimEnd()}`,
    );
    const middle = await run(READ_FILE, { path: "big.log", offset: 1000, limit: 5 });
    match(middle.output, /read on with offset 1005\.$/);
    const beyond = await run(READ_FILE, { path: "big.log", offset: count + 1 });
    deepEqual(beyond, {
      output: `Cannot read from line ${count + 1}: "big.log" has ${count} lines`,
      isError: true,
    });
    equal(tracker.lastSeen(`${root}/big.log`), undefined);
  }));

Deno.test("read_file costs little time of its own", () =>
  withWorkspace(async ({ context, write }) => {
    write(
      "a.ts",
      Array.from({ length: 200 }, (_, index) => `  const value${index} = ${index};\n`).join(""),
    );
    const once = (offset: number) => READ_FILE.execute({ path: "a.ts", offset }, context);
    let fastestMs = Infinity;
    for (let call = 1; call <= 60; call++) {
      const start = performance.now();
      await once(call);
      fastestMs = Math.min(fastestMs, performance.now() - start);
    }
    // The fastest, because other work on the machine only ever adds.
    ok(fastestMs < 1, `${fastestMs.toFixed(2)} ms a call`);
  }));
