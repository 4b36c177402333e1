import assert from "node:assert/strict";
import { textTurn, toolTurn } from "../support/chat_chunks.ts";
import { type ScriptedServer, startScriptedServer } from "../support/scripted_server.ts";
import { SpawnedRho } from "../support/spawned_rho.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

function start(server: ScriptedServer, ...more: string[]): Promise<SpawnedRho> {
  return SpawnedRho.start({
    args: ["--endpoint", server.endpoint, "--model", "m", "--ephemeral", ...more],
  });
}

/** Sends lines, ends the input, returns every reply. */
async function replies(rho: SpawnedRho, lines: readonly (string | Uint8Array)[]): Promise<Json[]> {
  for (const line of lines) {
    if (typeof line === "string") await rho.client.sendLine(line);
    else await rho.client.sendBytes(line);
  }
  const { code } = await rho.end();
  assert.equal(code, 0);
  return rho.lines.map((line) => JSON.parse(line)).filter((message) =>
    message.method === undefined
  );
}

Deno.test("e2e: B140 lines that are no request are answered, and rho goes on", async () => {
  await using server = await startScriptedServer([]);
  await using rho = await start(server);
  const answers = await replies(rho, [
    "ls",
    "",
    "{}",
    "[]",
    "null",
    new Uint8Array([0xff, 0xfe, 0x0a]),
    "\ufeff",
    '{"jsonrpc":"1.0","method":"getState","id":1}',
    '{"jsonrpc":"2.0","method":"getState","id":2}\r',
  ]);
  assert.deepEqual(answers.map((answer) => answer.error?.code ?? "ok"), [
    -32700,
    -32600,
    -32600,
    -32600,
    -32700,
    -32700,
    -32600,
    "ok",
  ]);
  assert.deepEqual(answers.map((answer) => answer.id), [null, null, null, null, null, null, 1, 2]);
});

Deno.test("e2e: a line over 32 MiB is refused and skipped", async () => {
  await using server = await startScriptedServer([]);
  await using rho = await start(server);
  const answers = await replies(rho, [
    "x".repeat(33 * 1024 * 1024),
    '{"jsonrpc":"2.0","method":"getState","id":1}',
  ]);
  assert.equal(answers[0].error.code, -32600);
  assert.match(answers[0].error.message, /at most 32 MiB/);
  assert.equal(answers[1].result.model, "m");
});

Deno.test("e2e: B146 unknown methods and wrong params say what is right", async () => {
  await using server = await startScriptedServer([]);
  await using rho = await start(server);
  const answers = await replies(rho, [
    '{"jsonrpc":"2.0","method":"getstate","id":1}',
    '{"jsonrpc":"2.0","method":"getstate"}',
    '{"jsonrpc":"2.0","method":"prompt","id":2}',
    '{"jsonrpc":"2.0","method":"prompt","params":{"message":7},"id":3}',
    '{"jsonrpc":"2.0","method":"prompt","params":{"message":"  "},"id":4}',
    '{"jsonrpc":"2.0","method":"approvalResponse","params":{"approved":"yes"},"id":5}',
    '{"jsonrpc":"2.0","method":"approvalResponse","params":{"approved":true,"id":"x"},"id":6}',
    '{"jsonrpc":"2.0","method":"approvalResponse","params":{"approved":true,"new":1},"id":7}',
    '{"jsonrpc":"2.0","method":"approvalResponse","params":[true],"id":8}',
    '{"jsonrpc":"2.0","method":"abort","id":9}',
  ]);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  assert.equal(answers.length, 9);
  assert.match(byId.get(1).error.message, /Unknown method "getstate"; did you mean "getState"\?/);
  assert.equal(byId.get(1).error.code, -32601);
  for (const [id, path] of [[2, "message"], [3, "message"], [4, "message"], [5, "approved"]]) {
    assert.equal(byId.get(id).error.code, -32602);
    assert.equal(byId.get(id).error.data.issues[0].path, path);
  }
  assert.equal(byId.get(6).error.code, -32002);
  assert.deepEqual(byId.get(7).result, {});
  assert.deepEqual(byId.get(8).result, {});
  assert.deepEqual(byId.get(9).result, {});
});

