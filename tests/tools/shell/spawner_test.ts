import assert from "node:assert/strict";
import { findProgram } from "../../../tools/shell/find_program.ts";
import { CommandRegistry } from "../../../tools/shell/command_registry.ts";
import { until, withCommands } from "./_processes.ts";

const hasProgram = (name: string) => findProgram(name, { env: Deno.env.toObject() }) !== undefined;

Deno.test("spawnCommand() gives the exit code, the output and a duration", async () => {
  await withCommands(async ({ run, commands }) => {
    const outcome = await run("echo out; exit 3");
    assert.deepEqual(outcome.end, { reason: "exit", exitCode: 3 });
    assert.equal(outcome.stdout.text, "out\n");
    assert.equal(outcome.isOutputHeld, false);
    assert.deepEqual(outcome.backgroundPids, []);
    assert(outcome.durationMs > 0 && outcome.durationMs < 5000);
    assert.deepEqual(commands.counts, { running: 0, background: 0 });
  });
});

Deno.test("spawnCommand() leaves no process behind, not even its watcher", async () => {
  await withCommands(async ({ run, assertGone }) => {
    await run("true");
    await assertGone();
  });
});

Deno.test("spawnCommand() keeps the order of stderr and stdout when it merges them", async () => {
  await withCommands(async ({ run }) => {
    const { stdout, stderr } = await run("for i in 1 2 3; do echo o$i; echo e$i >&2; done");
    assert.equal(stdout.text, "o1\ne1\no2\ne2\no3\ne3\n");
    assert.equal(stderr.text, "");
  });
});

Deno.test("spawnCommand() keeps the streams apart on request", async () => {
  await withCommands(async ({ run }) => {
    const live: string[] = [];
    const { stdout, stderr } = await run("echo out; echo err >&2", {
      mergeStreams: false,
      onOutput: (chunk, stream) => live.push(`${stream}:${chunk}`),
    });
    assert.deepEqual([stdout.text, stderr.text], ["out\n", "err\n"]);
    assert.deepEqual(live.sort(), ["stderr:err\n", "stdout:out\n"]);
  });
});

Deno.test("spawnCommand() gives an empty stdin, or exactly the text", async () => {
  await withCommands(async ({ run }) => {
    assert.equal((await run("cat; echo end")).stdout.text, "end\n");
    assert.equal((await run("cat", { stdin: "Grüße\n$HOME" })).stdout.text, "Grüße\n$HOME");
    const long = await run("wc -c", { stdin: "x".repeat(1_000_000) });
    assert.equal(long.stdout.text.trim(), "1000000");
  });
});

Deno.test("spawnCommand() passes arguments untouched and only the given environment", async () => {
  await withCommands(async ({ run, env }) => {
    const args = ["-c", 'printf "%s|" "$@"', "sh", "a b", "", "$HOME", "*", "'\"", "ü\n"];
    assert.equal((await run("", { args })).stdout.text, "a b||$HOME|*|'\"|ü\n|");
    const { stdout } = await run("env", { env: { ...env, ONLY: "this" } });
    const names = stdout.text.trim().split("\n").map((line) => line.split("=")[0]);
    const added = ["PWD", "OLDPWD", "SHLVL", "_"];
    assert.deepEqual(
      names.filter((name) => !added.includes(name ?? "")).sort(),
      [...Object.keys(env), "ONLY"].sort(),
    );
  });
});

Deno.test("spawnCommand() runs in a folder with spaces and umlauts", async () => {
  await withCommands(async ({ run, folder }) => {
    assert.equal((await run("pwd -P")).stdout.text, `${await Deno.realPath(folder)}\n`);
  });
});

