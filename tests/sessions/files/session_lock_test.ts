import assert from "node:assert/strict";
import { tryLockSession } from "../../../sessions/files/session_lock.ts";

Deno.test("tryLockSession() lets one hold a session and leaves no file behind", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/s.jsonl`;
  const lock = tryLockSession(path);
  assert.ok(lock !== undefined);
  assert.equal(tryLockSession(path), undefined);
  lock.release();
  lock.release();
  const next = tryLockSession(path);
  assert.ok(next !== undefined);
  next.release();
  if (Deno.build.os !== "windows") assert.deepEqual([...Deno.readDirSync(folder)], []);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("tryLockSession() locks the file that others find, not one that was removed", async () => {
  if (Deno.build.os === "windows") return;
  const folder = await Deno.makeTempDir();
  const path = `${folder}/s.jsonl`;
  const orphan = tryLockSession(path);
  await Deno.remove(`${path}.lock`);
  const lock = tryLockSession(path);
  assert.ok(lock !== undefined);
  assert.equal(tryLockSession(path), undefined);
  lock.release();
  orphan?.release();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("tryLockSession() throws when the lock file cannot be made", () => {
  assert.throws(() => tryLockSession("/nowhere/at/all/s.jsonl"), Deno.errors.NotFound);
});
