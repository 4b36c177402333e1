import assert from "node:assert/strict";
import { joinPath } from "../../core/base/paths.ts";
import { FileStore } from "../../sessions/file_store.ts";
import type { Session } from "../../sessions/session.ts";
import { rhoEnv, RUN_ARGS } from "../support/spawned_rho.ts";
import { sharedFolders } from "../support/session_e2e.ts";

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `rho sessions` in a project. */
async function sessions(
  folders: { home: string; project: string },
  ...args: string[]
): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...RUN_ARGS, "sessions", ...args, "--root", folders.project],
    cwd: folders.project,
    clearEnv: true,
    env: rhoEnv(folders.home),
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** A closed session of a project that was last changed some days ago. */
async function made(
  folders: { home: string; project: string },
  prompt: string,
  options: { readonly daysAgo?: number; readonly title?: string } = {},
): Promise<Session> {
  const store = new FileStore({ home: folders.home, root: folders.project, redact: (t) => t });
  const session = await store.create();
  session.appendSystemMessage("system");
  session.appendUserMessage(prompt);
  session.appendAssistantMessage({ content: `re: ${prompt}`, finishReason: "stop" });
  if (options.title !== undefined) session.setTitle(options.title);
  await session.close("test");
  const changed = new Date(Date.now() - (options.daysAgo ?? 0) * 86_400_000);
  await Deno.utime(session.savePath ?? "", changed, changed);
  return session;
}

Deno.test("e2e: rho sessions lists what there is, for people and for programs", async () => {
  await using folders = await sharedFolders();
  await using other = await sharedFolders();
  const empty = await sessions(folders);
  assert.equal(empty.code, 0);
  assert.match(empty.stdout, /^No sessions of this project yet; --all/);
  const old = await made(folders, "fix \u001b[31mthe\u202e bug\nsecond line", { daysAgo: 3 });
  const titled = await made(folders, "add a feature", { title: "Feature" });
  const far = await made({ home: folders.home, project: other.project }, "elsewhere");
  const { code, stdout, stderr } = await sessions(folders);
  assert.equal(code, 0);
  assert.equal(stderr, "");
  const lines = stdout.trimEnd().split("\n");
  assert.match(lines[0] ?? "", /^ID +CHANGED +ENTRIES +SIZE +TITLE OR FIRST PROMPT$/);
  assert.match(lines[1] ?? "", new RegExp(`^${titled.id} +just now +\\d+ +\\d KB +Feature$`));
  // Nothing in a prompt can colour the screen or turn it around.
  assert.match(
    lines[2] ?? "",
    new RegExp(
      `^${old.id} +3 days ago +\\d+ +\\d KB +fix \\\\u\\{1b\\}\\[31mthe\\\\u\\{202e\\} bug$`,
    ),
  );
  assert.equal(lines.length, 3);
  const all = await sessions(folders, "list", "--all");
  assert.match(all.stdout, new RegExp(`^${far.id} .*${other.project}$`, "m"));
  const json = JSON.parse((await sessions(folders, "--json")).stdout);
  assert.deepEqual(json.sessions.map(({ id }: { id: string }) => id), [titled.id, old.id]);
});

