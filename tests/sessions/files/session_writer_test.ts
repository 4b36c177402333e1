import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type AppendFile,
  type FileOps,
  SYSTEM_FILE_OPS,
} from "../../../sessions/files/file_ops.ts";
import { openSessionFile } from "../../../sessions/files/session_opener.ts";
import { fileOf, headerLine, stateOf, temporaryStore, userLine } from "../session_support.ts";

/** A disk with room for so many more bytes, which it may get back. */
class SmallDisk implements FileOps {
  room = Number.POSITIVE_INFINITY;
  syncs = 0;

  makeFolder(path: string): void {
    this.#refuseWhenFull();
    SYSTEM_FILE_OPS.makeFolder(path);
  }

  openAppend(path: string): AppendFile {
    const file = SYSTEM_FILE_OPS.openAppend(path);
    return {
      writeSync: (bytes) => {
        this.#refuseWhenFull();
        // A disk that fills up takes a part first and refuses the rest afterwards.
        const part = bytes.subarray(0, Math.min(bytes.length, this.room));
        this.room -= part.length;
        return file.writeSync(part);
      },
      statSync: () => file.statSync(),
      syncDataSync: () => {
        this.syncs += 1;
      },
      syncData: () => {
        this.syncs += 1;
        return Promise.resolve();
      },
      close: () => file.close(),
    };
  }

  truncate(path: string, size: number): void {
    this.room += Deno.statSync(path).size - size;
    SYSTEM_FILE_OPS.truncate(path, size);
  }

  readRange(path: string, from: number, to: number): Uint8Array<ArrayBuffer> {
    return SYSTEM_FILE_OPS.readRange(path, from, to);
  }

  #refuseWhenFull(): void {
    if (this.room > 0) return;
    throw Object.assign(new TypeError("No space left on device"), { code: "ENOSPC" });
  }
}

Deno.test("SessionWriter makes the file with the first entry after the system message", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  const path = fileOf(session);
  session.appendSystemMessage("system");
  session.appendModelChange("m");
  assert.deepEqual([...Deno.readDirSync(temporary.home)], []);
  session.appendUserMessage("hi");
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
  assert.deepEqual(lines.map((line) => JSON.parse(line).type), [
    "Header",
    "Entry",
    "Entry",
    "Entry",
  ]);
  await session.close("done");
});

Deno.test("SessionWriter leaves nothing behind when there was no prompt", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendSystemMessage("system");
  await session.endTurn();
  await session.close("done");
  assert.deepEqual([...Deno.readDirSync(temporary.home)], []);
});

Deno.test("SessionWriter makes folders 0700 and files 0600", async () => {
  if (Deno.build.os === "windows") return;
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendUserMessage("hi");
  const path = fileOf(session);
  const modes = [`${temporary.home}/sessions`, path.slice(0, path.lastIndexOf("/")), path]
    .map((name) => ((Deno.statSync(name).mode ?? 0) & 0o777).toString(8));
  assert.deepEqual(modes, ["700", "700", "600"]);
  await session.close("done");
});

Deno.test("SessionWriter has each line in the file when the append returns", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  for (let i = 0; i < 20; i++) {
    const { id } = session.appendUserMessage(`message ${i}`);
    assert.ok((await Deno.readTextFile(fileOf(session))).includes(id));
  }
  await session.close("done");
});

Deno.test("SessionWriter goes on in memory while the disk is full and catches up in order", async () => {
  const fileOps = new SmallDisk();
  await using temporary = await temporaryStore({ fileOps });
  const session = await temporary.store.create();
  session.appendSystemMessage("system");
  session.appendUserMessage("before");
  assert.equal(session.persisted, true);
  const whole = await Deno.readTextFile(fileOf(session));
  fileOps.room = 50;
  session.appendUserMessage("lost one");
  session.appendUserMessage("lost two");
  session.setTitle("a title");
  assert.equal(session.persisted, false);
  assert.equal(await Deno.readTextFile(fileOf(session)), whole);
  assert.deepEqual(temporary.notices.map(({ code, level }) => [code, level]), [
    ["session_not_saved", "warn"],
  ]);
  fileOps.room = Number.POSITIVE_INFINITY;
  session.appendUserMessage("after");
  assert.equal(session.persisted, true);
  await session.close("done");
  const opened = await temporary.store.open(session.id);
  assert.deepEqual(stateOf(opened), stateOf(session));
  assert.equal(opened.recovered, undefined);
  assert.equal(temporary.notices.length, 1);
  await opened.close("done");
});

