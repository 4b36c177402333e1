import assert from "node:assert/strict";
import { MemoryStore } from "../../sessions/memory_store.ts";
import type { Session } from "../../sessions/session.ts";
import { SessionError } from "../../sessions/session_error.ts";
import type { SessionStore } from "../../sessions/session_store.ts";
import { stateOf, temporaryStore } from "./session_support.ts";

/** Every store passes the same tests. */
const STORES: readonly { name: string; using: (test: StoreTest) => Promise<void> }[] = [
  {
    name: "FileStore",
    async using(test) {
      await using temporary = await temporaryStore();
      await test(temporary.store);
    },
  },
  {
    name: "MemoryStore",
    async using(test) {
      await test(new MemoryStore({ root: "/project" }));
    },
  },
];

type StoreTest = (store: SessionStore) => Promise<void>;

function conformance(title: string, test: StoreTest): void {
  for (const { name, using } of STORES) {
    Deno.test(`${name} ${title}`, () => using(test));
  }
}

async function closedSession(store: SessionStore, prompt: string): Promise<Session> {
  const session = await store.create();
  session.appendSystemMessage("system");
  session.appendUserMessage(prompt);
  session.appendAssistantMessage({ content: "ok", finishReason: "stop" });
  await session.endTurn();
  await session.close("done");
  return session;
}

conformance("opens what was closed, with the same id each time (B61)", async (store) => {
  const made = await closedSession(store, "one");
  for (let i = 0; i < 2; i++) {
    const opened = await store.open(made.id);
    assert.equal(opened.id, made.id);
    assert.deepEqual(stateOf(opened), stateOf(made));
    assert.equal(opened.continuedFrom, undefined);
    await opened.close("done");
  }
});

conformance("gives the same session when one is opened twice", async (store) => {
  const session = await store.create();
  session.appendSystemMessage("system");
  session.appendUserMessage("hi");
  assert.equal(await store.open(session.id), session);
  await session.close("done");
});

conformance("goes on in an opened session", async (store) => {
  const { id, entries } = await closedSession(store, "one");
  const opened = await store.open(id);
  opened.appendUserMessage("two");
  await opened.close("done");
  const again = await store.open(id);
  assert.equal(again.entries.length, entries.length + 2);
  assert.equal(again.entries[entries.length]?.parentId, entries.at(-1)?.id);
  await again.close("done");
});

conformance("finds a session by the start of its id and refuses a guess (B61)", async (store) => {
  const sessions: Session[] = [];
  for (let i = 0; i < 17; i++) sessions.push(await closedSession(store, `p${i}`));
  const groups = Map.groupBy(sessions, ({ id }) => id.slice(0, 1));
  const shared = [...groups.values()].find((group) => group.length > 1);
  assert.ok(shared !== undefined);
  const [first] = shared;
  await assert.rejects(store.open(first?.id.slice(0, 1) ?? ""), (error: unknown) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, "session_ambiguous");
    assert.deepEqual(error.data.candidates, shared.map(({ id }) => id).sort());
    return true;
  });
  const found = await store.open(first?.id.slice(0, 7) ?? "");
  assert.equal(found.id, first?.id);
  await found.close("done");
});

conformance("refuses an unknown id and names what there is (B61)", async (store) => {
  const { id } = await closedSession(store, "one");
  await assert.rejects(store.open("zzzzzzzz"), (error: unknown) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, "session_not_found");
    assert.deepEqual(error.data.candidates, [id]);
    return true;
  });
  assert.equal((await store.list()).length, 1);
});

conformance("lists sessions with a prompt, newest first", async (store) => {
  assert.deepEqual(await store.list(), []);
  assert.equal(await store.latest(), undefined);
  const unused = await store.create();
  unused.appendSystemMessage("system");
  await unused.close("done");
  const first = await closedSession(store, "  first line\nsecond line");
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = await closedSession(store, "two");
  const list = await store.list();
  assert.deepEqual(list.map(({ id }) => id), [second.id, first.id]);
  const latest = await store.latest();
  assert.equal(latest, list[0]?.path);
  const summary = list[1];
  assert.equal(summary?.entryCount, 4);
  assert.equal(summary?.firstPrompt, "first line");
  assert.equal(summary?.title, null);
  assert.equal(summary?.cwd, "/project");
  assert.ok((summary?.sizeKb ?? 0) > 0);
});

conformance("setTitle() titles a closed session and keeps its time", async (store) => {
  const first = await closedSession(store, "one");
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = await closedSession(store, "two");
  await store.setTitle(first.id, "A title");
  await store.setTitle(first.id, "A better title");
  const list = await store.list();
  assert.deepEqual(list.map(({ id, title }) => [id, title]), [
    [second.id, null],
    [first.id, "A better title"],
  ]);
  const opened = await store.open(first.id);
  assert.equal(opened.title, "A better title");
  await opened.close("done");
});

conformance("remove() takes a closed session away, with its children", async (store) => {
  const parent = await closedSession(store, "one");
  const child = await store.openChild(parent, { id: "kid" });
  child.appendSystemMessage("system");
  child.appendUserMessage("child work");
  await child.close("done");
  await store.remove(parent.id);
  assert.deepEqual(await store.list(), []);
  await assert.rejects(store.open(parent.id), { code: "session_not_found" });
});

conformance("refuses to title or remove an open session", async (store) => {
  const session = await store.create();
  session.appendSystemMessage("system");
  session.appendUserMessage("hi");
  await assert.rejects(store.remove(session.id), { code: "session_in_use" });
  await assert.rejects(store.setTitle(session.id, "x"), { code: "session_in_use" });
  await session.close("done");
});

conformance("keeps child sessions out of lists", async (store) => {
  const parent = await closedSession(store, "one");
  const child = await store.openChild(parent, { id: "kid_1" });
  child.appendSystemMessage("system");
  child.appendUserMessage("child work");
  await child.close("done");
  assert.equal(child.header.parent_session, parent.id);
  assert.deepEqual((await store.list()).map(({ id }) => id), [parent.id]);
  assert.equal((await store.open(await store.latest() ?? "")).id, parent.id);
  await (await store.open(parent.id)).close("done");
  const again = await store.openChild(parent, { id: "kid_1" });
  assert.equal(again.messageCount, 2);
  await again.close("done");
});

conformance("refuses ids that would leave its folder", async (store) => {
  const parent = await closedSession(store, "one");
  await assert.rejects(store.openChild(parent, { id: "../../x" }), { code: "session_bad_id" });
  await assert.rejects(store.open("../x"), SessionError);
});

conformance("keeps the full text of a bounded result", async (store) => {
  const session = await store.create();
  session.appendSystemMessage("system");
  session.appendUserMessage("run");
  session.appendAssistantMessage({
    content: "",
    toolCalls: [{ id: "call", name: "run_command", arguments: "{}" }],
  });
  const text = "line\n".repeat(1000);
  const entry = session.appendToolResult({
    toolCallId: "call",
    content: text,
    isError: false,
    maxBytes: 1000,
  });
  assert.equal(await session.fullOutput(entry.id), text);
  await session.close("done");
  const opened = await store.open(session.id);
  assert.equal(await opened.fullOutput(entry.id), text);
  await assert.rejects(opened.fullOutput("no such entry"), { code: "entry_not_found" });
  await opened.close("done");
});
