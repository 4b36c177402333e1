import assert from "node:assert/strict";
import fc from "fast-check";
import { openSessionFile } from "../../../sessions/files/session_opener.ts";
import type { Session } from "../../../sessions/session.ts";
import {
  entryLine,
  fileOf,
  fileWith,
  headerLine,
  temporaryStore,
  userLine,
} from "../session_support.ts";

const FIXTURES = new URL("../../fixtures/sessions/", import.meta.url).pathname;

function texts(session: Session): string[] {
  return session.pathMessages().map(({ message }) => message.content);
}

Deno.test("openSessionFile() reads the shapes of the Rust rho 0.93", async () => {
  await using temporary = await temporaryStore();
  const path = await fileWith(temporary.home, await Deno.readFile(`${FIXTURES}rust_0_93.jsonl`));
  const session = await temporary.store.open(path);
  assert.equal(session.id, "4b021d5d");
  assert.equal(session.recovered, undefined);
  assert.deepEqual(session.cursors(), [
    { id: "c0", leaf: "e5f6a7b8-0000-4000-8000-000000000005", active: false },
    { id: "c1", leaf: "e5f6a7b8-0000-4000-8000-000000000008", name: "try again", active: true },
  ]);
  assert.deepEqual(texts(session), ["you are a coding assistant", "fix the bug", "look at lib.rs"]);
  assert.deepEqual(session.readCustomState("acme.state.v1"), { n: 1 });
  assert.equal(session.readCustomState("acme.state.v2"), undefined);
  assert.deepEqual(
    session.cursor("c0").pathMessages().map(({ message, resolution }) => [
      message.role,
      message.content,
      resolution.level,
    ]),
    [
      ["system", "you are a coding assistant", "Full"],
      ["user", "fix the bug", "Full"],
      ["assistant", "", "Full"],
      ["tool", "read_file src/main.rs: 1 line", "Outlined"],
      ["assistant", "done", "Full"],
    ],
  );
  await session.close("done");
});

Deno.test("openSessionFile() reads resolutions on entries as the Rust rho 0.84 wrote them", async () => {
  await using temporary = await temporaryStore();
  const path = await fileWith(temporary.home, await Deno.readFile(`${FIXTURES}rust_0_84.jsonl`));
  const session = await temporary.store.open(path);
  assert.equal(session.leaf, "u2");
  assert.equal(session.cursorId, "c0");
  assert.deepEqual([...session.stamps], [
    ["u1", { level: "Pinned" }],
    ["a1", { level: "Summarized", summary: "answered" }],
  ]);
  const shown = texts(session);
  assert.deepEqual([shown[0], shown[1], shown[3], shown[4]], [
    "you are a coding assistant",
    "first request",
    "answered",
    "second request",
  ]);
  assert.match(shown[2] ?? "", /compacted: 2 entries, about 120 tokens/);
  assert.match(shown[2] ?? "", /\*\*Current request:\*\* second request/);
  await session.close("done");
});

Deno.test("openSessionFile() keeps everything before a torn line, also with blank lines behind it (B46)", async () => {
  await using temporary = await temporaryStore();
  const sound = headerLine() + userLine("u1", null) + userLine("u2", "u1");
  const torn = '{"type":"Entry","id":"4","par';
  for (const tail of [torn, `${torn}\n\n`]) {
    const { content, recovered } = openSessionFile(await fileWith(temporary.home, sound + tail));
    assert.deepEqual(content.entries.map(({ id }) => id), ["u1", "u2"]);
    assert.deepEqual(
      recovered,
      tail === torn
        ? { badLines: 0, tornBytes: torn.length, reattached: 0 }
        : { badLines: 1, tornBytes: 0, reattached: 0 },
    );
  }
});

