import assert from "node:assert/strict";
import { openSessionFile } from "../../sessions/files/session_opener.ts";
import { SessionError } from "../../sessions/session_error.ts";
import {
  fileOf,
  fileWith,
  headerLine,
  stateOf,
  temporaryStore,
  userLine,
} from "./session_support.ts";

Deno.test("FileStore.create() names the file by time and id below the project's hash", async () => {
  await using temporary = await temporaryStore({ root: "/home/user/project" });
  const session = await temporary.store.create();
  const relative = fileOf(session).slice(temporary.home.length).replaceAll("\\", "/");
  assert.match(session.id, /^[0-9a-f]{8}$/);
  if (Deno.build.os !== "windows") {
    // printf %s /home/user/project | sha256sum | cut -c1-16
    assert.match(relative, /^\/sessions\/9dad1e4e08b0b11c\/\d{10}_[0-9a-f]{8}\.jsonl$/);
  }
  assert.deepEqual([...Deno.readDirSync(temporary.home)], []);
  await session.close("done");
});

Deno.test("FileStore.open() changes no byte until something is appended", async () => {
  await using temporary = await temporaryStore();
  const path = await fileWith(temporary.home, headerLine() + userLine("u1", null) + '{"torn');
  const before = await Deno.readFile(path);
  const { mtime } = Deno.statSync(path);
  const session = await temporary.store.open(path);
  session.noteOpened({ version: "1.0.0", model: "m", root: "/project" });
  assert.equal(session.messageCount, 1);
  await session.endTurn();
  await session.flush();
  await session.close("done");
  assert.deepEqual(await Deno.readFile(path), before);
  assert.deepEqual(Deno.statSync(path).mtime, mtime);
  const names = [...Deno.readDirSync(temporary.home)].map(({ name }) => name);
  assert.deepEqual(names, [path.slice(temporary.home.length + 1)]);
});

Deno.test("FileStore.open() writes what it notes with the first append", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendUserMessage("run it");
  session.appendAssistantMessage({
    content: "",
    toolCalls: [{ id: "c", name: "run", arguments: "{}" }, {
      id: "c",
      name: "run",
      arguments: "{}",
    }],
  });
  session.appendToolResult({ toolCallId: "c", content: "one", isError: false });
  await session.log.close();
  const opened = await temporary.another().open(session.id);
  opened.noteOpened({ version: "1.0.0", model: "m", root: "/project" });
  assert.equal(opened.entries.length, 3);
  opened.appendUserMessage("next");
  assert.deepEqual(
    opened.entries.slice(3).map(({ payload }) =>
      payload.type === "Message" ? [payload.message.role, payload.message.content] : payload
    ),
    [
      {
        type: "Custom",
        kind: "rho.opened.v1",
        data: { version: "1.0.0", model: "m", root: "/project" },
      },
      ["tool", "interrupted: it may or may not have run; check before retrying"],
      ["user", "next"],
    ],
  );
  await opened.close("done");
});

Deno.test("FileStore.open() goes on in a new file while another rho holds the lock (B49)", async () => {
  await using temporary = await temporaryStore();
  const first = await temporary.store.create();
  first.appendSystemMessage("system");
  first.appendUserMessage("one");
  first.pinEntry(first.entries[1]?.id ?? "");
  first.fork("side");
  await first.endTurn();
  const second = await temporary.another().open(first.id);
  assert.deepEqual(second.continuedFrom, {
    path: fileOf(first),
    id: first.id,
    reason: "locked",
  });
  assert.notEqual(fileOf(second), fileOf(first));
  assert.equal(second.header.parent_session, first.id);
  assert.deepEqual(second.entries, first.entries);
  assert.deepEqual((await temporary.store.list()).length, 1);
  first.appendUserMessage("in the first");
  second.appendUserMessage("in the second");
  await first.close("done");
  await second.close("done");
  for (const session of [first, second]) {
    const { content, recovered } = openSessionFile(fileOf(session));
    assert.deepEqual(content.entries, session.entries);
    assert.equal(recovered, undefined);
    const opened = await temporary.another().open(fileOf(session));
    assert.deepEqual(stateOf(opened), stateOf(session));
    assert.equal(opened.continuedFrom, undefined);
    await opened.close("done");
  }
});

Deno.test("FileStore.open() continues with the same cursor active", async () => {
  await using temporary = await temporaryStore();
  const first = await temporary.store.create();
  first.appendUserMessage("one");
  first.fork("side");
  first.appendUserMessage("two");
  first.switchCursor("c0");
  const second = await temporary.another().open(first.id);
  assert.equal(second.cursorId, "c0");
  second.cursor("c0").appendUserMessage("three");
  await second.log.close();
  await first.close("done");
  const opened = await temporary.another().open(fileOf(second));
  assert.deepEqual(stateOf(opened), stateOf(second));
  await opened.close("done");
});

Deno.test("FileStore.open() leaves no file of a continuation that nobody used", async () => {
  await using temporary = await temporaryStore();
  const first = await temporary.store.create();
  first.appendUserMessage("one");
  const second = await temporary.another().open(first.id);
  await second.close("done");
  assert.equal((await temporary.store.list()).length, 1);
  await first.close("done");
});