Deno.test("e2e: B149 batches get one array, odd ids are echoed, doubles refused", async () => {
  await using server = await startScriptedServer([textTurn("a")]);
  await using rho = await start(server);
  const answers = await replies(rho, [
    '[{"jsonrpc":"2.0","method":"listTools","id":0},{"jsonrpc":"2.0","method":"abort"},7,' +
    '{"jsonrpc":"2.0","method":"getState","id":""}]',
    '[{"jsonrpc":"2.0","method":"abort"}]',
    '{"jsonrpc":"2.0","method":"prompt","params":{"message":"hi"},"id":"same"}',
    '{"jsonrpc":"2.0","method":"getMessages","id":"same"}',
    '{"jsonrpc":"2.0","method":"getMessages","id":1.5}',
  ]);
  const batch: Json = answers.find((answer) => Array.isArray(answer));
  assert.deepEqual(batch.map((answer: Json) => answer.id).sort(), ["", 0, null].sort());
  const same = answers.filter((answer) => answer.id === "same");
  assert.deepEqual(same.map((answer) => answer.error?.code ?? "ok").sort(), [-32600, "ok"].sort());
  assert.ok(answers.some((answer) => answer.id === 1.5 && answer.result !== undefined));
});

Deno.test("e2e: B145 what is queued runs in order, also behind a running turn", async () => {
  await using server = await startScriptedServer([textTurn("one"), textTurn("two")]);
  await using rho = await start(server);
  const answers = await replies(rho, [
    '{"jsonrpc":"2.0","method":"prompt","params":{"message":"a"},"id":1}',
    '{"jsonrpc":"2.0","method":"getMessages","id":2}',
    '{"jsonrpc":"2.0","method":"clear","id":3}',
    '{"jsonrpc":"2.0","method":"prompt","params":{"message":"b"},"id":4}',
    '{"jsonrpc":"2.0","method":"getMessages","id":5}',
  ]);
  assert.deepEqual(answers.map((answer) => answer.id), [1, 2, 3, 4, 5]);
  assert.equal(answers[1].result.messages.length, 3);
  assert.deepEqual(answers[4].result.messages.map((message: Json) => message.content).slice(1), [
    "b",
    "two",
  ]);
});

Deno.test("e2e: B145 prompt, abort and prompt in one write", async () => {
  await using server = await startScriptedServer([textTurn("one"), textTurn("two")]);
  await using rho = await start(server);
  const answers = await replies(rho, [
    [
      '{"jsonrpc":"2.0","method":"prompt","params":{"message":"a"},"id":1}',
      '{"jsonrpc":"2.0","method":"abort","id":2}',
      '{"jsonrpc":"2.0","method":"prompt","params":{"message":"b"},"id":3}',
    ].join("\n"),
  ]);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  assert.equal(byId.get(1).result.finishReason, "cancelled");
  assert.equal(byId.get(3).result.finishReason, "stop");
});

Deno.test("e2e: steering and getState act at once while a command runs", async () => {
  await using server = await startScriptedServer([
    toolTurn([{ id: "c", name: "run_command", arguments: { command: "echo up; sleep 0.5" } }]),
    textTurn("done"),
  ]);
  await using rho = await start(server, "--approve", "all");
  const turn = rho.client.request("prompt", { message: "go" });
  await rho.waitFor("tool/progress", ({ chunk }) => chunk.includes("up"));
  assert.equal((await rho.client.request("getState", {})).state, "executing_tool");
  assert.deepEqual(await rho.client.request("prompt", { message: "hurry", steer: true }), {});
  assert.deepEqual(rho.of("tool/result"), []);
  await turn;
  assert.equal(server.requests[1]?.json.messages.at(-1).content, "hurry");
  assert.deepEqual(rho.of("steer/applied"), [{ message: "hurry" }]);
});