Deno.test("SessionWriter starts later when even the first file cannot be made", async () => {
  const fileOps = new SmallDisk();
  fileOps.room = 0;
  await using temporary = await temporaryStore({ fileOps });
  const session = await temporary.store.create();
  session.appendUserMessage("one");
  assert.equal(session.persisted, false);
  fileOps.room = Number.POSITIVE_INFINITY;
  await session.flush();
  assert.equal(session.persisted, true);
  await session.close("done");
  assert.equal(openSessionFile(fileOf(session)).content.entries.length, 2);
});

Deno.test("SessionWriter keeps what another program appended after a failed line", async () => {
  const fileOps = new SmallDisk();
  await using temporary = await temporaryStore({ fileOps });
  const session = await temporary.store.create();
  session.appendUserMessage("one");
  const truncate = fileOps.truncate.bind(fileOps);
  fileOps.truncate = () => {
    throw Object.assign(new TypeError("No space left on device"), { code: "ENOSPC" });
  };
  fileOps.room = 20;
  session.appendUserMessage("two");
  fileOps.truncate = truncate;
  const foreign = `\n${userLine("foreign", session.entries[0]?.id ?? null)}`;
  await Deno.writeTextFile(fileOf(session), foreign, { append: true });
  fileOps.room = Number.POSITIVE_INFINITY;
  session.appendUserMessage("three");
  await session.close("done");
  const { content } = openSessionFile(fileOf(session));
  const texts = content.entries.flatMap(({ payload }) =>
    payload.type === "Message" ? [payload.message.content] : []
  );
  assert.deepEqual(texts.sort(), ["foreign", "one", "three", "two"]);
});

Deno.test("SessionWriter cuts half a line off before the next one when it could not at once", async () => {
  const fileOps = new SmallDisk();
  await using temporary = await temporaryStore({ fileOps });
  const session = await temporary.store.create();
  session.appendUserMessage("one");
  const truncate = fileOps.truncate.bind(fileOps);
  fileOps.truncate = () => {
    throw Object.assign(new TypeError("Input/output error"), { code: "EIO" });
  };
  fileOps.room = 20;
  session.appendUserMessage("two");
  fileOps.truncate = truncate;
  fileOps.room = Number.POSITIVE_INFINITY;
  session.appendUserMessage("three");
  await session.close("done");
  const { content, recovered } = openSessionFile(fileOf(session));
  assert.deepEqual(content.entries, session.entries);
  assert.equal(recovered, undefined);
});

