import assert from "node:assert/strict";
import { FileStore } from "../../sessions/file_store.ts";
import { openSessionFile } from "../../sessions/files/session_opener.ts";
import type { SessionNotice } from "../../sessions/session_notice.ts";
import { fileOf } from "./session_support.ts";

const SIZE = "256k";

/** Mounts a disk of 256 KiB, or tells why that cannot be done here. */
async function smallDisk(): Promise<{ path: string } & AsyncDisposable | string> {
  if (Deno.build.os !== "linux") return "only Linux has tmpfs";
  const path = await Deno.makeTempDir({ prefix: "rho-full-disk-" });
  const mount = (args: string[]) =>
    new Deno.Command(args[0] ?? "", { args: args.slice(1), stderr: "null", stdout: "null" })
      .output().then(({ success }) => success, () => false);
  if (!await mount(["mount", "-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", path])) {
    await Deno.remove(path);
    return "mounting a tmpfs is not permitted";
  }
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await mount(["umount", path]);
      await Deno.remove(path);
    },
  };
}

/** Fills a disk to its last byte. */
function fill(path: string): void {
  using file = Deno.openSync(path, { write: true, create: true });
  const block = new Uint8Array(4096);
  try {
    while (file.writeSync(block) > 0);
  } catch {
    // It is full, as it should be.
  }
}

const PROBE = await smallDisk();
if (typeof PROBE !== "string") await PROBE[Symbol.asyncDispose]();

Deno.test({
  name: "Session goes on while a real disk is full and catches up in order" +
    (typeof PROBE === "string" ? ` (skipped: ${PROBE})` : ""),
  ignore: typeof PROBE === "string",
  fn: async () => {
    const disk = await smallDisk();
    if (typeof disk === "string") return;
    await using _owned = disk;
    const notices: SessionNotice[] = [];
    const store = new FileStore({
      home: disk.path,
      root: "/project",
      redact: (text) => text,
      onNotice: (notice) => notices.push(notice),
    });
    const session = await store.create();
    session.appendSystemMessage("system");
    const persisted: boolean[] = [];
    for (let round = 0; round < 3; round++) {
      const filler = `${disk.path}/filler`;
      fill(filler);
      for (let i = 0; i < 20; i++) {
        session.appendUserMessage(`message ${round * 20 + i} ${"x".repeat(500)}`);
      }
      await session.endTurn();
      persisted.push(session.persisted);
      // What is in the file is whole lines, in order.
      if (round > 0) assert.equal(openSessionFile(fileOf(session)).recovered?.badLines ?? 0, 0);
      Deno.removeSync(filler);
      session.appendUserMessage(`message after round ${round}`);
      persisted.push(session.persisted);
    }
    assert.deepEqual(persisted, [false, true, false, true, false, true]);
    assert.deepEqual(notices.map(({ code }) => code), ["session_not_saved"]);
    const expected = session.entries.map(({ id }) => id);
    await session.close("test");
    const { content, recovered } = openSessionFile(fileOf(session));
    assert.equal(recovered, undefined);
    assert.deepEqual(content.entries.slice(0, expected.length).map(({ id }) => id), expected);
  },
});
