import assert from "node:assert/strict";
import { createLogger } from "../../../core/base/log.ts";
import {
  findLatestSession,
  listFolder,
  listSessions,
} from "../../../sessions/listing/discovery.ts";
import { projectFolder } from "../../../sessions/files/project_folder.ts";
import { entryLine, headerLine, temporaryStore, userLine } from "../session_support.ts";

async function folderOf(home: string): Promise<string> {
  const folder = await projectFolder(home, "/project");
  await Deno.mkdir(folder, { recursive: true });
  return folder;
}

Deno.test("listSessions() is empty without a folder", async () => {
  await using temporary = await temporaryStore();
  assert.deepEqual(await listSessions("/project", { home: temporary.home }), []);
  assert.equal(await findLatestSession("/project", { home: temporary.home }), undefined);
});

Deno.test("listSessions() counts entries, and finds the last title and the first prompt", async () => {
  await using temporary = await temporaryStore();
  const folder = await folderOf(temporary.home);
  const path = `${folder}/1700000000_aaaa0001.jsonl`;
  await Deno.writeTextFile(
    path,
    headerLine({ id: "aaaa0001" }) +
      entryLine("s", null, { Message: { role: "system", content: 'say "SessionInfo"' } }) +
      userLine("u1", "s", 'the first {"SessionInfo":1}\nmore') +
      entryLine("i1", "u1", { SessionInfo: { name: "old" } }) +
      '{"type":"Cursor","id":"c0","leaf":"i1"}\n' + "broken\n" +
      entryLine("i2", "i1", { SessionInfo: { name: "néw" } }) + userLine("u2", "i2").trimEnd(),
  );
  await Deno.utime(path, 1_700_000_100, 1_700_000_100);
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await listSessions("/project", { home: temporary.home }), [{
      path,
      id: "aaaa0001",
      mtimeSecs: 1_700_000_100,
      sizeKb: 1,
      entryCount: 5,
      title: "néw",
      firstPrompt: 'the first {"SessionInfo":1}',
      cwd: "/project",
    }]);
  }
});

Deno.test("listSessions() reads files that are larger than its buffer", async () => {
  await using temporary = await temporaryStore();
  const folder = await folderOf(temporary.home);
  let text = headerLine() + userLine("u", null, "prompt");
  for (let i = 0; i < 2000; i++) text += userLine(`e${i}`, "u", "x".repeat(i % 700));
  text += userLine("long", "u", "y".repeat(600_000));
  text += entryLine("i", "u", { SessionInfo: { name: "at the end" } });
  await Deno.writeTextFile(`${folder}/1700000000_aaaa0001.jsonl`, text);
  const [found] = await listSessions("/project", { home: temporary.home });
  assert.equal(found?.entryCount, 2003);
  assert.equal(found?.title, "at the end");
});

Deno.test("listSessions() shows damaged sessions and leaves out what is none (B47, B53)", async () => {
  await using temporary = await temporaryStore();
  const folder = await folderOf(temporary.home);
  await Deno.writeTextFile(`${folder}/1_empty.jsonl`, "");
  await Deno.writeTextFile(`${folder}/2_foreign.jsonl`, '{"name":"x"}\n');
  await Deno.writeTextFile(`${folder}/3_headless.jsonl`, `broken\n${userLine("u", null)}`);
  await Deno.writeTextFile(`${folder}/4_torn.jsonl`, `${headerLine()}{"type":"Entry","id`);
  await Deno.writeTextFile(`${folder}/notes.txt`, "x");
  await Deno.mkdir(`${folder}/5_folder.jsonl`);
  await Deno.mkdir(`${folder}/headless`);
  await Deno.writeTextFile(`${folder}/headless/kid.jsonl`, headerLine() + userLine("u", null));
  const list = await listSessions("/project", { home: temporary.home });
  assert.deepEqual(list.map(({ id }) => id).sort(), ["headless", "torn"]);
});

Deno.test("listSessions() warns about files it cannot read", async () => {
  if (Deno.build.os === "windows") return;
  await using temporary = await temporaryStore();
  const folder = await folderOf(temporary.home);
  await Deno.symlink("/nowhere/at/all", `${folder}/1_broken.jsonl`);
  const warnings: string[] = [];
  const logger = createLogger({ write: (line) => warnings.push(line) });
  assert.deepEqual(listFolder(folder, { home: temporary.home, logger }), []);
  assert.match(warnings[0] ?? "", /Cannot read session ".*1_broken\.jsonl"/);
});

Deno.test("listSessions() sees changes, additions and removals behind its index", async () => {
  await using temporary = await temporaryStore();
  const folder = await folderOf(temporary.home);
  const write = (name: string, text: string) =>
    Deno.writeTextFile(`${folder}/${name}`, headerLine() + text);
  await write("1_a.jsonl", userLine("u", null, "one"));
  await write("2_b.jsonl", userLine("u", null, "two"));
  const prompts = async () =>
    (await listSessions("/project", { home: temporary.home })).map((
      { id, firstPrompt, entryCount },
    ) => `${id} ${firstPrompt} ${entryCount}`).sort();
  assert.deepEqual(await prompts(), ["a one 1", "b two 1"]);
  await write("1_a.jsonl", userLine("u", null, "changed") + userLine("v", "u"));
  await Deno.remove(`${folder}/2_b.jsonl`);
  await write("3_c.jsonl", userLine("u", null, "three"));
  assert.deepEqual(await prompts(), ["a changed 2", "c three 1"]);
  for (const junk of ["{", "[]", '{"version":1,"sessions":{"1_a.jsonl":5,"__proto__":{}}}']) {
    await Deno.writeTextFile(`${folder}/index.json`, junk);
    assert.deepEqual(await prompts(), ["a changed 2", "c three 1"]);
  }
});

Deno.test("findLatestSession() takes the latest change, not the latest name", async () => {
  await using temporary = await temporaryStore();
  const folder = await folderOf(temporary.home);
  for (const [name, time] of [["1_a", 300], ["2_b", 100], ["3_c", 200]] as const) {
    await Deno.writeTextFile(`${folder}/${name}.jsonl`, headerLine() + userLine("u", null));
    await Deno.utime(`${folder}/${name}.jsonl`, time, time);
  }
  await Deno.writeTextFile(`${folder}/4_empty.jsonl`, "");
  assert.equal(
    await findLatestSession("/project", { home: temporary.home }),
    `${folder}/1_a.jsonl`,
  );
  assert.deepEqual(
    (await listSessions("/project", { home: temporary.home })).map(({ id }) => id),
    ["a", "c", "b"],
  );
});
