import assert from "node:assert/strict";
import fc from "fast-check";
import { outlineResult, outlineText } from "../../../sessions/context/outline/outline_result.ts";
import { shrinkCall } from "../../../sessions/context/shrink_arguments.ts";
import { fileText } from "./_sessions.ts";

function outline(
  name: string,
  args: Readonly<Record<string, unknown>>,
  content: string,
  isError = false,
) {
  return outlineResult({ name, args, content, isError });
}

Deno.test("outlineResult() keeps path, range and symbol names of read_file", () => {
  const rows = [
    "export class Parser {",
    "  parse(): void {}",
    "}",
    "function helper() {}",
    "export const LIMIT = 3;",
    ...Array.from({ length: 60 }, (_, i) => `// comment ${i}`),
  ].map((row, index) => `${index + 10}#QVKT:${row}`);
  const content = `<context path="src/p.ts" lines="10-74/300">\n${rows.join("\n")}\n<context:end>`;
  const { outline: text, summary } = outline("read_file", { path: "src/p.ts" }, content);
  assert.match(text, /src\/p\.ts, lines 10-74\/300 \(65 lines, \d+ bytes\)/);
  assert.match(text, /defines Parser \(10\), helper \(13\), LIMIT \(14\)/);
  assert.ok(!text.includes("comment 30"));
  assert.match(summary, /^\[shortened\] read_file src\/p\.ts, lines 10-74\/300/);
});

Deno.test("outlineResult() names every file of batch_read", () => {
  const content = `${fileText("a.ts", 40)}\n${fileText("b.ts", 40)}`;
  const { outline: text } = outline("batch_read", {}, content);
  assert.match(text, /- a\.ts, lines 1-40\/40/);
  assert.match(text, /- b\.ts, lines 1-40\/40/);
});

Deno.test("outlineResult() keeps path and hunk headers of edit_file", () => {
  const content =
    'Applied 1 edit to "a.ts".\n<context path="a.ts" diff="applied">\n--- a.ts\n+++ a.ts\n' +
    "@@ -1,3 +1,4 @@\n context\n-old\n+new\n+more\n@@ -90,1 +91,1 @@\n-x\n+y\n<context:end>\n" +
    `Fresh anchors:\n${fileText("a.ts", 30)}`;
  const { outline: text } = outline("edit_file", { path: "a.ts" }, content);
  assert.match(text, /edit_file a\.ts: applied, \+3 −2 lines in 2 hunks/);
  assert.match(text, /@@ -1,3 \+1,4 @@\n@@ -90,1 \+91,1 @@/);
  assert.ok(!text.includes("compute("));
});

