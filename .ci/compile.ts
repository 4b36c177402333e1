// deno-lint-ignore-file no-console -- a program that people run

/**
 * Builds binaries: the app is bundled into chunks that load when they are needed, which starts
 * twice as fast as one file, and `deno compile` puts them into a binary. No source and no npm
 * package is in it besides.
 *
 *     deno run -A .ci/compile.ts          one for this platform, dist/rho
 *     deno run -A .ci/compile.ts --all    all five, dist/rho-<target>
 *
 * `deno compile` fetches the runtime that it puts into the binary; where it cannot, `DENORT_BIN`
 * names one that is there.
 */

import { VERSION } from "../core/base/version.ts";

const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
];

/** What a binary always runs with: everything allowed, nothing asked, no code from strings. */
const BAKED_FLAGS = [
  "-A",
  "--no-prompt",
  "--unstable-worker-options",
  "--unstable-raw-imports",
  "--v8-flags=--disallow-code-generation-from-strings",
];

const root = new URL("..", import.meta.url).pathname;
const bundleFolder = `${root}dist/bundle`;

async function bundle(): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--code-splitting",

      "--outdir",
      bundleFolder,
      "main.ts",
    ],
    cwd: root,
  }).spawn().status;
  return success;
}

async function compile(output: string, target?: string): Promise<boolean> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      ...BAKED_FLAGS,
      ...(target === undefined ? [] : ["--target", target]),
      "--output",
      output,
      `${bundleFolder}/main.js`,
    ],
    cwd: root,
    stdout: "inherit",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stderr);
  await Deno.stderr.write(stderr);
  if (success) return true;
  if (/denort|download|dl\.deno\.land/i.test(text)) {
    console.error(
      "Cannot fetch the runtime for the binary. Run this where Deno's download host can be " +
        "reached, or set DENORT_BIN to a denort binary of the target",
    );
  }
  return false;
}

const commit = new TextDecoder().decode(
  (await new Deno.Command("git", { args: ["rev-parse", "--short", "HEAD"], cwd: root }).output())
    .stdout,
).trim();
await Deno.mkdir(`${root}dist`, { recursive: true });
// The commit travels in a file that the version command reads; the work tree keeps its own.
const stamp = `${root}core/base/build.ts`;
const before = await Deno.readTextFile(stamp);
await Deno.writeTextFile(stamp, before.replace('"source"', () => JSON.stringify(commit)));
let failed = 0;
try {
  console.error(`rho ${VERSION} (${commit})`);
  if (!await bundle()) failed += 1;
  else if (Deno.args.includes("--all")) {
    for (const target of TARGETS) {
      if (!await compile(`${root}dist/rho-${target}`, target)) failed += 1;
    }
  } else if (!await compile(`${root}dist/rho`)) failed += 1;
} finally {
  await Deno.writeTextFile(stamp, before);
}
Deno.exit(failed === 0 ? 0 : 1);
