import assert from "node:assert/strict";
import type { FileTracker } from "../../../sessions/file_tracker.ts";
import { EDIT_FILE, type EditFileArgs } from "../../../tools/files/edit_file.ts";
import { READ_FILE } from "../../../tools/files/read_file.ts";
import { WRITE_FILE } from "../../../tools/files/write_file.ts";
import { withWorkspace } from "./_workspace.ts";

const CODE = "export function a(): number {\n  return 1;\n}\n";

Deno.test("edit_file refuses an edit that breaks the syntax, and writes it when told to", async () => {
  await withWorkspace(async ({ run, write, read }) => {
    write("a.ts", CODE);
    await run(READ_FILE, { path: "a.ts" });
    const args: EditFileArgs = {
      path: "a.ts",
      edits: [{ old_text: "  return 1;\n}", new_text: "  return (1;\n}" }],
    };
    const refused = await run(EDIT_FILE, args);
    assert.equal(refused.isError, true);
    assert.match(
      refused.output,
      /^Nothing was written to "a\.ts": the edits would add a syntax error at line 2, column \d+, in /,
    );
    assert.match(refused.output, /allow_syntax_errors: true/);
    assert.equal(read("a.ts"), CODE);
    const written = await run(EDIT_FILE, { ...args, allow_syntax_errors: true });
    assert.equal(written.isError, false);
    assert.match(written.output, /Note: it now has a syntax error at line 2/);
    assert.equal(read("a.ts"), CODE.replace("1;", "(1;"));
  });
});

Deno.test("edit_file lets a broken file be repaired, not broken further", async () => {
  await withWorkspace(async ({ run, write, read }) => {
    const broken = `let x = (1;\n${CODE}`;
    write("a.ts", broken);
    await run(READ_FILE, { path: "a.ts" });
    const worse = await run(EDIT_FILE, {
      path: "a.ts",
      edits: [{ old_text: "return 1;", new_text: "return [1;" }],
    });
    assert.match(worse.output, /the file has 1 syntax error already and may not get more/);
    assert.equal(read("a.ts"), broken);
    const better = await run(EDIT_FILE, {
      path: "a.ts",
      edits: [{ old_text: "(1;", new_text: "(1);" }],
    });
    assert.equal(better.isError, false);
    assert.doesNotMatch(better.output, /syntax/);
  });
});

Deno.test("edit_file warns when an edit cuts a node in two", async () => {
  await withWorkspace(async ({ run, write, tracker }) => {
    write("a.ts", CODE);
    await run(READ_FILE, { path: "a.ts" });
    const result = await run(EDIT_FILE, {
      path: "a.ts",
      edits: [{
        old_text: "export function a(): number {\n",
        new_text: "export function b(): number {\n",
      }],
    });
    assert.equal(result.isError, false);
    assert.match(result.output, /Note: edit 1 ends inside statement_block \(lines 1-3\)\./);
    assert(tracker satisfies FileTracker);
  });
});

Deno.test("write_file tells of syntax errors and writes all the same", async () => {
  await withWorkspace(async ({ run, read }) => {
    const result = await run(WRITE_FILE, { path: "a.py", content: "def f(:\n  pass\n" });
    assert.equal(result.isError, false);
    assert.match(result.output, /\nNote: it has a syntax error at line 1, column \d+, in /);
    assert.equal(read("a.py"), "def f(:\n  pass\n");
    assert.doesNotMatch(
      (await run(WRITE_FILE, { path: "b.py", content: "def f():\n  pass\n" })).output,
      /Note/,
    );
  });
});
