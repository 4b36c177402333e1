import assert from "node:assert/strict";
import { ExtensionRig, isAlive, oneTool } from "./_extension_rig.ts";

const LOOPS = {
  sync: "while (true) {}",
  microtask: "const f = () => Promise.resolve().then(f); await f();",
  regex: "return /^(a+)+$/.test('a'.repeat(40) + 'b');",
  heap: "const kept = []; while (true) kept.push(new Array(1000).fill(Math.random()));",
  buffers: "const kept = []; while (true) kept.push(new Uint8Array(1e7).fill(1));",
} as const;

const SETTINGS = {
  defaults: { network: true, commands: true, maxMemoryMb: 64, maxExecutionMs: 600 },
};

for (const [name, body] of Object.entries(LOOPS)) {
  Deno.test(`B122: a call stuck in a ${name} loop fails in time, and the others answer afterwards`, async () => {
    let pid: number | undefined;
    {
      await using rig = await ExtensionRig.start({
        user: { "bad.ts": oneTool("bad", body), "good.ts": oneTool("good", "return 'fine';") },
        settings: SETTINGS,
      });
      pid = rig.manager.hostPid;
      const startMs = performance.now();
      const { output, isError } = await rig.call("bad");
      assert.equal(isError, true);
      assert.match(output, /took longer than 0.6 s|more than 64 MB/);
      assert.ok(performance.now() - startMs < 1_600, "within its limit plus a second");
      assert.equal(await rig.text("good"), "fine");
      await waitUntil(() => pid === undefined || !isAlive(pid), "the old host is gone");
      pid = rig.manager.hostPid;
      assert.notEqual(pid, undefined);
    }
    assert.equal(pid !== undefined && isAlive(pid), false);
  });
}

Deno.test("a slow call that yields costs only its own worker", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "slow.ts": `let calls = 0;\n${
        oneTool("slow", "calls += 1; if (a.wait) await new Promise(() => {}); return calls;")
      }`,
      "good.ts": `let calls = 0;\n${oneTool("good", "return ++calls;")}`,
    },
    settings: { defaults: { ...SETTINGS.defaults, maxExecutionMs: 200 } },
  });
  const pid = rig.manager.hostPid;
  assert.equal(await rig.text("good"), "1");
  assert.match(await rig.text("slow", { wait: true }), /took longer than 0.2 s/);
  assert.equal(await rig.text("slow"), "1");
  assert.equal(await rig.text("good"), "2");
  assert.equal(rig.manager.hostPid, pid);
});

Deno.test("calls in flight run again once when they have touched nothing, else are interrupted", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "bad.ts": oneTool("bad", "while (true) {}"),
      "pure.ts": oneTool("pure", "await new Promise((r) => setTimeout(r, 450)); return 'done';"),
      "touch.ts": oneTool(
        "touch",
        "rho.getCwd(); await new Promise((r) => setTimeout(r, 450)); return 'done';",
      ),
    },
    settings: {
      ...SETTINGS,
      perExtension: { bad: { maxExecutionMs: 100 }, pure: { maxExecutionMs: 9_000 } },
    },
  });
  const [bad, pure, touch] = await Promise.all([
    rig.text("bad"),
    rig.text("pure"),
    rig.text("touch"),
  ]);
  assert.match(bad, /took longer than 0.1 s/);
  assert.equal(pure, "done");
  assert.match(touch, /was interrupted/);
});

Deno.test("onLoad runs again after a restart, and three crashes disable an extension", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "bad.ts": oneTool("bad", "if (a.go) while (true) {} return 'ok';"),
      "good.ts": `let loads = 0;\n${
        oneTool("good", "return loads;", "hooks: { onLoad() { loads += 1; } }")
      }`,
    },
    settings: { defaults: { ...SETTINGS.defaults, maxExecutionMs: 150 } },
  });
  for (let i = 0; i < 3; i++) {
    assert.equal(await rig.text("good"), "1");
    assert.match(await rig.text("bad", { go: true }), /took longer/);
    if (i < 2) assert.equal(await rig.text("bad"), "ok");
  }
  await waitUntil(() => rig.manager.list()[0]?.status === "disabled", "it is disabled");
  assert.match(rig.manager.list()[0]?.error ?? "", /crashed 3 times/);
  assert.match(await rig.text("bad"), /does not run: it crashed 3 times/);
  assert.equal(await rig.text("good"), "1");
});

