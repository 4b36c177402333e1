import assert from "node:assert/strict";
import { textTurn, toolTurn } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { SpawnedRho } from "../support/spawned_rho.ts";

/** Whether any process has the marker in its command line. */
function isAlive(marker: string): boolean {
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (Deno.readTextFileSync(`/proc/${name}/cmdline`).includes(marker)) return true;
    } catch {
      // It ended while we looked.
    }
  }
  return false;
}

async function gone(marker: string): Promise<boolean> {
  for (let i = 0; i < 100 && isAlive(marker); i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return !isAlive(marker);
}

function newMarker(): string {
  return `3${Math.floor(Math.random() * 1e7)}.5`;
}

/** A rho in the middle of a command that sleeps for `marker` seconds, in front and behind. */
async function withRunningCommand(
  use: (rho: SpawnedRho, marker: string) => Promise<void>,
): Promise<void> {
  const marker = newMarker();
  const command = `sleep ${marker} & echo started; sleep ${marker}`;
  await using server = await startScriptedServer([
    toolTurn([{ id: "c", name: "run_command", arguments: { command, timeout_secs: 100 } }]),
    textTurn("after"),
  ]);
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", server.endpoint, "--model", "m", "--approve", "all"],
  });
  const turn = rho.client.request("prompt", { message: "go" }).catch(() => undefined);
  await rho.waitFor("tool/progress", ({ chunk }) => chunk.includes("started"));
  assert.ok(isAlive(marker));
  await use(rho, marker);
  await turn;
  assert.ok(await gone(marker), "a process outlived rho");
}

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
  Deno.test(`e2e: ${signal} aborts the turn, ends its processes, closes the session`, async () => {
    await withRunningCommand(async (rho) => {
      const { sessionPath } = await rho.client.request("getState", {});
      rho.client.process?.kill(signal);
      const ended = await rho.exited();
      assert.equal(ended.code, code);
      assert.equal(ended.stderr, "");
      assert.equal(rho.of("agent/end")[0]?.finishReason, "cancelled");
      const file = await Deno.readTextFile(sessionPath);
      assert.ok(file.includes(`"SessionEnded":{"reason":"${signal.toLowerCase()}"}`));
      for (const line of file.trimEnd().split("\n")) JSON.parse(line);
    });
  });
}

Deno.test("e2e: B101 kill -9 leaves no process behind and a session that goes on", async () => {
  await withRunningCommand(async (rho, marker) => {
    rho.client.process?.kill("SIGKILL");
    await rho.exited();
    assert.ok(await gone(marker));
    await using server = await startScriptedServer([textTurn("I see")]);
    await using again = await SpawnedRho.start({
      args: ["--endpoint", server.endpoint, "--model", "m", "-c"],
      project: rho.project,
      home: rho.home,
    });
    await again.client.request("prompt", { message: "what happened?" });
    const messages = server.requests[0]?.json.messages;
    assert.deepEqual(messages.map((message: { role: string }) => message.role), [
      "system",
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    assert.match(messages[3].content, /interrupted: it may or may not have run/);
  });
});

Deno.test("e2e: abort ends a running command and the turn, rho serves on", async () => {
  await withRunningCommand(async (rho, marker) => {
    await rho.client.request("abort", {});
    const end = await rho.waitFor("agent/end");
    assert.equal(end.finishReason, "cancelled");
    assert.equal(end.toolCalls[0]?.outcome.kind, "error");
    assert.ok(await gone(marker));
    const next = await rho.client.request("prompt", { message: "next" });
    assert.equal((next as { reply: string }).reply, "after");
    assert.equal((await rho.end()).code, 0);
  });
});

Deno.test("e2e: B101 the end of the input ends what a finished command left behind", async () => {
  const marker = newMarker();
  await using server = await startScriptedServer([
    toolTurn([{ id: "c", name: "run_command", arguments: { command: `sleep ${marker} &` } }]),
    textTurn("done"),
  ]);
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", server.endpoint, "--model", "m", "--ephemeral", "--approve", "all"],
  });
  await rho.client.request("prompt", { message: "go" });
  assert.ok(isAlive(marker));
  assert.equal((await rho.end()).code, 0);
  assert.ok(await gone(marker));
});

Deno.test("e2e: a second rho on the same session goes on in a file of its own", async () => {
  await using server = await startScriptedServer([textTurn("a"), textTurn("b"), textTurn("c")]);
  const args = ["--endpoint", server.endpoint, "--model", "m"];
  await using first = await SpawnedRho.start({ args });
  await first.client.request("prompt", { message: "one" });
  const { sessionPath } = await first.client.request("getState", {});
  await using second = await SpawnedRho.start({
    args: [...args, "-c"],
    project: first.project,
    home: first.home,
  });
  await second.client.request("prompt", { message: "two" });
  const other = await second.client.request("getState", {});
  assert.notEqual(other.sessionPath, sessionPath);
  assert.equal(server.requests[1]?.json.messages.length, 4);
  await first.client.request("prompt", { message: "three" });
  const { stderr } = await second.end();
  assert.match(stderr, /goes on in a new file/);
  assert.ok(!(await Deno.readTextFile(sessionPath)).includes('"two"'));
});
