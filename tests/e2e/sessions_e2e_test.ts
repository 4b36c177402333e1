import assert from "node:assert/strict";
import { joinPath } from "../../core/base/paths.ts";
import { textTurn, toolTurn } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { codeOf, ECHO, sharedFolders, start } from "../support/session_e2e.ts";
import type { SpawnedRho } from "../support/spawned_rho.ts";

async function contents(rho: SpawnedRho): Promise<string[]> {
  const { messages } = await rho.client.request("getMessages", {});
  return messages.slice(1).map((message) => message.content);
}

Deno.test("e2e: sessions are listed, titled, resumed by id and path, and deleted", async () => {
  await using server = await startScriptedServer(ECHO);
  await using rho = await start(server);
  const { client } = rho;
  await client.request("prompt", { message: "first" });
  const first = await client.request("getState", {});
  const second = await client.request("newSession", {});
  assert.notEqual(second.sessionId, first.sessionId);
  await client.request("prompt", { message: "second" });

  const listed = (await client.request("listSessions", {})).sessions;
  assert.deepEqual(listed.map(({ firstPrompt }) => firstPrompt), ["second", "first"]);
  assert.deepEqual(Object.keys(listed[0] ?? {}).sort(), [
    "entryCount",
    "firstPrompt",
    "id",
    "mtimeSecs",
    "path",
    "sizeKb",
    "title",
  ]);

  await client.request("renameSession", { path: first.sessionPath, title: "The first one" });
  const titled = (await client.request("listSessions", {})).sessions;
  assert.deepEqual(titled.map(({ title }) => title), [null, "The first one"]);
  // What is open is neither renamed nor deleted.
  assert.equal(
    await codeOf(client.request("renameSession", { path: second.path, title: "x" })),
    -32003,
  );
  assert.equal(await codeOf(client.request("deleteSession", { path: second.path })), -32003);

  const resumed = await client.request("resumeSession", { id: first.sessionId });
  assert.deepEqual(resumed, {
    path: first.sessionPath,
    model: "m",
    cwd: rho.project,
    entryCount: resumed.entryCount,
  });
  assert.deepEqual(await contents(rho), ["first", "re: first"]);
  const byPath = await client.request("resumeSession", { path: second.path });
  assert.equal(byPath.path, second.path);
  await client.request("deleteSession", { path: first.sessionPath });
  assert.deepEqual((await client.request("listSessions", {})).sessions.map(({ id }) => id), [
    second.sessionId,
  ]);
  assert.equal((await rho.end()).code, 0);
});

Deno.test("e2e: B61 the same id comes back each time, and an unknown one starts nothing", async () => {
  await using server = await startScriptedServer(ECHO);
  await using folders = await sharedFolders();
  let id = "";
  for (const message of ["one", "two", "three"]) {
    const args = id === "" ? [] : ["--session", id];
    await using rho = await start(server, { ...folders, args });
    const state = await rho.client.request("getState", {});
    assert.ok(id === "" || state.sessionId === id);
    id = state.sessionId;
    await rho.client.request("prompt", { message });
    assert.equal((await rho.end()).code, 0);
  }
  await using rho = await start(server, { ...folders, args: ["-c"] });
  assert.deepEqual(
    (await contents(rho)).filter((text) => !text.startsWith("re:")),
    ["one", "two", "three"],
  );
  const before = await rho.client.request("getState", {});
  for (const params of [{ id: "ffffffff" }, { path: "/no/such/file.jsonl" }]) {
    assert.equal(await codeOf(rho.client.request("resumeSession", params)), -32002);
  }
  for (const params of [{}, { id: "../../etc/passwd" }, { id: "a", path: "b" }]) {
    assert.equal(await codeOf(rho.client.request("resumeSession", params)), -32602);
  }
  assert.deepEqual(await rho.client.request("getState", {}), before);
  assert.equal((await rho.client.request("listSessions", {})).sessions.length, 1);
});

Deno.test("e2e: B53 what is no session is refused and stays byte for byte", async () => {
  await using server = await startScriptedServer(ECHO);
  await using rho = await start(server);
  await rho.write("package.json", '{"name":"x"}\n');
  await rho.write("empty.jsonl", "");
  for (const name of ["package.json", "empty.jsonl", "."]) {
    const path = joinPath(rho.project, name);
    assert.equal(await codeOf(rho.client.request("resumeSession", { path })), -32002);
    assert.notEqual(await codeOf(rho.client.request("deleteSession", { path })), 0);
  }
  assert.equal(await rho.read("package.json"), '{"name":"x"}\n');
  assert.equal(await rho.read("empty.jsonl"), "");
  assert.deepEqual([...Deno.readDirSync(rho.project)].map(({ name }) => name).sort(), [
    "empty.jsonl",
    "package.json",
  ]);
});