Deno.test("an endless loop while loading fails only that extension", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "stuck.ts": "while (true) {}\nexport default {};",
      "good.ts": oneTool("good", "return 1;"),
    },
    limits: { leastLoadMs: 2_500 },
    settings: SETTINGS,
  });
  const [good, stuck] = rig.manager.list();
  assert.equal(good?.status, "loaded");
  assert.equal(stuck?.status, "failed");
  assert.match(stuck?.error ?? "", /loading took longer than 2.5 s/);
  assert.equal(await rig.text("good"), "1");
});

Deno.test("a loop that a timer starts is found by the heartbeat", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "late.ts": `setTimeout(() => { while (true) {} }, 50);\n${oneTool("late", "return 1;")}`,
      "good.ts": oneTool("good", "return 2;"),
    },
    limits: { heartbeatMs: 100, heartbeatProbeMs: 200, maxCrashes: 1 },
  });
  const pid = rig.manager.hostPid;
  await waitUntil(() => rig.manager.hostPid !== pid, "a new host runs");
  assert.equal(await rig.text("good"), "2");
  assert.equal(rig.manager.list()[1]?.status, "disabled");
});

Deno.test("a host that is killed from outside comes back", async () => {
  await using rig = await ExtensionRig.start({ user: { "good.ts": oneTool("good", "return 2;") } });
  const pid = rig.manager.hostPid;
  Deno.kill(pid ?? 0, "SIGKILL");
  await waitUntil(() => rig.manager.hostPid !== pid, "a new host runs");
  assert.equal(await rig.text("good"), "2");
});

Deno.test("a host ends when rho's end of the pipe closes", async () => {
  const rig = await ExtensionRig.start({ user: { "busy.ts": oneTool("busy", "while (true) {}") } });
  const pid = rig.manager.hostPid ?? 0;
  const call = rig.call("busy");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await rig[Symbol.asyncDispose]();
  assert.match((await call).output, /rho ends/);
  assert.equal(isAlive(pid), false);
});

Deno.test("B121: an abort answers at once, whatever the call does", async () => {
  await using rig = await ExtensionRig.start({
    user: { "never.ts": oneTool("never", "await new Promise(() => {});") },
    settings: SETTINGS,
  });
  const controller = new AbortController();
  const call = rig.call("never", {}, controller.signal);
  controller.abort(new DOMException("stop", "AbortError"));
  await assert.rejects(call, /stop/);
});

Deno.test("B131: what an old generation still says is dropped", async () => {
  const source = (word: string) =>
    `setInterval(() => rho.log("info", "${word}"), 10);\n${oneTool("tick", `return "${word}";`)}`;
  await using rig = await ExtensionRig.start({ user: { "tick.ts": source("old") } });
  await waitUntil(() => rig.logs.length > 1, "it ticks");
  rig.write(`${rig.home}/extensions/tick.ts`, source("new"));
  await rig.manager.reload();
  const before = rig.logs.length;
  await waitUntil(() => rig.logs.length > before + 2, "the new one ticks");
  assert.ok(rig.logs.slice(before + 1).every(({ message }) => message === "new"));
});

Deno.test("floods of log lines and of messages are bounded", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "flood.ts": oneTool(
        "flood",
        `for (let i = 0; i < 50_000; i++) console.log("line", i);
        let added = 0;
        try { for (;;) { rho.addMessage("ann.flood.v1", "m"); added += 1; } } catch (e) { return added + e.message; }`,
      ),
    },
  });
  assert.match(await rig.text("flood"), /^100Too many entries/);
  assert.ok(rig.logs.length <= 260, String(rig.logs.length));
  assert.ok((rig.logs[0]?.message ?? "").startsWith("line 0"));
});

async function waitUntil(holds: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + 8_000;
  while (!holds()) {
    if (performance.now() > endMs) assert.fail(`timed out: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
