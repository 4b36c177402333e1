import assert from "node:assert/strict";
import { parentPath } from "../../core/base/paths.ts";
import { textTurn, toolTurn } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { ECHO, sharedFolders, start } from "../support/session_e2e.ts";

/** The user's messages of a request, as the model got them. */
// deno-lint-ignore no-explicit-any
function userTexts(request: { json: any } | undefined): string[] {
  return request?.json.messages
    .filter(({ role }: { role: string }) => role === "user")
    .map(({ content }: { content: string }) => content) ?? [];
}

function sessionFiles(path: string): string[] {
  return [...Deno.readDirSync(parentPath(path))].map(({ name }) => name)
    .filter((name) => name.endsWith(".jsonl")).sort();
}

Deno.test("e2e: B46 B47 a damaged line in the middle and a torn end cost only themselves", async () => {
  await using server = await startScriptedServer(ECHO);
  await using folders = await sharedFolders();
  let path = "";
  {
    await using rho = await start(server, folders);
    for (const message of ["one", "two", "three"]) await rho.client.request("prompt", { message });
    path = (await rho.client.request("getState", {})).sessionPath;
    assert.equal((await rho.end()).code, 0);
  }
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
  const at = lines.findIndex((line) => line.includes('"re: two"'));
  lines[at] = `${lines[at]?.slice(0, 60)}${lines[at]}`;
  const damaged = `${lines.join("\n")}\n{"type":"Entry","id":"4","par`;
  await Deno.writeTextFile(path, damaged);

  await using rho = await start(server, { ...folders, args: ["-c"] });
  const { recovered } = await rho.client.request("getState", {});
  assert.deepEqual(recovered, { badLines: 1, tornBytes: 29, reattached: 1 });
  // Looking changes nothing.
  assert.equal(await Deno.readTextFile(path), damaged);
  await rho.client.request("prompt", { message: "four" });
  // The reply between them is lost, so two messages of the user stand side by side.
  assert.deepEqual(userTexts(server.requests.at(-1)), ["one", "two\n\nthree", "four"]);
  const replies = server.requests.at(-1)?.json.messages
    .filter(({ role }: { role: string }) => role === "assistant")
    .map(({ content }: { content: string }) => content);
  assert.deepEqual(replies, ["re: one", "re: three"]);
  assert.equal(await Deno.readTextFile(`${path}.torn`), '{"type":"Entry","id":"4","par\n');
  const { code, stderr } = await rho.end();
  assert.equal(code, 0);
  assert.match(
    stderr,
    /is damaged \(lines that cannot be read and are skipped: 1; bytes of a half/,
  );
});

Deno.test("e2e: B49 two rhos on one session never write into one file", async () => {
  await using server = await startScriptedServer(ECHO);
  await using folders = await sharedFolders();
  await using first = await start(server, folders);
  await first.client.request("prompt", { message: "first" });
  const one = await first.client.request("getState", {});
  await using second = await start(server, { ...folders, args: ["--session", one.sessionId] });
  const two = await second.client.request("getState", {});
  assert.notEqual(two.sessionPath, one.sessionPath);
  await Promise.all([
    first.client.request("prompt", { message: "from the first" }),
    second.client.request("prompt", { message: "from the second" }),
  ]);
  const ended = second.end();
  assert.match((await ended).stderr, /another rho has it open; it goes on in a new file/);
  // A killed one gives its lock back at once.
  first.client.process?.kill("SIGKILL");
  await first.exited();
  await using third = await start(server, { ...folders, args: ["--session", one.sessionId] });
  const three = await third.client.request("getState", {});
  assert.equal(three.sessionPath, one.sessionPath);
  await third.client.request("prompt", { message: "after the kill" });
  assert.deepEqual(userTexts(server.requests.at(-1)), [
    "first",
    "from the first",
    "after the kill",
  ]);
  const lines = (await Deno.readTextFile(two.sessionPath)).trimEnd().split("\n");
  assert.equal(JSON.parse(lines[0] ?? "").parent_session, one.sessionId);
  assert.equal((await third.end()).code, 0);
});

Deno.test("e2e: B49 resuming by request what another rho has open says where it goes on", async () => {
  await using server = await startScriptedServer(ECHO);
  await using folders = await sharedFolders();
  await using first = await start(server, folders);
  await first.client.request("prompt", { message: "first" });
  const one = await first.client.request("getState", {});
  await using second = await start(server, folders);
  const resumed = await second.client.request("resumeSession", { path: one.sessionPath });
  assert.notEqual(resumed.path, one.sessionPath);
  assert.equal((await second.waitFor("notice")).code, "session_continued");
  await second.client.request("prompt", { message: "second" });
  assert.deepEqual(userTexts(server.requests.at(-1)), ["first", "second"]);
  assert.deepEqual(
    (await Promise.allSettled([
      second.client.request("deleteSession", { path: one.sessionPath }),
      second.client.request("renameSession", { path: one.sessionPath, title: "x" }),
    ])).map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal((await second.end()).code, 0);
});

Deno.test("e2e: B50 a rho whose client left frees its session, and the next one goes on", async () => {
  if (Deno.build.os === "windows") return;
  const waiting = "until test -e go; do sleep 0.02; done";
  await using server = await startScriptedServer((_request, index) =>
    index === 0
      ? toolTurn([{ id: "s", name: "run_command", arguments: { command: waiting } }])
      : textTurn("done")
  );
  await using folders = await sharedFolders();
  await using first = await start(server, { ...folders, args: ["--approve", "all"] });
  const { sessionId } = await first.client.request("getState", {});
  const turn = first.client.request("prompt", { message: "wait" });
  await first.waitFor("state/change", ({ state }) => state === "executing_tool");
  const firstEnd = first.end();
  await using second = await start(server, { ...folders, args: ["--session", sessionId] });
  const during = await second.client.request("getState", {});
  assert.notEqual(during.sessionId, sessionId);
  assert.equal((await second.end()).code, 0);
  await first.write("go", "");
  assert.equal((await turn as { finishReason: string }).finishReason, "stop");
  assert.equal((await firstEnd).code, 0);
  await using third = await start(server, { ...folders, args: ["--session", sessionId] });
  assert.equal((await third.client.request("getState", {})).sessionId, sessionId);
  const { messages } = await third.client.request("getMessages", {});
  assert.deepEqual(messages.map(({ role }) => role), [
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  assert.equal((await third.end()).code, 0);
});

Deno.test("e2e: calls that ran when rho was killed are closed, and what they read is forgotten", async () => {
  if (Deno.build.os === "windows") return;
  await using server = await startScriptedServer((_request, index) =>
    index === 0
      ? toolTurn([
        { id: "r", name: "read_file", arguments: { path: "a.txt" } },
        { id: "s", name: "run_command", arguments: { command: "sleep 60" } },
      ])
      : index === 1
      ? toolTurn([
        { id: "e", name: "write_file", arguments: { path: "a.txt", content: "new\n" } },
      ])
      : textTurn("done")
  );
  await using folders = await sharedFolders();
  const args = ["--approve", "all"];
  let id = "";
  {
    await using rho = await start(server, { ...folders, args });
    await rho.write("a.txt", "old\n");
    id = (await rho.client.request("getState", {})).sessionId;
    const turn = rho.client.request("prompt", { message: "go" }).catch(() => {});
    await rho.waitFor("tool/call", (call) => call.id === "s");
    await rho.waitFor("state/change", ({ state }) => state === "executing_tool");
    rho.client.process?.kill("SIGKILL");
    await turn;
  }
  await using rho = await start(server, { ...folders, args: [...args, "--session", id] });
  await rho.client.request("prompt", { message: "again" });
  const sent = JSON.stringify(server.requests[1]?.json.messages);
  assert.match(sent, /it may or may not have run; check before retrying/);
  // The file was read in the session, but not since it was opened.
  assert.equal(await rho.read("a.txt"), "old\n");
  assert.match(rho.of("tool/result").at(-1)?.output ?? "", /read/i);
});

Deno.test("e2e: a branch move forgets what was read on the way there", async () => {
  await using server = await startScriptedServer((_request, index) =>
    index === 1
      ? toolTurn([{ id: "r", name: "read_file", arguments: { path: "a.txt" } }])
      : index === 3
      ? toolTurn([{ id: "w", name: "write_file", arguments: { path: "a.txt", content: "n\n" } }])
      : textTurn("ok")
  );
  await using rho = await start(server, { args: ["--approve", "write"] });
  const { client } = rho;
  await rho.write("a.txt", "old\n");
  await client.request("prompt", { message: "base" });
  const { leaf } = await client.request("getState", {});
  await client.request("prompt", { message: "read it" });
  await client.request("branchTo", { entryId: leaf });
  await client.request("prompt", { message: "write it" });
  assert.equal(rho.of("tool/result").at(-1)?.is_error, true);
  assert.equal(await rho.read("a.txt"), "old\n");
});

Deno.test("e2e: a new session beside older ones says how to go on with the latest", async () => {
  await using server = await startScriptedServer(ECHO);
  await using folders = await sharedFolders();
  const hint = /rho: session \S.*\.jsonl \(1 previous session\(s\) for this project — use rho -c/;
  for (const [index, expected] of [false, true, true].entries()) {
    // The last one continues and has nothing to hint at.
    const args = index === 2 ? ["-c"] : [];
    await using rho = await start(server, { ...folders, args });
    await rho.client.request("prompt", { message: "hi" });
    const { stderr } = await rho.end();
    assert.equal(hint.test(stderr), expected && index < 2, stderr);
  }
  await using quick = await start(server, folders);
  assert.match((await quick.end()).stderr, /\(2 previous session\(s\)/);
  assert.equal(sessionFiles((await firstListed(server, folders)).path).length, 2);
});

async function firstListed(
  server: Awaited<ReturnType<typeof startScriptedServer>>,
  folders: { home: string; project: string },
) {
  await using rho = await start(server, folders);
  const [first] = (await rho.client.request("listSessions", {})).sessions;
  if (first === undefined) throw new TypeError("no session is listed");
  return first;
}

Deno.test("e2e: a bounded result is read on by range and pattern, by model and client", async () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `row ${i + 1} of the log`).join("\n");
  let id = "";
  await using server = await startScriptedServer(({ json }, index) => {
    const last: string = json.messages.at(-1).content;
    switch (index) {
      case 0:
        return toolTurn([{ id: "c", name: "run_command", arguments: { command: "cat log" } }]);
      case 1: {
        const found = /call read_output with id "([^"]+)" and offset (\d+) to read on/.exec(last);
        id = found?.[1] ?? "";
        const offset = Number(found?.[2]);
        return toolTurn([
          { id: "r", name: "read_output", arguments: { id, offset, limit: 3 } },
          { id: "p", name: "read_output", arguments: { id, pattern: "row 1999\\d " } },
          { id: "x", name: "read_output", arguments: { id: "nope" } },
          { id: "b", name: "read_output", arguments: { id, pattern: "(?=a)" } },
          { id: "s", name: "session_summary", arguments: {} },
        ]);
      }
      default:
        return textTurn("done");
    }
  });
  await using rho = await start(server, {
    args: ["--approve", "all", "--token-budget", "16384"],
  });
  await rho.write("log", text);
  await rho.client.request("prompt", { message: "show me the log" });
  const [, range, matches, unknown, wrong, summary] = rho.of("tool/result");
  const rows = [...(range?.output ?? "").matchAll(/^row (\d+) of the log$/gm)].map(([, n]) =>
    Number(n)
  );
  assert.equal(rows.length, 3);
  assert.match(range?.output ?? "", /^<context source="read_output" id="/);
  assert.match(range?.output ?? "", /read on with offset \d+\.$/);
  assert.match(matches?.output ?? "", /\d+:row 19990 of the log\n\d+:row 19991 of the log\n/);
  assert.equal(unknown?.is_error, true);
  assert.match(wrong?.output ?? "", /RE2/);
  assert.match(
    summary?.output ?? "",
    /1\. show me the log\n {3}tools: run_command ×1, read_output ×4/,
  );
  const { output } = await rho.client.request("getFullOutput", { entryId: id });
  assert.ok(output.includes("row 1 of the log\n") && output.includes("row 10000 of the log\n"));
  assert.ok(output.length > 300_000);
});
