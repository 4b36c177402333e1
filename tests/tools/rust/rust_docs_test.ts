import assert from "node:assert/strict";
import { SILENT_LOGGER } from "../../../core/base/log.ts";
import { SandboxRoot } from "../../../core/security/sandbox.ts";
import { FileTracker } from "../../../sessions/file_tracker.ts";
import { RustDocs } from "../../../tools/rust/rust_docs.ts";
import { createRustcExplain } from "../../../tools/rust/rustc_explain.ts";
import { createRustdocLookup } from "../../../tools/rust/rustdoc_lookup.ts";
import { CommandRegistry } from "../../../tools/shell/command_registry.ts";
import type { ToolContext, ToolResult } from "../../../tools/tool.ts";
import { HAS_CARGO, NEEDS_CARGO } from "./_cargo.ts";

const HAS_DOCS = HAS_CARGO && hasDocs();
const NEEDS_DOCS = HAS_DOCS ? "" : " [ignored: no rust-docs on this machine]";

function hasDocs(): boolean {
  const { stdout } = new Deno.Command("rustc", { args: ["--print", "sysroot"], cwd: "/" })
    .outputSync();
  const sysroot = new TextDecoder().decode(stdout).trim();
  try {
    return Deno.statSync(`${sysroot}/share/doc/rust/html/std/all.html`).isFile;
  } catch {
    return false;
  }
}

interface DocsBench {
  readonly look: (query: string, section?: string) => Promise<ToolResult>;
  readonly explain: (code: string) => Promise<ToolResult>;
}

const COMMANDS = new CommandRegistry({ graceMs: 150 });

function newDocs(env: Record<string, string> = {}): RustDocs {
  const all = () => ({ ...Deno.env.toObject(), ...env });
  return new RustDocs({ commands: COMMANDS, passEnv: [], env: all });
}

/** It keeps what it has read. */
const SHARED = newDocs();

async function withDocs(
  body: (bench: DocsBench) => Promise<void>,
  docs: RustDocs = SHARED,
): Promise<void> {
  const context: ToolContext = {
    signal: new AbortController().signal,
    sandbox: await SandboxRoot.open(Deno.cwd()),
    tracker: new FileTracker(),
    progress: () => {},
    logger: SILENT_LOGGER,
    callId: "1",
    maxOutputBytes: 32_768,
  };
  await body({
    look: (query, section) =>
      createRustdocLookup(docs).execute(
        { query, ...(section === undefined ? {} : { section }) },
        context,
      ),
    explain: (code) => createRustcExplain(docs).execute({ code }, context),
  });
}

Deno.test({
  name: "rustdoc_lookup finds types, members, primitives, macros, modules and keywords" +
    NEEDS_DOCS,
  ignore: !HAS_DOCS,
  fn: () =>
    withDocs(async ({ look }) => {
      const cases: [query: string, item: RegExp, text: RegExp][] = [
        ["Vec", /item="struct std::vec::Vec"/, /contiguous growable array/],
        ["std::collections::HashMap", /item="struct std::collections::HashMap"/, /insert/],
        ["Option::map", /item="enum std::option::Option::map"/, /pub fn map<U, F>\(self, f: F\)/],
        ["Option::Some", /std::option::Option::Some/, /Some\(T\)/],
        ["Vec<T>::push()", /std::vec::Vec::push/, /pub fn push/],
        [
          "Iterator::next",
          /trait std::iter::Iterator::next/,
          /fn next\(&amp;?mut self\)|fn next\(&mut self\)/,
        ],
        ["&str", /primitive std::str/, /String slices/],
        ["[T]", /primitive std::slice/, /view into a contiguous sequence/],
        ["i32::MAX", /primitive std::i32::MAX/, /pub const MAX: i32/],
        ["usize::checked_add", /checked_add/, /Checked integer addition/],
        ["vec!", /macro std::vec"/, /macro_rules! vec/],
        ["std::fmt", /mod std::fmt/, /formatting and printing/],
        ["std::thread::spawn", /fn std::thread::spawn/, /JoinHandle<T>/],
        ["Range::start", /std::ops::Range::start/, /start: Idx/],
        ["match", /keyword std::match/, /exhaustive|Control flow based on pattern/],
        ["Result", /enum std::result::Result/, /Others of this name|fmt::Result/],
      ];
      for (const [query, item, text] of cases) {
        const { output, isError } = await look(query);
        assert.equal(isError, false, `${query}: ${output}`);
        assert.match(output, /^<context source="rustdoc_lookup" item="/, query);
        assert.match(output, item, query);
        assert.match(output, text, query);
        assert.ok(output.length < 16_000, query);
      }
    }),
});

Deno.test({
  name: "rustdoc_lookup shows one section, of implementations the signatures" + NEEDS_DOCS,
  ignore: !HAS_DOCS,
  fn: () =>
    withDocs(async ({ look }) => {
      assert.match((await look("Vec", "guarantees")).output, /## Guarantees[\s\S]*triplet/);
      assert.match(
        (await look("Option", "methods")).output,
        /impl<T> Option<T>\n {4}pub const fn is_some/,
      );
      assert.match((await look("Option", "variants")).output, /No value/);
      const { output, isError } = await look("Vec", "nope");
      assert.equal(isError, true);
      assert.match(output, /its sections: Examples, .*implementations/);
    }),
});

Deno.test({
  name: "rustdoc_lookup names what is near when nothing matches" + NEEDS_DOCS,
  ignore: !HAS_DOCS,
  fn: () =>
    withDocs(async ({ look }) => {
      assert.match((await look("HashMpa")).output, /near it: std::collections::HashMap/);
      assert.match((await look("Option::mpa")).output, /near it: Option::map/);
      for (const query of ["../../etc/passwd", "::", "\0", "serde::Deserialize"]) {
        assert.equal((await look(query)).isError, true, query);
      }
    }),
});

Deno.test("rustdoc_lookup says how to get documentation that is not installed", async () => {
  const bin = await Deno.makeTempDir({ prefix: "rho-bin-" });
  try {
    Deno.writeTextFileSync(`${bin}/rustc`, `#!/bin/sh\necho ${bin}\n`, { mode: 0o755 });
    await withDocs(async ({ look }) => {
      const { output, isError } = await look("Vec");
      assert.equal(isError, true);
      assert.match(output, /install it with "rustup component add rust-docs"$/);
    }, newDocs({ PATH: `${bin}:/usr/bin:/bin` }));
  } finally {
    await Deno.remove(bin, { recursive: true });
  }
});

Deno.test({
  name: "rustc_explain explains codes and lints, outside of the project" + NEEDS_CARGO,
  ignore: !HAS_CARGO,
  fn: () =>
    withDocs(async ({ explain }) => {
      for (const code of ["E0308", "308", "error[E0308]"]) {
        assert.match((await explain(code)).output, /code="E0308">\nExpected type did not match/);
      }
      assert.match((await explain("clippy::unwrap_used")).output, /What it does/);
      assert.match((await explain("E9999")).output, /^Cannot explain E9999/);
      assert.match((await explain("--help")).output, /give an error code like "E0308"/);
    }),
});