Deno.test("e2e: branches are forked, named, switched and moved, each told to the client", async () => {
  await using server = await startScriptedServer(ECHO);
  await using rho = await start(server);
  const { client } = rho;
  await client.request("prompt", { message: "base" });
  const base = (await client.request("getState", {})).leaf;
  const forked = await client.request("fork", { name: "try" });
  assert.deepEqual(forked, { cursorId: "c1", leaf: base });
  await client.request("prompt", { message: "on the fork" });
  const back = await client.request("switchCursor", { cursorId: "c0" });
  assert.deepEqual(back, { cursorId: "c0", leaf: base });
  await client.request("prompt", { message: "on the trunk" });
  assert.deepEqual(await contents(rho), ["base", "re: base", "on the trunk", "re: on the trunk"]);
  await client.request("nameCursor", { cursorId: "c0", name: "trunk" });
  const { cursors } = await client.request("listCursors", {});
  assert.deepEqual(cursors.map(({ id, name, active }) => [id, name, active]), [
    ["c0", "trunk", true],
    ["c1", "try", false],
  ]);

  const { messages } = await client.request("getMessages", {});
  const target = messages[2]?.entryId ?? "";
  const moved = await client.request("branchTo", { entryId: target });
  assert.equal(moved.leaf, target);
  assert.deepEqual(await contents(rho), ["base", "re: base"]);
  const summed = await client.request("branchTo", {
    entryId: cursors[1]?.leaf ?? "",
  });
  assert.equal(summed.leaf, cursors[1]?.leaf);
  const withSummary = await client.request("branchTo", { entryId: target, summarize: true });
  assert.notEqual(withSummary.leaf, target);
  await client.request("clear", {});
  assert.deepEqual(await contents(rho), []);

  for (const method of ["switchCursor", "branchTo", "pinEntry", "getFullOutput"] as const) {
    const params = { cursorId: "nope", entryId: "nope" };
    assert.equal(await codeOf(client.request(method, params)), -32002, method);
  }
  // fork, switch, branchTo three times, clear: six changes, and none for what failed.
  const changes = rho.of("session/change");
  assert.equal(changes.length, 6);
  assert.deepEqual(changes.map(({ cursorId }) => cursorId), ["c1", "c0", "c0", "c0", "c0", "c0"]);
  assert.ok(changes.every(({ persisted }) => persisted));
});

Deno.test("e2e: a summary of the branch that was left is what the model reads", async () => {
  await using server = await startScriptedServer(({ json }, index) =>
    index === 1
      ? toolTurn([{ id: "w", name: "write_file", arguments: { path: "a.txt", content: "x\n" } }])
      : textTurn(`re: ${json.messages.at(-1).content}`)
  );
  await using rho = await start(server, { args: ["--approve", "write"] });
  const { client } = rho;
  await client.request("prompt", { message: "base" });
  const base = (await client.request("getMessages", {})).messages[2]?.entryId ?? "";
  await client.request("prompt", { message: "write it" });
  const { leaf } = await client.request("branchTo", { entryId: base, summarize: true });
  const { entries } = await client.request("getEntries", {});
  const summary = entries.find(({ id }) => id === leaf)?.payload as {
    BranchSummary: { summary: string };
  };
  assert.match(summary.BranchSummary.summary, /left behind after 1 request/);
  assert.match(summary.BranchSummary.summary, /write it/);
  assert.match(summary.BranchSummary.summary, /changed: a\.txt/);
  await client.request("prompt", { message: "go on" });
  const sent = JSON.stringify(server.requests.at(-1)?.json.messages);
  assert.match(sent, /left behind after 1 request/);
  // Doing it twice leaves nothing behind the second time.
  const here = (await client.request("getState", {})).leaf;
  assert.equal((await client.request("branchTo", { entryId: here, summarize: true })).leaf, here);
});

Deno.test("e2e: getEntries gives the tree in file order, from anywhere, in pieces", async () => {
  await using server = await startScriptedServer(ECHO);
  await using rho = await start(server);
  const { client } = rho;
  await client.request("prompt", { message: "one" });
  await client.request("prompt", { message: "two" });
  const all = (await client.request("getEntries", {})).entries;
  const { sessionPath } = await client.request("getState", {});
  const lines = (await Deno.readTextFile(sessionPath)).trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  assert.deepEqual(
    all,
    lines.filter(({ type }) => type === "Entry").map(({ type: _, ...entry }) => entry),
  );
  const pieces = [];
  let after: string | undefined;
  for (;;) {
    const { entries } = await client.request("getEntries", {
      limit: 2,
      ...(after === undefined ? {} : { after }),
    });
    if (entries.length === 0) break;
    pieces.push(...entries);
    after = entries.at(-1)?.id;
  }
  assert.deepEqual(pieces, all);
  const [, , third] = all;
  const below = (await client.request("getEntries", { entryId: third?.id ?? "" })).entries;
  assert.deepEqual(below, all.slice(2));
  assert.equal(await codeOf(client.request("getEntries", { after: "nope" })), -32002);
  assert.equal(await codeOf(client.request("getEntries", { limit: 0 })), -32602);
});