Deno.test("FileStore.open() takes a lock over from a process that is gone", async () => {
  await using temporary = await temporaryStore();
  const path = await fileWith(temporary.home, headerLine() + userLine("u1", null));
  await Deno.writeTextFile(`${path}.lock`, "");
  const session = await temporary.store.open(path);
  assert.equal(session.continuedFrom, undefined);
  session.appendUserMessage("next");
  await session.close("done");
  assert.equal(openSessionFile(path).content.entries.length, 3);
});

Deno.test("FileStore.open() reads a newer version and goes on in a new file (B59)", async () => {
  await using temporary = await temporaryStore();
  const text = headerLine({ version: 2, id: "feed0001" }) + userLine("u1", null);
  const path = await fileWith(temporary.home, text);
  const session = await temporary.store.open(path);
  assert.equal(session.continuedFrom?.reason, "newer_version");
  assert.equal(session.header.version, 1);
  session.appendUserMessage("next");
  await session.close("done");
  assert.equal(await Deno.readTextFile(path), text);
  const { content } = openSessionFile(fileOf(session));
  assert.equal(content.header.parent_session, "feed0001");
  assert.equal(content.entries[0]?.id, "u1");
});

Deno.test("FileStore.open() goes on in a new file when it may not write to the old one", async () => {
  // The superuser may write to everything.
  if (Deno.build.os === "windows" || Deno.uid() === 0) return;
  await using temporary = await temporaryStore();
  const path = await fileWith(temporary.home, headerLine() + userLine("u1", null));
  await Deno.chmod(path, 0o400);
  const session = await temporary.store.open(path);
  assert.equal(session.continuedFrom?.reason, "read_only");
  session.appendUserMessage("next");
  assert.equal(session.persisted, true);
  await session.close("done");
});

Deno.test("FileStore.open() follows a link to the one file that others lock", async () => {
  if (Deno.build.os === "windows") return;
  await using temporary = await temporaryStore();
  const path = await fileWith(temporary.home, headerLine() + userLine("u1", null));
  const link = `${temporary.home}/link.jsonl`;
  await Deno.symlink(path, link);
  const session = await temporary.store.open(link);
  assert.equal(await temporary.store.open(path), session);
  const other = await temporary.another().open(link);
  assert.equal(other.continuedFrom?.reason, "locked");
  await other.close("done");
  await session.close("done");
});

Deno.test("FileStore.open() finds a session of another project by id", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendUserMessage("hi");
  await session.close("done");
  const moved = temporary.another({ root: "/moved" });
  assert.deepEqual(await moved.list(), []);
  assert.deepEqual(moved.listAll().map(({ id, cwd }) => [id, cwd]), [[session.id, "/project"]]);
  const opened = await moved.open(session.id);
  assert.equal(opened.id, session.id);
  await opened.close("done");
});

Deno.test("FileStore.remove() takes everything along that belongs to a session", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendUserMessage("run");
  session.appendToolResult({ toolCallId: "c", content: "x".repeat(300_000), isError: false });
  const child = await temporary.store.openChild(session);
  child.appendUserMessage("child");
  await child.close("done");
  await session.close("done");
  const path = fileOf(session);
  await Deno.writeTextFile(`${path}.torn`, "x");
  await Deno.writeTextFile(`${path}.lock`, "");
  const folder = path.slice(0, path.lastIndexOf("/"));
  assert.equal([...Deno.readDirSync(folder)].length, 5);
  await temporary.store.remove(path);
  assert.deepEqual([...Deno.readDirSync(folder)], []);
});

Deno.test("FileStore.remove() refuses what another rho has open and what is no session", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendUserMessage("hi");
  const other = temporary.another();
  await assert.rejects(other.remove(session.id), { code: "session_in_use" });
  await assert.rejects(other.setTitle(session.id, "x"), { code: "session_in_use" });
  const file = `${temporary.home}/package.json`;
  await Deno.writeTextFile(file, "{}");
  await assert.rejects(other.remove(file), { code: "session_foreign" });
  assert.equal(await Deno.readTextFile(file), "{}");
  await session.close("done");
});

Deno.test("FileStore.open() names the session in its errors", async () => {
  await using temporary = await temporaryStore();
  await assert.rejects(temporary.store.open("./nothing.jsonl"), (error: unknown) => {
    assert.ok(error instanceof SessionError);
    assert.match(error.message, /^Cannot open session "\.\/nothing\.jsonl": there is no such file/);
    return true;
  });
});

Deno.test("FileStore.read() takes no lock, writes nothing and gives an open session as it is", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendSystemMessage("system");
  session.appendUserMessage("hello");
  assert.equal(await temporary.store.read(session.id), session);
  const other = temporary.another();
  const looked = await other.read(session.id);
  assert.deepEqual(looked.entries.map(({ id }) => id), session.entries.map(({ id }) => id));
  looked.appendUserMessage("kept nowhere");
  session.appendUserMessage("and on");
  await session.close("test");
  assert.deepEqual(
    openSessionFile(fileOf(session)).content.entries.flatMap(({ payload }) =>
      payload.type === "Message" && payload.message.role === "user" ? [payload.message.content] : []
    ),
    ["hello", "and on"],
  );
});

Deno.test("FileStore.remove() leaves what is not in its own folders alone", async () => {
  await using temporary = await temporaryStore();
  const file = await fileWith(temporary.home, headerLine() + userLine("a", null));
  await assert.rejects(temporary.store.remove(file), { code: "session_outside_store" });
  assert.ok((await Deno.stat(file)).isFile);
});