Deno.test("outlineResult() keeps why an edit failed", () => {
  const content = 'Nothing was written to "a.ts".\nEdit 1: anchor "3#ABCD" does not match.\n' +
    fileText("a.ts", 40);
  assert.match(outline("edit_file", { path: "a.ts" }, content, true).summary, /failed: .*3#ABCD/);
});

Deno.test("outlineResult() keeps command, exit code, errors and the last lines of run_command", () => {
  const rows = Array.from({ length: 200 }, (_, i) => i === 20 ? "error: no semicolon" : `row ${i}`);
  const content = `Exit code 2 after 1.00 s\n<context command="make">\n${
    rows.join("\n")
  }\n<context:end>`;
  const { outline: text, summary } = outline("run_command", { command: "make" }, content, true);
  assert.match(text, /run_command `make`: Exit code 2 after 1\.00 s; 200 lines/);
  assert.match(text, /! error: no semicolon/);
  assert.match(text, /\| row 199$/);
  assert.ok(!text.includes("row 100\n"));
  assert.match(summary, /`make`: Exit code 2 .*error: no semicolon/);
});

Deno.test("outlineResult() keeps every diagnostic's code, place and first line of cargo tools", () => {
  const diagnostics = Array.from(
    { length: 12 },
    (_, i) =>
      `error[E03${i + 10}]: mismatched types ${i}\n  --> src/a${i}.rs:${i}:5\n   | long span text`
        .repeat(1),
  );
  const content = `12 errors, 0 warnings\n${diagnostics.join("\n")}\n${"   | span\n".repeat(400)}`;
  const { outline: text, summary } = outline("cargo_check", {}, content, true);
  for (let i = 0; i < 12; i++) {
    assert.ok(text.includes(`E03${i + 10}`) && text.includes(`src/a${i}.rs:${i}:5`));
  }
  assert.match(summary, /cargo_check: 12 errors, 0 warnings/);
});

Deno.test("outlineResult() keeps the counts and the failed tests of cargo_test", () => {
  const content =
    "cargo test: 5 passed, 1 failed, 0 ignored in 1 suite; exit code 101 after 3.1 s.\n" +
    '<context source="cargo_test">\nFAILED parser::commas (demo) at src/parser.rs:7:9\n' +
    `  assertion failed: left == right\n${"  output line\n".repeat(100)}<context:end>`;
  const { outline: text, summary } = outline("cargo_test", {}, content, true);
  assert.match(text, /^\[shortened\] cargo_test: 5 passed, 1 failed.*exit code 101/);
  assert.match(text, /FAILED parser::commas \(demo\) at src\/parser\.rs:7:9/);
  assert.match(summary, /5 passed, 1 failed.*FAILED parser::commas/);
});

Deno.test("outlineResult() keeps counts and files of searches and listings", () => {
  const matches = Array.from({ length: 60 }, (_, i) => `src/f${i % 3}.ts:${i}: const a = ${i};`);
  const found = outline(
    "search_files",
    { pattern: "a" },
    `<context path=".">\n${matches.join("\n")}\n<context:end>`,
  );
  assert.match(found.outline, /60 matches in 3 files\nsrc\/f0\.ts \(20\), src\/f1\.ts \(20\)/);
  const listed = outline(
    "list_dir",
    { path: "src" },
    `<context path="src">\nlib/\n  a.ts  1 KB\nmain.ts  2 KB\n<context:end>`,
  );
  assert.match(listed.outline, /list_dir src: 3 entries\nlib\/, main\.ts/);
});

Deno.test("outlineResult() shows first and last lines and diagnostics of any other tool", () => {
  const rows = Array.from({ length: 90 }, (_, i) => i === 40 ? "warning: deprecated" : `line ${i}`);
  const { outline: text } = outline("my_tool", { q: 1 }, rows.join("\n"));
  assert.match(text, /my_tool \{"q":1\}: 90 lines, \d+ bytes\n\| line 0/);
  assert.match(text, /! warning: deprecated/);
  assert.match(text, /\| line 89$/);
});

Deno.test("outlineResult() gives a fifth of any text at most, one line, the same bytes each time", () => {
  const names = [
    "read_file",
    "edit_file",
    "write_file",
    "list_dir",
    "run_command",
    "search_files",
    "cargo_test",
    "x",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.nat(60),
      fc.boolean(),
      (name, text, times, isError) => {
        const content = `${text}\n`.repeat(times);
        const made = outline(name, { path: text, command: text, pattern: text }, content, isError);
        assert.deepEqual(
          made,
          outline(name, { path: text, command: text, pattern: text }, content, isError),
        );
        assert.ok(made.outline.length <= Math.max(480, content.length * 0.2));
        assert.ok(made.summary.length <= 240 && !made.summary.includes("\n"));
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("outlineText() keeps the start and the end of what was said", () => {
  const { outline: text, summary } = outlineText(`The start. ${"middle ".repeat(500)} The end.`);
  assert.match(text, /^The start\./);
  assert.match(text, /characters left out/);
  assert.match(text, /The end\.$/);
  assert.ok(text.length < 800 && summary.length <= 160);
});

Deno.test("shrinkCall() names long values, keeps keys and valid JSON, and leaves short calls alone", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(400), (value, size) => {
      const args = JSON.stringify({ path: "a.ts", content: "x\n".repeat(size), value });
      const call = { id: "c", type: "function", function: { name: "w", arguments: args } } as const;
      const shrunk = shrinkCall(call, 80);
      const parsed = JSON.parse(shrunk.function.arguments);
      assert.equal(parsed.path, "a.ts");
      assert.deepEqual(Object.keys(parsed), ["path", "content", "value"]);
      assert.ok(shrunk.function.arguments.length <= args.length);
      if (args.length <= 80) assert.equal(shrunk, call);
      if (size > 60) assert.match(parsed.content, /characters, \d+ lines: not shown here/);
    }),
  );
  const broken = {
    id: "c",
    type: "function",
    function: { name: "w", arguments: "{".repeat(300) },
  } as const;
  assert.ok("invalid_arguments" in JSON.parse(shrinkCall(broken, 80).function.arguments));
});