Deno.test("openSessionFile() skips a bad line in the middle and hangs its children on (B47)", async () => {
  await using temporary = await temporaryStore();
  const lost = userLine("u2", "u1", "abcd");
  const glued = lost.slice(0, 60) + lost;
  const path = await fileWith(
    temporary.home,
    headerLine() + userLine("u1", null) + glued + userLine("u3", "u2") + userLine("u4", "u3"),
  );
  const before = await Deno.readFile(path);
  const session = await temporary.store.open(path);
  assert.deepEqual(session.recovered, { badLines: 1, tornBytes: 0, reattached: 1 });
  assert.deepEqual(texts(session), ["u1", "u3", "u4"]);
  assert.deepEqual(await Deno.readFile(path), before);
  assert.equal((await temporary.store.list()).length, 0);
  session.appendUserMessage("next");
  await session.close("done");
  const text = await Deno.readTextFile(path);
  assert.ok(text.startsWith(new TextDecoder().decode(before)));
  const again = openSessionFile(path);
  assert.deepEqual(again.recovered, { badLines: 1, tornBytes: 0, reattached: 1 });
});

Deno.test("openSessionFile() hangs a lost branch on where its cursor stood", async () => {
  await using temporary = await temporaryStore();
  const cursor = (id: string, leaf: string) => `${JSON.stringify({ type: "Cursor", id, leaf })}\n`;
  const path = await fileWith(
    temporary.home,
    headerLine() + userLine("u1", null) + userLine("a", "u1") + cursor("c0", "a") +
      cursor("c1", "u1") + userLine("b", "u1") + cursor("c0", "a") + "broken\n" +
      userLine("a2", "lost"),
  );
  const { content } = openSessionFile(path);
  assert.equal(content.entries.at(-1)?.parentId, "a");
  assert.deepEqual(content.cursors.map((state) => [state.id, state.leaf]), [["c0", "a2"], [
    "c1",
    "b",
  ]]);
});

Deno.test("openSessionFile() falls back to the last entry when a cursor's leaf is lost", async () => {
  await using temporary = await temporaryStore();
  const path = await fileWith(
    temporary.home,
    headerLine() + userLine("u1", null) + "broken\n" +
      `${JSON.stringify({ type: "Cursor", id: "c0", leaf: "lost" })}\n` + userLine("u3", "lost"),
  );
  const { content } = openSessionFile(path);
  assert.equal(content.entries.at(-1)?.parentId, "u1");
  assert.equal(content.cursors[0]?.leaf, "u3");
});

Deno.test("openSessionFile() finds parents that come later and refuses circles (B52)", async () => {
  await using temporary = await temporaryStore();
  const early = openSessionFile(
    await fileWith(
      temporary.home,
      headerLine() + userLine("u", null) + userLine("result", "call") + userLine("call", "u"),
    ),
  );
  assert.deepEqual(early.content.entries.map(({ id, parentId }) => [id, parentId]), [
    ["u", null],
    ["result", "call"],
    ["call", "u"],
  ]);
  assert.equal(early.content.cursors[0]?.leaf, "result");
  const circle = openSessionFile(
    await fileWith(
      temporary.home,
      headerLine() + userLine("u", null) + userLine("a", "b") + userLine("b", "a") +
        userLine("self", "self"),
    ),
  );
  for (const { id, parentId } of circle.content.entries) assert.notEqual(id, parentId);
  assert.equal(circle.content.entries[1]?.parentId, "u");
});

Deno.test("openSessionFile() keeps the first of two entries with one id", async () => {
  await using temporary = await temporaryStore();
  const { content, recovered } = openSessionFile(
    await fileWith(
      temporary.home,
      headerLine() + userLine("u", null, "first") + userLine("u", "u", "second"),
    ),
  );
  assert.equal(content.entries.length, 1);
  assert.equal(recovered?.badLines, 1);
});

