import assert from "node:assert/strict";
import { type CargoCommand, judgeCargoArgs } from "../../../tools/rust/cargo_args.ts";

Deno.test("judgeCargoArgs() lets through what chooses packages, targets, features, lints, tests", () => {
  const good: [CargoCommand, string][] = [
    ["check", ""],
    [
      "check",
      "--all-targets --workspace --exclude a --features a,b -F c -Fd --no-default-features",
    ],
    [
      "check",
      "-p a --package=b@1.2.3 --bin x --example=y --profile dev -j4 -j 2 --target x86_64-unknown-linux-gnu",
    ],
    [
      "clippy",
      "--no-deps --all-targets -- -D warnings -Wclippy::pedantic --allow clippy::foo --cap-lints=warn",
    ],
    ["clippy", "--fix --allow-dirty"],
    ["test", "parser::tests --lib --release -- --nocapture --test-threads=1 --skip slow other"],
    ["test", "--doc"],
    ["fix", "--edition --allow-dirty --broken-code"],
  ];
  for (const [command, line] of good) {
    const args = line.split(" ").filter((word) => word !== "");
    assert.equal(judgeCargoArgs(command, args).ok, true, `${command} ${line}`);
  }
});

Deno.test("judgeCargoArgs() refuses what changes the program, the project or the place of output", () => {
  const bad: [CargoCommand, string[]][] = [
    ["check", ["+nightly"]],
    ["check", ["--config", 'build.rustc-wrapper="evil"']],
    ["check", ["--config=a"]],
    ["check", ["--manifest-path", "../other/Cargo.toml"]],
    ["check", ["--manifest-path=/etc/Cargo.toml"]],
    ["check", ["-Zunstable-options"]],
    ["check", ["-Z", "script"]],
    ["check", ["-C", "/tmp"]],
    ["check", ["--target-dir", "/tmp"]],
    ["check", ["--target", "evil.json"]],
    ["check", ["--target=../evil"]],
    ["check", ["--message-format=short"]],
    ["check", ["--lockfile-path", "x"]],
    ["check", ["--package"]],
    ["check", ["--package", "--config=x"]],
    ["check", ["--features", "--config=x"]],
    ["check", ["-p../x"]],
    ["check", ["stray"]],
    ["check", ["--", "x"]],
    ["check", ["--fix"]],
    ["check", ["--release\0"]],
    ["clippy", ["--", "-C", "linker=evil"]],
    ["clippy", ["--", "-o", "/etc/x"]],
    ["clippy", ["--", "--emit=link=/x"]],
    ["clippy", ["--", "-D"]],
    ["clippy", ["--", "-D", "@/etc/passwd"]],
    ["test", ["+nightly"]],
    ["test", ["one", "two"]],
    ["test", ["--fix"]],
    ["test", ["--", "--logfile", "/tmp/x"]],
    ["test", ["--", "--logfile=/tmp/x"]],
    ["test", ["--", "--format=json"]],
    ["test", ["--", "-Zunstable-options"]],
    ["fix", ["--", "x"]],
  ];
  for (const [command, args] of bad) {
    assert.equal(judgeCargoArgs(command, args).ok, false, `${command} ${args.join(" ")}`);
  }
});
