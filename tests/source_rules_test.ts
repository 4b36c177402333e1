import assert from "node:assert/strict";
import { sourceFiles, testFiles, withoutComments } from "./support/source_files.ts";

const MAX_LINES = 500;
const MAX_TEST_LINES = 800;

/** Files whose lines match, as `path:line: text`. */
function hits(pattern: RegExp, allowed: readonly string[] = []): string[] {
  return sourceFiles().filter((file) => !allowed.includes(file.path)).flatMap((file) =>
    withoutComments(file.text).split("\n").flatMap((line, index) =>
      pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : []
    )
  );
}

function tooLong(files: readonly { path: string; text: string }[], limit: number): string[] {
  return files
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > limit)
    .map(({ path, lines }) => `${path}: ${lines} lines`);
}

Deno.test("no source file has more than 500 lines, no test more than 800", () => {
  assert.deepEqual(tooLong(sourceFiles(), MAX_LINES), []);
  assert.deepEqual(tooLong(testFiles(), MAX_TEST_LINES), []);
});

Deno.test("no plain Error is made", () => {
  assert.deepEqual(hits(/\bnew (?:Error|AggregateError)\(/), []);
});

Deno.test("nothing prints", () => {
  assert.deepEqual(
    hits(/\bconsole\.|\bprompt\(|\balert\(|\bconfirm\(/, [
      // A method of the protocol has this name.
      "core/rpc/methods/turn_methods.ts",
      // It is here that printing is turned away from stdout.
      "core/cli/console_guard.ts",
    ]),
    [],
  );
});

Deno.test("only the process's edge touches stdin, stdout and the arguments", () => {
  assert.deepEqual(
    hits(/\bDeno\.(?:stdin|stdout|stderr|args|exit)\b/, [
      "main.ts",
      "core/cli/process_io.ts",
      // The program of the extension host, a process of its own.
      "ext/host/run_host.ts",
      "core/cli/print_command.ts",
      "core/cli/rpc_command.ts",
      // The host of extensions is a process of its own.
      "ext/host/run_host.ts",
    ]),
    [],
  );
});

Deno.test("no file is written through FsFile.writable, which loses awaited writes", () => {
  assert.deepEqual(hits(/(?:file|handle)\.writable\b/i), []);
});

Deno.test("nothing is exported by default, and no file passes on another one's exports", () => {
  assert.deepEqual(
    hits(/^export default\b|^export \*|^export \{[^}]*\} from/).filter((hit) =>
      // The manifest of an extension is its default export.
      !hit.startsWith("ext/examples/") && !hit.startsWith("ext/starter.ts")
    ),
    [],
  );
});

Deno.test("no message text decides what happens", () => {
  assert.deepEqual(
    hits(/\.message\.(?:includes|startsWith|endsWith|match)\(|\.message === /),
    [],
  );
});

Deno.test("no replacement is a string that could hold $ sequences", () => {
  assert.deepEqual(
    hits(/\.replace(?:All)?\([^,()]+,\s*(?!["'`][^$]*["'`]\s*[,)])[a-zA-Z_.]+\)/).filter((hit) =>
      !/=>/.test(hit)
    ),
    [],
  );
});

Deno.test("a lazy import has the type of the very module that it loads", () => {
  const wrong = sourceFiles().flatMap((file) =>
    [...file.text.matchAll(
      /import\(\s*"([^"]+)" as string,?\s*\)(?:\s*as Promise<\s*typeof import\(\s*"([^"]+)")?/g,
    )].filter(([, loaded, typed]) => loaded !== typed)
      .map(([, loaded]) => `${file.path}: ${loaded}`)
  );
  assert.deepEqual(wrong, []);
});

Deno.test("every exported symbol has a doc comment", () => {
  const missing = sourceFiles().flatMap((file) => {
    const lines = file.text.split("\n");
    return lines.flatMap((line, index) => {
      if (!/^export (?:async |abstract )?(?:function|class|interface|type|const)\b/.test(line)) {
        return [];
      }
      const before = lines[index - 1] ?? "";
      return before.trimEnd().endsWith("*/") ? [] : [`${file.path}:${index + 1}: ${line}`];
    });
  });
  assert.deepEqual(missing, []);
});

Deno.test("test titles say what holds", () => {
  const wrong = testFiles().flatMap((file) =>
    [...file.text.matchAll(/Deno\.test\(\s*"([^"]+)"/g)]
      .map((found) => found[1] ?? "")
      .filter((title) => /\bshould\b/.test(title))
      .map((title) => `${file.path}: ${title}`)
  );
  assert.deepEqual(wrong, []);
});