Deno.test("openSessionFile() says what is wrong with anything that is no session (B53)", async () => {
  await using temporary = await temporaryStore();
  const { home, store } = temporary;
  const cases: readonly (readonly [string, string])[] = [
    [await fileWith(home, ""), "session_empty"],
    [await fileWith(home, '{\n  "name": "app",\n  "version": "1.0.0"\n}\n'), "session_foreign"],
    [
      await fileWith(home, '{"type":"session","version":3}\n{"type":"message"}\n'),
      "session_foreign",
    ],
    [await fileWith(home, new Uint8Array(1000)), "session_foreign"],
    [home, "session_foreign"],
    [`${home}/missing.jsonl`, "session_not_found"],
  ];
  for (const [path, code] of cases) {
    const before = code === "session_not_found" ? undefined : Deno.statSync(path);
    await assert.rejects(store.open(path), { name: "SessionError", code });
    if (before !== undefined) assert.deepEqual(Deno.statSync(path).mtime, before.mtime);
  }
  assert.deepEqual([...Deno.readDirSync(home)].filter(({ name }) => name.endsWith(".lock")), []);
});

Deno.test("openSessionFile() opens a file that holds only its header (B53)", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.open(await fileWith(temporary.home, headerLine()));
  assert.equal(session.leaf, null);
  session.appendSystemMessage("system");
  session.appendUserMessage("hi");
  await session.close("done");
  assert.equal(openSessionFile(fileOf(session)).content.entries.length, 3);
});

Deno.test("openSessionFile() makes a header up when only entries are readable", async () => {
  await using temporary = await temporaryStore();
  const path = `${temporary.home}/1700000123_beef0001.jsonl`;
  await Deno.writeTextFile(path, `broken\n${userLine("u1", null)}`);
  const { content, recovered } = openSessionFile(path);
  assert.deepEqual(content.header, {
    id: "beef0001",
    version: 1,
    created_at_secs: 1700000123,
    cwd: "",
    parent_session: null,
  });
  assert.equal(recovered?.badLines, 1);
});

Deno.test("openSessionFile() reads pieces of a record with a raw newline as bad lines (B58)", async () => {
  await using temporary = await temporaryStore();
  const line = userLine("u2", "u1", "one NEWLINE two").replace("NEWLINE", "\n");
  const { content, recovered } = openSessionFile(
    await fileWith(
      temporary.home,
      headerLine() + userLine("u1", null) + line + userLine("u3", "u2"),
    ),
  );
  assert.deepEqual(content.entries.map(({ id, parentId }) => [id, parentId]), [
    ["u1", null],
    ["u3", "u1"],
  ]);
  assert.deepEqual(recovered, { badLines: 2, tornBytes: 0, reattached: 1 });
});

Deno.test("openSessionFile() keeps what a newer version wrote and reads the rest (B59)", async () => {
  await using temporary = await temporaryStore();
  const newer = '{"type":"Checkpoint","id":"x","what":{"deep":1}}\n';
  const path = await fileWith(
    temporary.home,
    headerLine({ extra: true }) + userLine("u1", null) + newer +
      entryLine("k", "u1", { Telepathy: { thought: 1 } }) +
      entryLine("m", "k", { Message: { role: "oracle", content: "?" } }) + userLine("u2", "m"),
  );
  const session = await temporary.store.open(path);
  assert.equal(session.recovered, undefined);
  assert.equal(session.log.unknownLines, 1);
  assert.deepEqual(texts(session), ["u1", "u2"]);
  assert.deepEqual(session.entries.map(({ payload }) => payload.type), [
    "Message",
    "Unknown",
    "Unknown",
    "Message",
  ]);
  const before = await Deno.readTextFile(path);
  session.appendUserMessage("next");
  await session.close("done");
  assert.ok((await Deno.readTextFile(path)).startsWith(before));
});

Deno.test("openSessionFile() mends lone surrogates while reading (B55)", async () => {
  await using temporary = await temporaryStore();
  const line = '{"type":"Entry","id":"u1","parent_id":null,"payload":{"Message":{"role":"user",' +
    '"content":"half \\ud83d, whole \\ud83d\\ude00"}}}\n';
  const { content } = openSessionFile(await fileWith(temporary.home, headerLine() + line));
  const payload = content.entries[0]?.payload;
  assert.ok(payload?.type === "Message");
  assert.equal(payload.message.content, "half \ufffd, whole 😀");
});