Deno.test("e2e: rho sessions show and export read a session without touching it", async () => {
  await using folders = await sharedFolders();
  const session = await made(folders, "explain it", { title: "T" });
  const path = session.savePath ?? "";
  const before = await Deno.readTextFile(path);
  const shown = await sessions(folders, "show", session.id.slice(0, 5));
  assert.equal(shown.code, 0);
  assert.match(shown.stdout, new RegExp(`^session: +${session.id}$`, "m"));
  assert.match(shown.stdout, /^title: +T$/m);
  assert.match(shown.stdout, /^1\. explain it\n {3}outcome: re: explain it$/m);
  const facts = JSON.parse((await sessions(folders, "show", path, "--json")).stdout);
  assert.equal(facts.id, session.id);
  assert.equal(facts.history[0].request, "explain it");
  const exported = await sessions(folders, "export", session.id);
  assert.match(exported.stdout, /^# T\n[\s\S]*## User\n\nexplain it\n/);
  const toFile = await sessions(folders, "export", session.id, "--format", "json", "-o", "x.json");
  assert.equal(toFile.code, 0);
  const file = joinPath(folders.project, "x.json");
  assert.equal(toFile.stdout, `Exported to ${file}\n`);
  assert.equal(JSON.parse(await Deno.readTextFile(file)).header.id, session.id);
  assert.equal(await Deno.readTextFile(path), before);
  assert.deepEqual([...Deno.readDirSync(folders.home)].map(({ name }) => name), ["sessions"]);
});

Deno.test("e2e: rho sessions delete wants the whole id and leaves open ones alone", async () => {
  await using folders = await sharedFolders();
  const session = await made(folders, "one");
  const short = await sessions(folders, "delete", session.id.slice(0, 3));
  assert.equal(short.code, 1);
  assert.match(short.stderr, new RegExp(`the whole id is needed; did you mean "${session.id}"\\?`));
  const store = new FileStore({ home: folders.home, root: folders.project, redact: (t) => t });
  const open = await store.open(session.id);
  const refused = await sessions(folders, "delete", session.id);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /it is open; close it first/);
  await open.close("test");
  const done = await sessions(folders, "delete", session.id);
  assert.deepEqual([done.code, done.stdout], [0, `Deleted session ${session.id}\n`]);
  assert.equal((await sessions(folders, "delete", session.id)).code, 1);
});

Deno.test("e2e: rho sessions delete never removes what lies beside a file elsewhere", async () => {
  await using folders = await sharedFolders();
  const session = await made(folders, "one");
  // A repository that holds a "session" named after its source folder.
  await Deno.mkdir(joinPath(folders.project, "src"));
  const planted = joinPath(folders.project, "1700000000_src.jsonl");
  const text = await Deno.readTextFile(session.savePath ?? "");
  await Deno.writeTextFile(planted, text.replace(`"id":"${session.id}"`, '"id":"src"'));
  const { code, stderr } = await sessions(folders, "delete", planted);
  assert.equal(code, 1);
  assert.match(stderr, /it is not in rho's own sessions folder/);
  assert.equal((await Deno.stat(joinPath(folders.project, "src"))).isDirectory, true);
  assert.equal(await Deno.readTextFile(planted) !== "", true);
});

Deno.test("e2e: rho sessions prune says what would go, and does it only with --yes", async () => {
  await using folders = await sharedFolders();
  const ages = [0, 1, 50, 100, 200];
  const all: Session[] = [];
  for (const daysAgo of ages) all.push(await made(folders, `${daysAgo} days`, { daysAgo }));
  const ids = async (): Promise<string[]> =>
    JSON.parse((await sessions(folders, "--json")).stdout).sessions
      .map(({ id }: { id: string }) => id);
  const args = ["prune", "--older-than", "90d", "--keep", "3"];
  const dry = await sessions(folders, ...args);
  assert.equal(dry.code, 0);
  assert.match(dry.stdout, /Would delete these 2 sessions; add --yes to do it\n$/);
  assert.equal((await ids()).length, 5);
  // What is open stays, whatever its age.
  const store = new FileStore({ home: folders.home, root: folders.project, redact: (t) => t });
  const open = await store.open(all[3]?.id ?? "");
  const done = await sessions(folders, ...args, "--yes");
  assert.equal(done.code, 0);
  assert.equal(done.stdout, "Deleted 1 of 2 sessions\n");
  assert.match(done.stderr, new RegExp(`Session ${all[3]?.id} is open and stays`));
  await open.close("test");
  assert.deepEqual(await ids(), all.slice(0, 4).map(({ id }) => id));
  const json = JSON.parse((await sessions(folders, "prune", "--keep", "1", "--json")).stdout);
  assert.equal(json.wouldRemove.length, 3);
  for (const wrong of [["prune"], ["prune", "--older-than", "90"], ["lst"], ["show"]]) {
    assert.equal((await sessions(folders, ...wrong)).code, 2, wrong.join(" "));
  }
});