Deno.test("e2e: steering starts a turn when nothing runs", async () => {
  await using server = await startScriptedServer([textTurn("hello")]);
  await using rho = await start(server);
  assert.deepEqual(await rho.client.request("prompt", { message: "hi", steer: true }), {});
  assert.equal((await rho.waitFor("agent/end")).reply, "hello");
});

Deno.test("e2e: a redirect skips the batch and becomes a user message", async () => {
  await using server = await startScriptedServer([
    toolTurn([
      { id: "a", name: "run_command", arguments: { command: "true" } },
      { id: "b", name: "run_command", arguments: { command: "true" } },
    ]),
    textTurn("ok"),
  ]);
  await using rho = await start(server);
  const turn = rho.client.request("prompt", { message: "go" });
  await rho.waitFor("approval/request");
  await rho.client.request("approvalResponse", { approved: false, message: "use make" });
  await turn;
  assert.deepEqual(rho.of("tool/denied"), []);
  assert.deepEqual(
    rho.of("agent/end")[0]?.toolCalls.map((call) => call.outcome.kind),
    ["skipped", "skipped"],
  );
  assert.equal(server.requests[1]?.json.messages.at(-1).content, "use make");
});

Deno.test("e2e: B139 U+2028 and its like travel both ways inside strings", async () => {
  const odd = "a\u2028b\u2029c\u0085d\u000be\u000cf";
  await using server = await startScriptedServer([textTurn(odd)]);
  await using rho = await start(server);
  const result = await rho.client.request("prompt", { message: odd });
  assert.equal((result as { reply: string }).reply, odd);
  assert.equal(server.requests[0]?.json.messages.at(-1).content, odd);
});

Deno.test("e2e: rpc.discover returns the document that is kept in docs/", async () => {
  await using server = await startScriptedServer([]);
  await using rho = await start(server);
  const document = await rho.client.request("rpc.discover", {});
  const kept = JSON.parse(
    await Deno.readTextFile(new URL("../../docs/openrpc.json", import.meta.url)),
  );
  assert.deepEqual(document, kept);
});

Deno.test("e2e: listTools tells names, risks and plain schemas", async () => {
  await using server = await startScriptedServer([]);
  await using rho = await start(server);
  const { tools } = await rho.client.request("listTools", {});
  assert.deepEqual(tools.map(({ name, risk }) => [name, risk]), [
    ["batch_read", "read"],
    ["edit_file", "write"],
    ["find_files", "read"],
    ["list_dir", "read"],
    ["read_file", "read"],
    ["read_output", "read"],
    ["run_command", "destructive"],
    ["search_files", "read"],
    ["session_summary", "read"],
    ["wait_for", "destructive"],
    ["write_file", "write"],
  ]);
  for (const tool of tools) {
    assert.equal(tool.parameters.type, "object");
    assert.ok(!JSON.stringify(tool.parameters).includes("$"));
  }
});

Deno.test("e2e: B143 a reader that goes away ends rho quietly", async () => {
  await using server = await startScriptedServer([
    { chunks: Array.from({ length: 50 }, () => ({ delayMs: 20 })), end: "hang" },
  ]);
  await using rho = await start(server);
  await rho.waitFor("ready");
  const child = new Deno.Command("sh", {
    args: [
      "-c",
      `(printf '%s\\n' '{"jsonrpc":"2.0","method":"prompt","params":{"message":"x"},"id":1}'; ` +
      `sleep 2) | "$0" run -A "$1" --endpoint "$2" -m m --ephemeral --root . 2>err.txt | head -n 1; ` +
      `echo "$?"`,
      Deno.execPath(),
      new URL("../../main.ts", import.meta.url).pathname,
      server.endpoint,
    ],
    cwd: rho.project,
    stdout: "piped",
  });
  const output = await child.output();
  assert.match(new TextDecoder().decode(output.stdout), /"method":"ready"/);
  assert.equal(await rho.read("err.txt"), "");
});
