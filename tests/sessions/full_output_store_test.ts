import assert from "node:assert/strict";
import { FileFullOutputStore } from "../../sessions/full_output_store.ts";
import type { SessionNotice } from "../../sessions/session_notice.ts";

Deno.test("FileFullOutputStore writes redacted text for the owner only", async () => {
  const home = await Deno.makeTempDir();
  const store = new FileFullOutputStore(`${home}/s.full`, {
    redact: (text) => text.replaceAll("secret", () => "[REDACTED]"),
    onNotice: () => assert.fail("no notice is due"),
  });
  store.save("e1", "a secret");
  assert.equal(await store.read("e1"), "a [REDACTED]");
  assert.equal(await Deno.readTextFile(`${home}/s.full/e1.txt`), "a [REDACTED]");
  if (Deno.build.os !== "windows") {
    assert.equal((Deno.statSync(`${home}/s.full`).mode ?? 0) & 0o777, 0o700);
    assert.equal((Deno.statSync(`${home}/s.full/e1.txt`).mode ?? 0) & 0o777, 0o600);
  }
  assert.equal(await store.read("none"), undefined);
  await Deno.remove(home, { recursive: true });
});

Deno.test("FileFullOutputStore keeps the text in memory when the disk refuses, and says so once", async () => {
  const home = await Deno.makeTempDir();
  await Deno.writeTextFile(`${home}/s.full`, "in the way");
  const notices: SessionNotice[] = [];
  const store = new FileFullOutputStore(`${home}/s.full`, {
    redact: (text) => text,
    onNotice: (notice) => notices.push(notice),
  });
  store.save("e1", "one");
  store.save("e2", "two");
  assert.equal(await store.read("e1"), "one");
  assert.equal(await store.read("e2"), "two");
  assert.deepEqual(notices.map(({ code }) => code), ["full_output_not_saved"]);
  await Deno.remove(home, { recursive: true });
});

Deno.test("FileFullOutputStore takes no path for an id", async () => {
  const home = await Deno.makeTempDir();
  await Deno.writeTextFile(`${home}/x.txt`, "outside");
  const store = new FileFullOutputStore(`${home}/s.full`, {
    redact: (text) => text,
    onNotice: () => {},
  });
  assert.equal(await store.read("../x"), undefined);
  store.save("../y", "text");
  assert.equal(await store.read("../y"), "text");
  assert.throws(() => Deno.statSync(`${home}/y.txt`), Deno.errors.NotFound);
  await Deno.remove(home, { recursive: true });
});

Deno.test("FileFullOutputStore looks beside the session that was continued", async () => {
  const home = await Deno.makeTempDir();
  const options = { redact: (text: string) => text, onNotice: () => {} };
  new FileFullOutputStore(`${home}/old.full`, options).save("e1", "text");
  const store = new FileFullOutputStore(`${home}/new.full`, {
    ...options,
    fallbackFolder: `${home}/old.full`,
  });
  assert.equal(await store.read("e1"), "text");
  await Deno.remove(home, { recursive: true });
});
