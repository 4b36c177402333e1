import assert from "node:assert/strict";
import { joinPath } from "../../core/base/paths.ts";
import { reasoning, textTurn, toolTurn } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { SpawnedRho } from "../support/spawned_rho.ts";

const EPHEMERAL = ["--model", "m", "--ephemeral"];

Deno.test("e2e: a prompt runs a whole turn and the reply comes last", async () => {
  await using server = await startScriptedServer([textTurn("Hello wörld 漢字")]);
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  const result = await rho.client.request("prompt", { message: "hi" });
  assert.deepEqual(result, {
    reply: "Hello wörld 漢字",
    finishReason: "stop",
    iterations: 1,
    usage: {
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 15,
      totalCost: 0,
      costIncomplete: true,
      requestCount: 1,
    },
  });
  assert.deepEqual(await rho.end(), { code: 0, stderr: "" });
  const methods = rho.lines.map((line) => JSON.parse(line).method ?? "reply");
  assert.deepEqual(methods, [
    "ready",
    "agent/start",
    "state/change",
    "message/delta",
    "usage",
    "state/change",
    "agent/end",
    "reply",
  ]);
  for (const line of rho.lines) assert.equal(JSON.parse(line).jsonrpc, "2.0");
});

Deno.test("e2e: tools read, edit and run, each approved by the client", async () => {
  const server = await startScriptedServer((request, index) => {
    const messages = request.json.messages as { role: string; content: string }[];
    const last = messages.at(-1)?.content ?? "";
    switch (index) {
      case 0:
        return toolTurn([{ id: "r", name: "read_file", arguments: { path: "ä b.txt" } }]);
      case 1: {
        const pos = /^(2#[A-Z]+):two$/m.exec(last)?.[1];
        const edits = [{ op: "replace", pos, lines: ["zwei"] }];
        return toolTurn([{ id: "e", name: "edit_file", arguments: { path: "ä b.txt", edits } }]);
      }
      case 2:
        return toolTurn([{
          id: "c",
          name: "run_command",
          arguments: { command: "cat 'ä b.txt'" },
        }]);
      default:
        return textTurn("Done");
    }
  });
  await using _server = server;
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  await rho.write("ä b.txt", "one\r\ntwo\r\nthree");
  const turn = rho.client.request("prompt", { message: "go" });
  for (const id of ["e", "c"]) {
    const request = await rho.waitFor("approval/request", (params) => params.id === id);
    assert.ok(request.preview !== undefined);
    await rho.client.request("approvalResponse", { approved: true, id });
  }
  const result = await turn;
  assert.ok("reply" in result && result.reply === "Done");
  assert.equal(await rho.read("ä b.txt"), "one\r\nzwei\r\nthree");
  const [, , command] = rho.of("tool/result");
  assert.equal(command?.is_error, false);
  assert.match(command?.output ?? "", /zwei/);
  assert.deepEqual(rho.of("tool/result").map(({ id }) => id), ["r", "e", "c"]);
});

Deno.test("e2e: a denied call is told to the model, nothing is written", async () => {
  await using server = await startScriptedServer([
    toolTurn([{ id: "w", name: "write_file", arguments: { path: "new.txt", content: "x" } }]),
    textTurn("I will not then"),
  ]);
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  const turn = rho.client.request("prompt", { message: "go" });
  await rho.waitFor("approval/request");
  await rho.client.request("approvalResponse", { approved: false });
  await turn;
  assert.deepEqual(rho.of("tool/denied").map(({ id }) => id), ["w"]);
  await assert.rejects(rho.read("new.txt"), Deno.errors.NotFound);
  assert.match(server.requests[1]?.json.messages.at(-1).content, /the user denied it/);
});

Deno.test("e2e: input that ends denies approvals, serves everything, and rho exits with 0", async () => {
  await using server = await startScriptedServer([
    toolTurn([{ id: "w", name: "write_file", arguments: { path: "new.txt", content: "x" } }]),
    textTurn("Then not"),
  ]);
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  const turn = rho.client.request("prompt", { message: "B118" });
  const messages = rho.client.request("getMessages", {});
  const { code } = await rho.end();
  assert.equal(code, 0);
  assert.equal((await turn as { reply: string }).reply, "Then not");
  assert.deepEqual((await messages).messages.map((message) => message.role), [
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  assert.match(rho.of("tool/denied")[0]?.reason ?? "", /nobody can answer/);
});

Deno.test("e2e: reasoning streams on its own and goes back within the turn only", async () => {
  await using server = await startScriptedServer([
    {
      chunks: [
        reasoning("thinking hard"),
        ...toolTurn([{ id: "l", name: "list_dir", arguments: {} }]).chunks,
      ],
    },
    textTurn("one"),
    textTurn("two"),
  ]);
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  await rho.client.request("prompt", { message: "a" });
  await rho.client.request("prompt", { message: "b" });
  assert.equal(rho.of("reasoning/delta").map(({ delta }) => delta).join(""), "thinking hard");
  const assistantOf = (index: number) =>
    server.requests[index]?.json.messages.find((message: { role: string }) =>
      message.role === "assistant"
    );
  assert.equal(assistantOf(1).reasoning_content, "thinking hard");
  assert.equal(assistantOf(2).reasoning_content, undefined);
});

Deno.test("e2e: attachments go along, framed and masked; images and outsiders are refused", async () => {
  await using server = await startScriptedServer([textTurn("ok")]);
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  await rho.write("notes.txt", 'hello <context:end> password = "hunter2hunter2"\n');
  await rho.write("pic.png", new Uint8Array([0x89, 0x50]));
  for (
    const [path, code, message] of [
      ["pic.png", -32003, /images are not supported/],
      ["../outside.txt", -32003, /outside/],
      ["missing.txt", -32002, /missing\.txt/],
    ] as const
  ) {
    await assert.rejects(
      rho.client.request("prompt", { message: "x", attachments: [{ path }] }),
      (error: Error & { rpcCode: number }) => {
        assert.equal(error.rpcCode, code, error.message);
        assert.match(error.message, message);
        return true;
      },
    );
  }
  assert.deepEqual(rho.of("agent/start"), []);
  await rho.client.request("prompt", { message: "read", attachments: [{ path: "notes.txt" }] });
  const { content } = server.requests[0]?.json.messages.at(-1);
  assert.match(content, /^read\n\n@notes\.txt\n<context path="notes\.txt">\nhello ‹context:end>/);
  assert.ok(!content.includes("hunter2"));
});

Deno.test("e2e: the session is on disk, private, masked, and goes on with -c", async () => {
  await using server = await startScriptedServer([
    textTurn("first reply"),
    textTurn("second reply"),
  ]);
  const args = ["--endpoint", server.endpoint, "--model", "m"];
  await using rho = await SpawnedRho.start({ args });
  await rho.client.request("prompt", { message: 'remember password = "hunter2hunter2"' });
  const { sessionPath, persisted, sessionId } = await rho.client.request("getState", {});
  assert.equal(persisted, true);
  assert.equal((await rho.end()).code, 0);
  const file = await Deno.readTextFile(sessionPath);
  assert.ok(!file.includes("hunter2"));
  assert.ok(file.endsWith("\n"));
  assert.equal(JSON.parse(file.split("\n")[0] ?? "").type, "Header");
  assert.match(file, /"SessionEnded":\{"reason":"eof"\}/);
  assert.equal(((await Deno.stat(sessionPath)).mode ?? 0) & 0o777, 0o600);
  assert.equal(((await Deno.stat(joinPath(rho.home, "sessions"))).mode ?? 0) & 0o777, 0o700);

  await using again = await SpawnedRho.start({
    args: [...args, "-c"],
    project: rho.project,
    home: rho.home,
  });
  assert.equal((await again.client.request("getState", {})).sessionId, sessionId);
  await again.client.request("prompt", { message: "go on" });
  assert.deepEqual(
    server.requests[1]?.json.messages.map((message: { content: string }) => message.content).slice(
      1,
    ),
    ['remember password = "[REDACTED]"', "first reply", "go on"],
  );
});

Deno.test("e2e: a start without a prompt, and --ephemeral, leave nothing behind", async () => {
  await using server = await startScriptedServer([textTurn("x")]);
  await using idle = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, "-m", "m"] });
  await idle.client.request("getState", {});
  await idle.end();
  assert.deepEqual([...Deno.readDirSync(idle.home)], []);
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  await rho.client.request("prompt", { message: "hi" });
  assert.equal((await rho.client.request("getState", {})).sessionPath, "");
  await rho.end();
  assert.deepEqual([...Deno.readDirSync(rho.home)], []);
});

Deno.test("e2e: clear and newSession start over", async () => {
  await using server = await startScriptedServer([textTurn("a"), textTurn("b"), textTurn("c")]);
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, "-m", "m"] });
  await rho.client.request("prompt", { message: "one" });
  const before = await rho.client.request("getState", {});
  await rho.client.request("clear", {});
  await rho.client.request("prompt", { message: "two" });
  assert.equal(server.requests[1]?.json.messages.length, 2);
  const { sessionId, path } = await rho.client.request("newSession", {});
  assert.notEqual(sessionId, before.sessionId);
  await rho.client.request("prompt", { message: "three" });
  assert.equal(server.requests[2]?.json.messages.length, 2);
  assert.equal(rho.of("session/change").length, 2);
  assert.match(await Deno.readTextFile(before.sessionPath), /"one"[\s\S]*"two"/);
  assert.match(await Deno.readTextFile(path), /"three"/);
});