Deno.test("SessionWriter loses nothing however a disk fills up and empties", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ room: fc.nat(600), text: fc.string({ maxLength: 80 }) }), {
        maxLength: 12,
      }),
      async (steps) => {
        const fileOps = new SmallDisk();
        await using temporary = await temporaryStore({ fileOps });
        const session = await temporary.store.create();
        for (const { room, text } of steps) {
          fileOps.room = room;
          session.appendUserMessage(text);
        }
        fileOps.room = Number.POSITIVE_INFINITY;
        session.appendUserMessage("last");
        await session.close("done");
        const opened = await temporary.another().open(session.id);
        assert.deepEqual(stateOf(opened), stateOf(session));
        assert.equal(opened.recovered, undefined);
        await opened.close("done");
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("SessionWriter syncs each entry, each turn or never", async () => {
  for (
    const [fsync, expected] of [["entry", [1, 2, 3]], ["turn", [0, 0, 1]], ["never", [
      0,
      0,
      0,
    ]]] as const
  ) {
    const fileOps = new SmallDisk();
    await using temporary = await temporaryStore({ fileOps, fsync });
    const session = await temporary.store.create();
    const seen: number[] = [];
    session.appendUserMessage("one");
    seen.push(fileOps.syncs);
    session.appendUserMessage("two");
    seen.push(fileOps.syncs);
    await session.endTurn();
    seen.push(fileOps.syncs);
    assert.deepEqual(seen, expected, fsync);
    await session.close("done");
  }
});

Deno.test("SessionWriter redacts every text and leaves ciphertext alone", async () => {
  await using temporary = await temporaryStore({
    redact: (text) => text.replaceAll("SECRET", () => "[REDACTED]"),
  });
  const session = await temporary.store.create();
  session.appendSystemMessage("system SECRET");
  session.appendUserMessage("user SECRET");
  session.appendAssistantMessage({
    content: "assistant SECRET",
    toolCalls: [{ id: "call_SECRET", name: "SECRET", arguments: '{"path":"SECRET"}' }],
    finishReason: "odd SECRET",
    reasoning: {
      text: "SECRET",
      items: [{ encrypted_content: "cipherSECRETtext", summary: ["SECRET"] }, {
        signature: "SECRETsig",
      }],
    },
  });
  session.appendToolResult({ toolCallId: "call_SECRET", content: "SECRET", isError: false });
  session.appendCustom("a.b.v1", { deep: [{ SECRET: "SECRET" }] });
  session.appendCustomMessage("a.b.v1", "SECRET");
  session.appendModelChange("SECRET");
  session.setTitle("SECRET");
  session.setResolution(session.entries[0]?.id ?? "", { level: "Outlined", outline: "SECRET" });
  session.setResolution(session.entries[1]?.id ?? "", { level: "Summarized", summary: "SECRET" });
  session.nameCursor("SECRET");
  await session.close("SECRET");
  const text = await Deno.readTextFile(fileOf(session));
  const kept = text.match(/\w*SECRET\w*/g);
  assert.deepEqual(kept, ["cipherSECRETtext", "SECRETsig"]);
});

Deno.test("SessionWriter never writes a raw line break inside a record (B58)", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendUserMessage("a\r\nb\u2028c\u0000d");
  session.appendCustom("a.b.v1", { "key\n": "value\r" });
  await session.close("done");
  const lines = (await Deno.readTextFile(fileOf(session))).split("\n");
  assert.equal(lines.pop(), "");
  for (const line of lines) assert.equal(typeof JSON.parse(line).type, "string");
});

Deno.test("SessionWriter moves a torn line aside before the first append (B46)", async () => {
  await using temporary = await temporaryStore();
  const torn = '{"type":"Entry","id":"u2","par';
  const path = `${temporary.home}/1700000000_abcd1234.jsonl`;
  const sound = headerLine() + userLine("u1", null);
  await Deno.writeTextFile(path, sound + torn);
  const session = await temporary.store.open(path);
  assert.deepEqual(session.recovered, { badLines: 0, tornBytes: torn.length, reattached: 0 });
  assert.equal(await Deno.readTextFile(path), sound + torn);
  session.appendUserMessage("next");
  await session.close("done");
  assert.ok((await Deno.readTextFile(path)).startsWith(`${sound}{"type":"Entry"`));
  assert.equal(await Deno.readTextFile(`${path}.torn`), `${torn}\n`);
});

Deno.test("SessionWriter keeps a whole last line that lacks its newline", async () => {
  await using temporary = await temporaryStore();
  const path = `${temporary.home}/1700000000_abcd1234.jsonl`;
  await Deno.writeTextFile(path, (headerLine() + userLine("u1", null)).trimEnd());
  const session = await temporary.store.open(path);
  assert.equal(session.recovered, undefined);
  const next = session.appendUserMessage("next");
  assert.equal(next.parentId, "u1");
  await session.close("done");
  const { content, recovered } = openSessionFile(path);
  assert.deepEqual(content.entries.map(({ id }) => id).slice(0, 2), ["u1", next.id]);
  assert.equal(recovered, undefined);
});

Deno.test("SessionWriter bounds what fits on no line and keeps the full text", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  const text = "0123456789\n".repeat(900_000);
  const user = session.appendUserMessage(text);
  assert.ok(user.payload.type === "Message" && user.payload.message.content.length < 300_000);
  assert.equal(await session.fullOutput(user.id), text);
  const reply = session.appendAssistantMessage({
    content: "",
    toolCalls: [{ id: "c", name: "write_file", arguments: JSON.stringify({ text }) }],
  });
  assert.ok(JSON.stringify(reply).length < 600_000);
  assert.throws(() => session.appendCustom("a.b.v1", { text }), { code: "entry_too_large" });
  await session.close("done");
  const longest = Math.max(
    ...(await Deno.readTextFile(fileOf(session))).split("\n").map((line) => line.length),
  );
  assert.ok(longest < 8 * 1024 * 1024);
});
