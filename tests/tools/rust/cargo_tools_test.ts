import assert from "node:assert/strict";
import { checkArguments } from "../../../tools/arguments.ts";
import { HAS_CARGO, NEEDS_CARGO, riskOf, withCargo } from "./_cargo.ts";

const test = (title: string, fn: () => Promise<void>) =>
  Deno.test({ name: title + NEEDS_CARGO, ignore: !HAS_CARGO, fn });

interface Found {
  readonly level: string;
  readonly code?: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly enclosing?: string;
  readonly count: number;
  readonly test?: string;
  readonly text?: string;
  readonly suggestions: readonly { readonly replacement: string; readonly applicability: string }[];
}

function diagnosticsOf(details: unknown): Found[] {
  const { type, diagnostics } = details as { type: string; diagnostics: Found[] };
  assert.equal(type, "Diagnostics");
  return diagnostics;
}

test("cargo_check returns errors before warnings, with place, source, fix and item", () =>
  withCargo("shop", async ({ call }) => {
    const { output, isError, details } = await call("cargo_check", {
      package: "shop-broken",
      args: ["--all-targets"],
    });
    assert.equal(isError, true);
    const found = diagnosticsOf(details);
    assert.deepEqual(found.map(({ level }) => level).toSorted(), found.map(({ level }) => level));
    const mismatch = found.find(({ code }) => code === "E0308");
    assert.equal(mismatch?.file, "broken/src/lib.rs");
    // Columns count characters: the tab, and each letter beyond ASCII, is one.
    assert.deepEqual([mismatch?.line, mismatch?.column], [11, 22]);
    assert.equal(mismatch?.enclosing, "impl Shape for Circle › fn area");
    assert.equal(
      mismatch?.text,
      '11 | \tlet größe: String = "é"; self.0 * größe.len() as f64\n   | \t                    ^^^',
    );
    assert.equal(mismatch?.suggestions[0]?.replacement, ".to_string()");
    // The macro is of another crate; its caller is what counts.
    const display = found.find(({ code }) => code === "E0277");
    assert.deepEqual([display?.file, display?.line], ["broken/src/lib.rs", 16]);
    // The library and its tests say the same.
    assert.equal(found.find(({ code }) => code === "E0425")?.count, 2);
    assert.match(
      output,
      /^cargo check: 3 errors, 0 warnings; exit code 101 after \d+\.\d s\.\n<context source="cargo_check">\nerror\[E/,
    );
    assert.match(output, /fix: .*: insert "\.to_string\(\)" at broken\/src\/lib\.rs:11:25/);
    assert.doesNotMatch(output, /could not compile|aborting due to/);
  }));

test("cargo_check of a good package is no error and counts its warnings", () =>
  withCargo("shop", async ({ call }) => {
    const { output, isError } = await call("cargo_check", {});
    assert.equal(isError, false);
    assert.match(output, /^cargo check: 0 errors, 1 warning; exit code 0/);
    assert.match(
      output,
      /warning\[unused_mut\].*\n {2}at pricing\/src\/lib\.rs:15:13 in impl Basket › fn total/,
    );
  }));

test("cargo_clippy finds what the compiler does not, and takes lint levels", () =>
  withCargo("shop", async ({ call }) => {
    const { output, isError } = await call("cargo_clippy", {
      package: "pricing",
      args: ["--", "-D", "clippy::needless_return"],
    });
    assert.equal(isError, true);
    assert.match(output, /error\[clippy::needless_return\]/);
  }));

test("cargo_test returns counts, and of each failure message, place and output", () =>
  withCargo("shop", async ({ call }) => {
    let live = "";
    const { output, isError, details } = await call(
      "cargo_test",
      { args: ["--lib"] },
      { progress: (chunk) => live += chunk },
    );
    assert.equal(isError, true);
    assert.match(
      output,
      /^cargo test: 1 passed, 3 failed, 1 ignored in 1 suite; 0 errors, 1 warning; exit code 101/,
    );
    assert.match(
      output,
      /FAILED tests::is_wrong \(unittests src\/lib\.rs\) at pricing\/src\/lib\.rs:33:9\n {2}assertion `left == right` failed: totals differ\n {4}left: 1\n {3}right: 2\n {2}output:\n {4}a ‹context:end> from a test\n/,
    );
    assert.match(output, /FAILED tests::gives_an_error .*\n {2}Error: "no price"/);
    assert.match(output, /FAILED tests::panics_not .*\n {2}note: test did not panic as expected/);
    assert.match(output, /Passed: tests::adds_up\nIgnored: tests::is_left_out \(slow\)/);
    assert.doesNotMatch(output, /not shown|stack backtrace/);
    const failed = diagnosticsOf(details).filter(({ test }) => test !== undefined);
    assert.deepEqual(failed.map(({ test }) => test).toSorted(), [
      "tests::gives_an_error",
      "tests::is_wrong",
      "tests::panics_not",
    ]);
    assert.match(live, /test tests::adds_up \.\.\. ok/);
  }));

test("cargo_test tells a filter that matches nothing from success", () =>
  withCargo("shop", async ({ call }) => {
    const { output } = await call("cargo_test", { args: ["--lib", "no_such_test"] });
    assert.match(output, /5 filtered out in 1 suite/);
    assert.match(output, /No test ran: the filter matches none/);
  }));

test("cargo_test finds place and message also with --nocapture", () =>
  withCargo("shop", async ({ call }) => {
    const { output } = await call("cargo_test", {
      args: ["--lib", "is_wrong", "--", "--nocapture"],
    });
    assert.match(output, /FAILED tests::is_wrong .* at pricing\/src\/lib\.rs:33:9/);
    assert.match(output, /a ‹context:end> from a test/);
  }));

test("cargo_test says when a test process dies, with its last words", () =>
  withCargo("shop", async ({ call }) => {
    const { output, isError } = await call("cargo_test", {
      args: ["--test", "dies", "--", "--nocapture"],
    });
    assert.equal(isError, true);
    assert.match(output, /tests\/dies\.rs: the test process ended before its tests did/);
    assert.match(output, /last words/);
    assert.match(output, /SIGABRT/);
  }));

test("cargo_test returns compile errors as diagnostics", () =>
  withCargo("shop", async ({ call }) => {
    const { output, isError } = await call("cargo_test", { package: "broken" });
    assert.equal(isError, true);
    assert.match(output, /^cargo test: 3 errors, \d warnings?; exit code 101/);
    assert.match(output, /error\[E0308\]/);
  }));

test("cargo_fix applies fixes and names the files", () =>
  withCargo("shop", async ({ root, call }) => {
    const { output, isError } = await call("cargo_fix", {
      package: "shop-pricing",
      args: ["--lib", "--allow-no-vcs"],
    });
    assert.equal(isError, false, output);
    assert.match(output, /Fixed: pricing\/src\/lib\.rs \(1 fix\)/);
    assert.match(Deno.readTextFileSync(`${root}/pricing/src/lib.rs`), /let sum = self/);
  }, { isChanged: true }));

test("cargo tools show cargo's own error when there is nothing else", () =>
  withCargo("shop", async ({ root, call }) => {
    const { output, isError } = await call("cargo_check", { package: "nothing" });
    assert.equal(isError, true);
    assert.match(output, /<context source="cargo_check">\nerror: .*nothing/);
    Deno.writeTextFileSync(`${root}/Cargo.toml`, "[workspace\n");
    assert.match((await call("cargo_check", {})).output, /failed to parse manifest|unclosed table/);
  }, { isChanged: true }));

test("only the first check, clippy or test of a session is a write", () =>
  withCargo("shop", async ({ tool, call }) => {
    assert.equal(riskOf(tool("cargo_test"), {}), "write");
    await assert.rejects(call("cargo_check", {}, { signal: AbortSignal.abort() }));
    assert.equal(riskOf(tool("cargo_check"), {}), "write");
    await call("cargo_check", {});
    assert.equal(riskOf(tool("cargo_check"), {}), "read");
    assert.equal(riskOf(tool("cargo_test"), {}), "read");
    assert.equal(riskOf(tool("cargo_clippy"), {}), "read");
    assert.equal(riskOf(tool("cargo_clippy"), { args: ["--fix"] }), "write");
    assert.equal(riskOf(tool("cargo_fix"), {}), "write");
  }));

test("cargo tools stop when the turn is cancelled and leave nothing behind", () =>
  withCargo("shop", async ({ root, commands, call }) => {
    Deno.writeTextFileSync(
      `${root}/pricing/tests/dies.rs`,
      '#[test]\nfn sleeps() { println!("running"); std::thread::sleep(std::time::Duration::from_secs(60)); }\n',
    );
    const controller = new AbortController();
    const { output, isError } = await call("cargo_test", { args: ["--test", "dies"] }, {
      signal: controller.signal,
      progress: (chunk) => {
        if (chunk.includes("running 1 test")) controller.abort();
      },
    });
    assert.equal(isError, true);
    assert.match(output, /aborted after/);
    assert.equal(commands.counts.running, 0);
  }, { isChanged: true }));

test("cargo tools end at the time limit and say so", () =>
  withCargo("shop", async ({ call }) => {
    const { output, isError } = await call("cargo_check", { package: "broken" });
    assert.equal(isError, true);
    assert.match(output, /timed out after/);
  }, { timeoutMs: 1 }));

Deno.test("cargo tools say how to get a toolchain, without asking for less next time", () =>
  withCargo("shop", async ({ tool, call }) => {
    const { output, isError } = await call("cargo_check", {});
    assert.equal(isError, true);
    assert.equal(
      output,
      "Cannot find cargo: no Rust toolchain is installed; get one from https://rustup.rs and " +
        "start rho again",
    );
    assert.equal(riskOf(tool("cargo_check"), {}), "write");
  }, { env: { PATH: "/nowhere", HOME: "/nowhere", CARGO_HOME: "/nowhere" } }));

Deno.test("cargo tools refuse arguments that change what is run, before anybody is asked", () =>
  withCargo("shop", ({ tool }) => {
    const refused = checkArguments(tool("cargo_check"), { args: ["--config", "build.rustc='x'"] });
    assert.equal(refused.ok, false);
    assert.match(
      refused.ok ? "" : refused.message,
      /Cannot call "cargo_check": parameter "args" must be .*"--config".*use run_command/,
    );
    assert.equal(checkArguments(tool("cargo_check"), { package: "../elsewhere" }).ok, false);
    assert.equal(checkArguments(tool("cargo_check"), { package: "--config=x" }).ok, false);
    assert.equal(checkArguments(tool("cargo_check"), { args: '["--release"]' }).ok, true);
    return Promise.resolve();
  }));

Deno.test("cargo tools run once more with --offline when the registry is out of reach", async () => {
  const bin = await Deno.makeTempDir({ prefix: "rho-bin-" });
  try {
    // A cargo that cannot reach anything, as the real one words it.
    const script = [
      "#!/bin/sh",
      'case "$*" in',
      `*--offline*) echo '{"reason":"build-finished","success":true}';;`,
      "*) echo 'error: failed to download from `https://index.crates.io/config.json`' >&2; exit 101;;",
      "esac",
    ];
    Deno.writeTextFileSync(`${bin}/cargo`, script.join("\n"), { mode: 0o755 });
    await withCargo("shop", async ({ call }) => {
      const { output, isError } = await call("cargo_check", {});
      assert.equal(isError, false, output);
      assert.match(output, /out of reach; this is the result with --offline/);
      const frozen = await call("cargo_check", { args: ["--frozen"] });
      assert.equal(frozen.isError, true);
      assert.match(frozen.output, /failed to download/);
    }, { env: { PATH: `${bin}:/usr/bin:/bin` } });
  } finally {
    await Deno.remove(bin, { recursive: true });
  }
});