Deno.test("openSessionFile() reads a byte order mark, CRLF and broken UTF-8", async () => {
  await using temporary = await temporaryStore();
  const text = `\ufeff${headerLine()}${userLine("u1", null)}`.replaceAll("\n", "\r\n");
  const bytes = new TextEncoder().encode(text + userLine("u2", "u1", "caf#"));
  bytes[bytes.lastIndexOf("#".charCodeAt(0))] = 0xe9;
  const { content, recovered } = openSessionFile(await fileWith(temporary.home, bytes));
  assert.equal(recovered, undefined);
  const last = content.entries.at(-1)?.payload;
  assert.ok(last?.type === "Message" && last.message.content === "caf\ufffd");
});

Deno.test("openSessionFile() accepts any JSON as stored arguments (B43)", async () => {
  await using temporary = await temporaryStore();
  const calls = [123, { command: 123 }, null, [1], '{"a":1}', undefined].map((value, i) => ({
    id: i,
    type: "function",
    function: { name: "run", arguments: value },
  }));
  const line = entryLine("a", null, { Message: { role: "assistant", tool_calls: calls } });
  const { content } = openSessionFile(await fileWith(temporary.home, headerLine() + line));
  const payload = content.entries[0]?.payload;
  assert.ok(payload?.type === "Message" && payload.message.role === "assistant");
  assert.deepEqual(payload.message.tool_calls?.map((call) => call.function.arguments), [
    "123",
    '{"command":123}',
    "{}",
    "[1]",
    '{"a":1}',
    "{}",
  ]);
});

Deno.test("openSessionFile() opens a file cut at any byte and never loses a whole line", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendSystemMessage("système 😀");
  session.appendUserMessage("fix it");
  session.appendAssistantMessage({
    content: "ok",
    toolCalls: [{ id: "c", name: "read_file", arguments: '{"path":"é"}' }],
  });
  session.appendToolResult({ toolCallId: "c", content: "text", isError: false });
  await session.endTurn();
  session.branchTo(session.entries[1]?.id ?? "");
  session.fork("other");
  session.appendUserMessage("again");
  await session.close("done");
  const bytes = await Deno.readFile(fileOf(session));
  const path = `${temporary.home}/1700000000_cafe0001.jsonl`;
  const headerEnd = bytes.indexOf(0x0a);
  for (let cut = headerEnd; cut <= bytes.length; cut++) {
    await Deno.writeFile(path, bytes.subarray(0, cut));
    const { content, recovered, tail } = openSessionFile(path);
    const whole = new TextDecoder().decode(bytes.subarray(0, cut)).split("\n").slice(0, -1);
    const entries = whole.filter((line) => line.includes('"type":"Entry"')).length;
    assert.ok(content.entries.length >= entries && content.entries.length <= entries + 1);
    assert.equal(recovered?.badLines ?? 0, 0);
    assert.equal(tail.size, cut);
    assert.equal(tail.wholeSize + (recovered?.tornBytes ?? 0), cut);
  }
});

Deno.test("openSessionFile() never throws anything but a SessionError", async () => {
  await using temporary = await temporaryStore();
  const path = `${temporary.home}/1700000000_cafe0002.jsonl`;
  const sound = new TextEncoder().encode(
    headerLine() + userLine("u1", null) + userLine("u2", "u1") +
      '{"type":"Cursor","id":"c0","leaf":"u2"}\n',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ at: fc.nat(sound.length - 1), byte: fc.nat(255) }), { maxLength: 8 }),
      async (changes) => {
        const bytes = sound.slice();
        for (const { at, byte } of changes) bytes[at] = byte;
        await Deno.writeFile(path, bytes);
        try {
          const { content } = openSessionFile(path);
          for (const state of content.cursors) {
            const known = new Set(content.entries.map(({ id }) => id));
            assert.ok(state.leaf === null || known.has(state.leaf));
          }
        } catch (error) {
          assert.equal((error as Error).name, "SessionError");
        }
      },
    ),
    { numRuns: 200 },
  );
});
