import { equal, match, ok } from "node:assert/strict";
import { BATCH_READ } from "../../../tools/files/batch_read.ts";
import { READ_FILE } from "../../../tools/files/read_file.ts";
import { withWorkspace } from "./_workspace.ts";

Deno.test("batch_read labels each result and shows it as read_file does", () =>
  withWorkspace(async ({ run, write, tracker, root }) => {
    write("a.ts", "let a;\n");
    write("b.ts", "let b;\n");
    const { output, isError } = await run(BATCH_READ, { paths: ["b.ts", "none.ts", "a.ts"] });
    equal(isError, false);
    match(
      output,
      /^\[1\/3\] b\.ts\n<context path="b\.ts" lines="1-1\/1">\n1#[A-Z]{4}:let b;\n<context:end>\n\[2\/3\] none\.ts\n.*none\.ts.*\n\[3\/3\] a\.ts\n<context/s,
    );
    equal(tracker.status(`${root}/a.ts`, "let a;\n"), "current");
    match((await run(READ_FILE, { path: "a.ts" })).output, /is unchanged since you read/);
  }));

Deno.test("batch_read gives big files what small ones leave over", () =>
  withWorkspace(async ({ run, write }) => {
    const big = `${"x".repeat(70)}\n`.repeat(2000);
    write("big", big);
    write("small", "s\n");
    const { output } = await run(BATCH_READ, { paths: ["big", "small"] });
    ok(output.length <= 16_384);
    ok(output.length > 14_000);
    match(output, /Lines 1-\d+ of 2000; read on with offset \d+/);
    match(output, /\[2\/2\] small\n<context path="small" lines="1-1\/1">/);
  }, { maxOutputBytes: 16_384 }));

Deno.test("batch_read says which files had no room", () =>
  withWorkspace(async ({ run, write }) => {
    const paths = Array.from({ length: 20 }, (_, i) => `f${i}`);
    for (const path of paths) write(path, "y\n".repeat(500));
    const { output } = await run(BATCH_READ, { paths });
    ok(output.length < 12_000);
    match(output, /Not read: no room is left in this result; read it with read_file/);
  }, { maxOutputBytes: 8192 }));

Deno.test("B95 batch_read asks before it reads a secret file", () =>
  withWorkspace(async ({ write, context }) => {
    write(".env", "A=1");
    write("a", "1");
    match(
      await BATCH_READ.guard?.({ paths: ["a", ".env"] }, context) ?? "",
      /"\.env" usually holds secrets/,
    );
    equal(await BATCH_READ.guard?.({ paths: ["a"] }, context), undefined);
  }));

Deno.test({
  name: "batch_read does not read what has become another file since it was judged",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace(async ({ write, context, root }) => {
      write("a", "harmless");
      write(".env", "A=secret");
      const args = { paths: ["a"] };
      await BATCH_READ.guard?.(args, context);
      Deno.removeSync(`${root}/a`);
      Deno.symlinkSync(".env", `${root}/a`);
      const { output, isError } = await BATCH_READ.execute(args, context);
      equal(isError, true);
      ok(!output.includes("secret"));
    }),
});
