import assert from "node:assert/strict";
import { findPanics } from "../../../tools/rust/panic.ts";
import { explainSilent, TestOutput } from "../../../tools/rust/test_output.ts";

function read(text: string) {
  const output = new TestOutput();
  for (const line of text.split("\n")) output.line(line);
  return output.result();
}

Deno.test("TestOutput tells tests of one name in two suites apart", () => {
  const suite = (message: string) =>
    `running 1 test\ntest tests::a ... FAILED\n\nfailures:\n\n---- tests::a stdout ----\n` +
    `thread 'tests::a' panicked at src/x.rs:1:2:\n${message}\n\n\nfailures:\n    tests::a\n\n` +
    "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
  const { failures, failed, suites } = read(suite("one") + "\n" + suite("two"));
  assert.deepEqual(failures.map(({ suite, message }) => [suite, message]), [[0, "one"], [
    1,
    "two",
  ]]);
  assert.deepEqual([failed, suites], [2, 2]);
});

Deno.test("TestOutput reads times, reasons, benches and odd names", () => {
  const run = read(
    "running 5 tests\ntest a ... ok <0.001s>\ntest src/lib.rs - f (line 3) - compile fail ... ok\n" +
      "test b ... ignored\ntest c ... ignored, not on ... here\n" +
      "test d ... bench:   1 ns/iter (+/- 0)\n\n" +
      "test result: ok. 2 passed; 0 failed; 2 ignored; 1 measured; 3 filtered out; finished in 0.1s",
  );
  assert.deepEqual(run.passedTests, ["a", "src/lib.rs - f (line 3) - compile fail"]);
  assert.deepEqual([run.passed, run.ignored, run.measured, run.filteredOut], [2, 2, 1, 3]);
  assert.equal(run.ignoredTests[0], "b");
});

Deno.test("TestOutput keeps counts right when tests print between name and status", () => {
  const run = read(
    "running 2 tests\ntest a ... hello\nworld\nok\ntest b ... \nFAILED\n\n" +
      "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
  );
  assert.deepEqual([run.passed, run.failed], [1, 1]);
  assert.deepEqual(run.passedTests, ["a"]);
  assert.match(run.rest, /hello\nworld/);
  const [failure] = explainSilent(run.failures, "thread 'b' panicked at src/b.rs:7:8:\nboom");
  assert.deepEqual([failure?.name, failure?.message, failure?.line], ["b", "boom", 7]);
});

Deno.test("TestOutput knows suites that never came to a result", () => {
  assert.deepEqual(read("running 1 test\n\nrunning 1 test\n").brokenSuites, [0, 1]);
  assert.deepEqual(read("hello\n").suites, 0);
});

Deno.test("findPanics() reads the forms of all versions of Rust", () => {
  assert.deepEqual(findPanics(["thread 'a' panicked at 'it's, bad', src/a.rs:1:2", "note: x"]), [
    { thread: "a", message: "it's, bad", file: "src/a.rs", line: 1, column: 2 },
  ]);
  assert.deepEqual(
    findPanics(["x thread 'a::b' (12) panicked at C:\\a b\\c.rs:3:4:", "one", " two", "", "z"])[0],
    { thread: "a::b", message: "one\n two", file: "b\\c.rs", line: 3, column: 4 },
  );
});