Deno.test("e2e: stamps and pins survive a restart, on their own branch", async () => {
  await using server = await startScriptedServer(ECHO);
  await using folders = await sharedFolders();
  let path = "";
  {
    await using rho = await start(server, folders);
    const { client } = rho;
    await client.request("prompt", { message: "long and boring" });
    const { messages } = await client.request("getMessages", {});
    const [, user, assistant] = messages.map(({ entryId }) => entryId);
    await client.request("setResolution", {
      entryId: user ?? "",
      resolution: { Summarized: { summary: "SHORT" } },
    });
    await client.request("pinEntry", { entryId: assistant ?? "" });
    await client.request("unpinEntry", { entryId: assistant ?? "" });
    for (const resolution of ["Gone", { Compacted: {} }, 7]) {
      assert.equal(
        await codeOf(
          client.request("setResolution", { entryId: user ?? "", resolution } as never),
        ),
        -32602,
      );
    }
    path = (await client.request("getState", {})).sessionPath;
    assert.equal((await rho.end()).code, 0);
  }
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  assert.deepEqual(
    lines.filter(({ type }) => type === "Resolution").map(({ resolution }) => resolution),
    [{ Summarized: { summary: "SHORT" } }, "Pinned", "Full"],
  );
  await using rho = await start(server, { ...folders, args: ["-c"] });
  await rho.client.request("prompt", { message: "next" });
  const sent = JSON.stringify(server.requests.at(-1)?.json.messages);
  assert.match(sent, /SHORT/);
  assert.doesNotMatch(sent, /"long and boring"/);
});

Deno.test("e2e: exportSession returns text or writes a file that only its owner reads", async () => {
  await using server = await startScriptedServer(ECHO);
  await using rho = await start(server);
  const { client } = rho;
  await client.request("prompt", { message: "hello" });
  const markdown = await client.request("exportSession", { format: "markdown" });
  assert.match("content" in markdown ? markdown.content : "", /## User\n\nhello/);
  const written = await client.request("exportSession", { format: "json", path: "out.json" });
  assert.deepEqual(written, { path: joinPath(rho.project, "out.json") });
  const exported = JSON.parse(await rho.read("out.json"));
  assert.equal(exported.entries.length > 3, true);
  if (Deno.build.os !== "windows") {
    assert.equal(((await Deno.stat(joinPath(rho.project, "out.json"))).mode ?? 0) & 0o777, 0o600);
  }
  const { sessionPath } = await client.request("getState", {});
  for (const path of [sessionPath, ".", "no/such/folder/x.md"]) {
    const request = client.request("exportSession", { format: "json", path });
    assert.equal(await codeOf(request), -32003, path);
  }
});

Deno.test("e2e: session methods without their params are refused by name", async () => {
  await using server = await startScriptedServer(ECHO);
  await using rho = await start(server, { args: ["--ephemeral"] });
  for (
    const method of [
      "resumeSession",
      "renameSession",
      "deleteSession",
      "exportSession",
      "switchCursor",
      "branchTo",
      "nameCursor",
      "setResolution",
      "pinEntry",
      "unpinEntry",
      "getFullOutput",
      "approvalResponse",
    ] as const
  ) {
    assert.equal(await codeOf(rho.client.request(method, {} as never)), -32602, method);
  }
});

Deno.test("e2e: an ephemeral session has branches, lists and exports, and leaves no file", async () => {
  await using server = await startScriptedServer(ECHO);
  await using rho = await start(server, { args: ["--ephemeral"] });
  const { client } = rho;
  await client.request("prompt", { message: "secret plan" });
  const { sessionId } = await client.request("getState", {});
  await client.request("newSession", {});
  await client.request("prompt", { message: "other" });
  const { sessions } = await client.request("listSessions", {});
  assert.deepEqual(sessions.map(({ firstPrompt }) => firstPrompt), ["other", "secret plan"]);
  await client.request("resumeSession", { id: sessionId });
  assert.deepEqual(await contents(rho), ["secret plan", "re: secret plan"]);
  await client.request("fork", {});
  assert.equal((await rho.end()).code, 0);
  assert.deepEqual([...Deno.readDirSync(rho.home)].map(({ name }) => name), []);
});
