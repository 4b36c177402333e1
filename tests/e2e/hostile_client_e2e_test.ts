import assert from "node:assert/strict";
import fc from "fast-check";
import { chunk, done, finish, textTurn } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { rhoEnv, RUN_ARGS, SpawnedRho, tempFolder } from "../support/spawned_rho.ts";

const METHODS = ["getState", "getMessages", "listTools", "abort", "clear", "approvalResponse", "x"];

/** Lines that look more or less like requests. */
const LINE = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.json(),
  fc.record({
    jsonrpc: fc.constantFrom("2.0", "1.0", 2),
    method: fc.oneof(fc.constantFrom(...METHODS), fc.jsonValue()),
    params: fc.oneof(fc.jsonValue(), fc.record({ message: fc.jsonValue(), id: fc.jsonValue() })),
    id: fc.jsonValue(),
  }, { requiredKeys: [] }).map((value) => JSON.stringify(value)),
);

Deno.test("e2e: whatever comes in, rho answers, lives on, and prints valid messages only", async () => {
  await using server = await startScriptedServer([]);
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", server.endpoint, "--model", "m", "--ephemeral"],
  });
  const lines = fc.sample(LINE, { numRuns: 400, seed: 20261130 });
  for (const line of lines) await rho.client.sendLine(line.toWellFormed());
  const noise = new Uint8Array(64 * 1024);
  crypto.getRandomValues(noise);
  await rho.client.sendBytes(noise);
  await rho.client.sendLine("");
  await rho.client.sendLine('{"jsonrpc":"2.0","method":"getState","id":"the end"}');
  const { code, stderr } = await rho.end();
  assert.equal(code, 0);
  assert.equal(stderr, "");
  const messages = rho.lines.map((line) => JSON.parse(line));
  assert.ok(messages.some((message) => message.id === "the end" && message.result !== undefined));
  for (const message of messages.flat()) {
    assert.equal(message.jsonrpc, "2.0");
    assert.notEqual(message.error?.code, -32603, JSON.stringify(message));
  }
});

Deno.test("e2e: B142 B148 a reader that sleeps gets everything, in order, and memory stays flat", async () => {
  const word = "0123456789abcdef".repeat(64);
  const events = 6_000;
  await using server = await startScriptedServer([
    {
      chunks: Array.from({ length: events }, () => chunk({ content: word })).concat(
        finish("stop"),
        done(),
      ),
    },
  ]);
  const project = await tempFolder("slow");
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...RUN_ARGS,
      ...["--root", project, "--ephemeral", "--endpoint", server.endpoint, "--model", "m"],
    ],
    clearEnv: true,
    env: rhoEnv(project),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  try {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(
      '{"jsonrpc":"2.0","method":"prompt","params":{"message":"go"},"id":1}\n',
    ));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const pages = Number((await Deno.readTextFile(`/proc/${child.pid}/statm`)).split(" ")[1]);
    assert.ok(pages * 4096 < 220e6, `${pages * 4096 / 1e6} MB while nobody reads`);
    await writer.close();
    const text = await new Response(child.stdout).text();
    const messages = text.trimEnd().split("\n").map((line) => JSON.parse(line));
    const streamed = messages.filter(({ method }) => method === "message/delta")
      .map(({ params }) => params.delta).join("");
    assert.equal(streamed.length, events * word.length);
    assert.equal(messages.at(-1).result.reply.length, events * word.length);
    assert.equal((await child.status).code, 0);
  } finally {
    await child.status;
    await Deno.remove(project, { recursive: true });
  }
});

Deno.test("e2e: B145 a thousand waiting requests are kept, the next ones are told to wait", async () => {
  await using server = await startScriptedServer([
    { chunks: [{ delayMs: 700 }, ...textTurn("x").chunks] },
  ]);
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", server.endpoint, "--model", "m", "--ephemeral"],
  });
  const turn = rho.client.request("prompt", { message: "go" });
  await rho.waitFor("agent/start");
  const many = Array.from(
    { length: 1_005 },
    () => rho.client.request("getMessages", {}).then(() => "ok", (error) => error.rpcCode),
  );
  await turn;
  const answers = await Promise.all(many);
  assert.equal(answers.filter((answer) => answer === "ok").length, 1_000);
  assert.deepEqual([...new Set(answers)].sort(), [-32001, "ok"].sort());
});