Deno.test("spawnCommand() names a missing folder, a file as folder and a missing program (B157)", async () => {
  await withCommands(async ({ run, folder, env }) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    const failures: [Parameters<typeof run>[1], RegExp][] = [
      [{ cwd: `${folder}/gone` }, /\/gone": the folder does not exist/],
      [{ cwd: `${folder}/file` }, /\/file": it is not a folder/],
      [{ program: "no-such-program" }, /"no-such-program": no such program in PATH/],
      [{ program: `${folder}/file` }, /no such program/],
      [{ args: ["-c", "x".repeat(200_000)] }, /longer than the system allows/],
      [{ args: ["-c", "a\0b"] }, /NUL/],
      [{ env: { ...env, PATH: "relative" } }, /no such program in PATH/],
    ];
    for (const [options, wanted] of failures) {
      const { end } = await run("true", options);
      assert(end.reason === "spawn_failed");
      assert.match(end.error.message, wanted);
      assert.equal(end.error.code, "command_start_failed");
    }
  });
});

Deno.test("spawnCommand() tells a signal from an exit code (B109)", async () => {
  await withCommands(async ({ run }) => {
    assert.deepEqual((await run("kill -9 $$")).end, {
      reason: "signal",
      signal: "SIGKILL",
      exitCode: 137,
    });
    assert.deepEqual((await run("exit 137")).end, { reason: "exit", exitCode: 137 });
    assert.deepEqual((await run("exec no-such-program")).end, { reason: "exit", exitCode: 127 });
  });
});

Deno.test("spawnCommand() returns although a background child holds the output (B100)", async () => {
  await withCommands(async ({ run, alive, commands }) => {
    const outcome = await run("sleep 100 & echo done");
    assert.equal(outcome.stdout.text, "done\n");
    assert.equal(outcome.isOutputHeld, true);
    assert.equal(outcome.backgroundPids.length, 1);
    assert(outcome.durationMs < 1500, `${outcome.durationMs}`);
    assert(alive().some((line) => line.startsWith("sleep 100")));
    await commands.killAll();
  });
});

Deno.test("spawnCommand() returns although a child in its own session holds the output (B100)", async () => {
  await withCommands(async ({ run, killMarked }) => {
    const outcome = await run("setsid sleep 300 & echo done");
    assert.equal(outcome.isOutputHeld, true);
    assert(outcome.durationMs < 1500);
    // It escapes by design.
    killMarked();
  });
});

Deno.test("spawnCommand() returns although a background child floods the output (B100)", async () => {
  await withCommands(async ({ run, alive }) => {
    const outcome = await run("yes >&2 & sleep 0.1; echo ok", { maxOutputBytes: 10_000 });
    assert.deepEqual(outcome.end, { reason: "exit", exitCode: 0 });
    assert(outcome.stdout.text.length < 11_000);
    assert(outcome.durationMs < 2000);
    // Our end is closed, so the flood ends by itself.
    await until(() => !alive().some((line) => line.startsWith("yes")), "the flood is over");
  });
});

Deno.test("a background child with its output elsewhere lives until killAll()", async () => {
  await withCommands(async ({ run, alive, commands, assertGone }) => {
    const outcome = await run("sleep 100 >/dev/null 2>&1 & echo started");
    assert.equal(outcome.isOutputHeld, false);
    assert.equal(outcome.backgroundPids.length, 1);
    await run("true");
    assert(alive().some((line) => line.startsWith("sleep 100")));
    assert.deepEqual(commands.counts, { running: 0, background: 1 });
    await commands.killAll();
    await assertGone();
  });
});

Deno.test("a timeout ends the whole group and keeps the output so far (B101)", async () => {
  await withCommands(async ({ run, folder, assertGone }) => {
    const outcome = await run('echo begin; sh -c "(sleep 1; touch canary) & wait"', {
      timeoutMs: 150,
    });
    assert.deepEqual(outcome.end, { reason: "timeout", timeoutMs: 150 });
    assert.equal(outcome.stdout.text, "begin\n");
    await assertGone();
    await assert.rejects(Deno.stat(`${folder}/canary`));
  });
});

Deno.test("an abort ends what left the group but not the session (B101)", async () => {
  await withCommands(async ({ run, alive, assertGone }) => {
    const controller = new AbortController();
    const call = run("timeout 100 sleep 101; echo", { signal: controller.signal });
    await until(() => alive().some((line) => line.startsWith("sleep 101")), "sleep runs");
    controller.abort();
    assert.deepEqual((await call).end, { reason: "aborted" });
    await assertGone();
  });
});

Deno.test("a command that ignores TERM is killed after the grace period (B101)", async () => {
  await withCommands(async ({ run, assertGone }) => {
    const outcome = await run("trap '' TERM; while :; do sleep 0.05; done", { timeoutMs: 50 });
    assert.equal(outcome.end.reason, "timeout");
    assert(outcome.durationMs >= 190, `${outcome.durationMs}`);
    await assertGone();
  });
});

Deno.test("a command that cleans up on TERM has the time to do so", async () => {
  await withCommands(async ({ run }) => {
    const script =
      "trap 'sleep 0.1; echo cleaned; exit 0' TERM; echo up; while :; do sleep 0.02; done";
    const outcome = await run(script, { timeoutMs: 100 });
    assert.deepEqual(outcome.end, { reason: "timeout", timeoutMs: 100 });
    assert.match(outcome.stdout.text, /^up\n(?:Terminated\n)?cleaned\n$/);
    assert(outcome.durationMs < 2000);
  }, { graceMs: 5000 });
});

Deno.test("the first cause wins: timeout before abort, abort before timeout, exit before both", async () => {
  await withCommands(async ({ run }) => {
    const stubborn = "trap '' TERM; while :; do sleep 0.02; done";
    const timers: ReturnType<typeof setTimeout>[] = [];
    const abortIn = (ms: number, controller: AbortController) => {
      timers.push(setTimeout(() => controller.abort(), ms));
    };
    const late = new AbortController();
    const first = run(stubborn, { timeoutMs: 30, signal: late.signal });
    abortIn(600, late);
    const early = new AbortController();
    const second = run(stubborn, { timeoutMs: 900, signal: early.signal });
    abortIn(30, early);
    const during = new AbortController();
    const third = run("sleep 2 & echo up; exit 4", {
      timeoutMs: 5_000,
      signal: during.signal,
      // The command ends right after this; its output is awaited for 300 ms more.
      onOutput: () => abortIn(150, during),
    });
    assert.equal((await first).end.reason, "timeout");
    assert.equal((await second).end.reason, "aborted");
    assert.deepEqual((await third).end, { reason: "exit", exitCode: 4 });
    timers.forEach(clearTimeout);
  });
});

Deno.test("spawnCommand() starts nothing when aborted before, or after killAll()", async () => {
  await withCommands(async ({ run, folder, commands }) => {
    const before = await run("touch canary", { signal: AbortSignal.abort() });
    assert.deepEqual(before.end, { reason: "aborted" });
    await commands.killAll();
    assert.deepEqual((await run("touch canary")).end, { reason: "aborted" });
    await assert.rejects(Deno.stat(`${folder}/canary`));
  });
});

Deno.test("killAll() ends running calls as aborted", async () => {
  await withCommands(async ({ run, commands, alive }) => {
    const calls = [run("sleep 100"), run("sleep 100")];
    await until(() => alive().filter((line) => line.startsWith("sleep")).length === 2, "both run");
    assert.equal(commands.counts.running, 2);
    await commands.killAll();
    for (const call of calls) assert.equal((await call).end.reason, "aborted");
    assert.deepEqual(commands.counts, { running: 0, background: 0 });
  });
});

Deno.test("a program that waits for all its children does not wait for the watcher", {
  ignore: !hasProgram("perl"),
}, async () => {
  await withCommands(async ({ run }) => {
    const script = "perl -e 'fork or exit; 1 while wait != -1; print qq(all)'";
    assert.equal((await run(`exec ${script}`, { timeoutMs: 3000 })).stdout.text, "all");
  });
});

Deno.test("live output carries whole characters (B106)", async () => {
  await withCommands(async ({ run }) => {
    const live: string[] = [];
    const script = 'printf "\\303"; sleep 0.1; printf "\\251\\n"';
    const { stdout } = await run(script, { onOutput: (chunk) => live.push(chunk) });
    assert.equal(stdout.text, "é\n");
    assert.equal(live.join(""), "é\n");
    assert(live.every((chunk) => !chunk.includes("\ufffd")));
  });
});

Deno.test("control sequences are removed, unless the output is parsed (B110)", async () => {
  await withCommands(async ({ run }) => {
    const script = 'printf "\\033]133;A\\007\\033[31mred\\033[0m\\r50%%\\r100%%\\n"';
    assert.equal((await run(script)).stdout.text, "100%\n");
    const raw = await run(script, { keepControls: true });
    assert.equal(raw.stdout.text, "\x1b]133;A\x07\x1b[31mred\x1b[0m\r50%\r100%\n");
  });
});

Deno.test("a long output keeps its head and tail (B104)", async () => {
  await withCommands(async ({ run }) => {
    const { stdout } = await run("seq 1 100000; echo the end", { maxOutputBytes: 4000 });
    assert(stdout.text.startsWith("1\n2\n"));
    assert(stdout.text.endsWith("\n100000\nthe end\n"));
    assert.match(stdout.text, /\n\[… \d{3},\d{3} bytes left out here …\]\n/);
    assert(new TextEncoder().encode(stdout.text).length < 4100);
  });
});

Deno.test("durations and timeouts do not use the date (B158)", async () => {
  await withCommands(async ({ run }) => {
    const commands = new CommandRegistry({
      clock: {
        monotonicMs: () => performance.now(),
        epochMs: () => assert.fail("the date is not asked"),
      },
    });
    const outcome = await run("sleep 0.05", { commands });
    assert(outcome.durationMs >= 50);
    await commands.killAll();
  });
});

Deno.test("a watcher of the live output that throws does not stop the command", async () => {
  await withCommands(async ({ run }) => {
    const { end, stdout } = await run("seq 1 50000", {
      onOutput: () => assert.fail("broken client"),
      timeoutMs: 3000,
    });
    assert.deepEqual(end, { reason: "exit", exitCode: 0 });
    assert(stdout.text.endsWith("\n50000\n"));
  });
});

Deno.test("the text for stdin leaves no file behind", async () => {
  await withCommands(async ({ run }) => {
    const { stdout } = await run("readlink /proc/self/fd/0", { stdin: "secret" });
    await assert.rejects(Deno.stat(stdout.text.trim()));
  });
});
