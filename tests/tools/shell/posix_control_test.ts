import assert from "node:assert/strict";
import { posixControl, wrapPosix } from "../../../tools/shell/posix_control.ts";
import { until, withCommands } from "./_processes.ts";

const FIXTURE = new URL("../../fixtures/shell/run_until_killed.ts", import.meta.url).pathname;

/** Starts the stand-in for rho, waits for a line of it, ends it with a signal. */
async function killParent(
  script: string,
  options: { waitFor: string; signal: Deno.Signal; stdin?: string },
): Promise<void> {
  await withCommands(async ({ env, folder, alive, assertGone }) => {
    const args = ["run", "-A", "--no-check", "--no-prompt", FIXTURE, script];
    const parent = new Deno.Command(Deno.execPath(), {
      args: options.stdin === undefined ? args : [...args, options.stdin],
      cwd: folder,
      env: { ...env, TMPDIR: folder },
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    let printed = "";
    for await (const chunk of parent.stdout.pipeThrough(new TextDecoderStream())) {
      printed += chunk;
      if (printed.includes(options.waitFor)) break;
    }
    await until(() => alive().some((line) => line.startsWith("sleep 100")), "the command runs");
    parent.kill(options.signal);
    await parent.status;
    await assertGone();
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), []);
  });
}

Deno.test("kill -9 of rho ends a running command and its children", () =>
  killParent("sleep 100 & echo up; trap '' TERM HUP; timeout 100 sleep 100", {
    waitFor: "output",
    signal: "SIGKILL",
  }));

Deno.test("kill -9 of rho ends what a finished command left behind", () =>
  killParent("sleep 100 >/dev/null 2>&1 & echo up", { waitFor: "ended", signal: "SIGKILL" }));

Deno.test("SIGTERM of rho ends a running command and removes its stdin file (B101)", () =>
  killParent('cat; sh -c "(sleep 100; touch canary) & wait"', {
    waitFor: "output",
    signal: "SIGTERM",
    stdin: "text",
  }));

Deno.test("wrapPosix() keeps program and arguments apart from its script", () => {
  const launch = { program: "/bin/x", args: ["a b", "$c"] };
  const { args } = wrapPosix(launch, { mergeStreams: false, stdinPath: "/tmp/in put" });
  assert.deepEqual(args.slice(2), ["rho-watch", "/tmp/in put", "/bin/x", "a b", "$c"]);
  assert.equal(args[1]?.includes("a b"), false);
  const merged = wrapPosix(launch, { mergeStreams: true });
  assert.equal(merged.args[1], `${args[1]} 2>&1`);
  assert.equal(merged.args[3], "/dev/null");
});

Deno.test("members() leaves the watcher out", async () => {
  await withCommands(async ({ run, commands }) => {
    const outcome = await run("sleep 100 >/dev/null 2>&1 & echo $$");
    const leader = Number(outcome.stdout.text);
    assert.deepEqual(await posixControl().members(leader), outcome.backgroundPids);
    await commands.killAll();
    assert.deepEqual(await posixControl().members(leader), []);
  });
});
