import assert from "node:assert/strict";
import { joinPath } from "../../core/base/paths.ts";
import { SECRET_SAMPLES, type SecretSample } from "../fixtures/redaction/secrets.ts";
import { finish, text, textTurn, toolTurn } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { start } from "../support/session_e2e.ts";

/** Everything below a folder that a person or a program could read. */
function filesBelow(folder: string): { path: string; text: string }[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = joinPath(folder, name);
    return isDirectory ? filesBelow(path) : [{ path, text: Deno.readTextFileSync(path) }];
  });
}

/** Random ids, times and sizes can hold a short secret such as "4711" by chance. */
function withoutNumbers(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "")
    .replace(/"(?:secs_since_epoch|nanos_since_epoch|created_at_secs|size|mtimeMs)":[\d.]+/g, "")
    .replace(/"(?:id|parent_session|cwd|file)":"[^"]*"/g, "");
}

/** A secret as it would stand in a file: as it is, or inside a JSON string. */
function spellings(secret: string): string[] {
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];
}

function leaks(home: string, samples: readonly SecretSample[]): string[] {
  const files = filesBelow(home).map(({ path, text }) => ({ path, text: withoutNumbers(text) }));
  assert.ok(files.length >= 2, "nothing was written");
  return samples.flatMap(({ title, secret }) =>
    files.filter(({ text }) => spellings(secret).some((found) => text.includes(found)))
      .map(({ path }) => `${title} in ${path.slice(home.length)}`)
  );
}

/** Every so many samples the slow ways in are taken too: a command, a new cursor. */
const SLOW_EVERY = 12;

/** Sends every sample in by every way there is, then ends rho and tells what leaked. */
async function leaksOfAll(read: { readonly hashline: boolean }): Promise<string[]> {
  const samples = SECRET_SAMPLES;
  let at = 0;
  await using server = await startScriptedServer(({ json }) => {
    const last = json.messages.at(-1);
    const sample = samples[at]?.text ?? "";
    if (last.role === "tool") return textTurn(`The reply says:\n${sample}`);
    const path = `in/${at}.txt`;
    const command = { command: `cat ${path}`, stdin: sample };
    return toolTurn([
      { id: "w", name: "write_file", arguments: { path: `out/${at}.txt`, content: sample } },
      { id: "r", name: "read_file", arguments: { path, ...read } },
      { id: "x", name: "no_such_tool", arguments: { text: sample } },
      ...(at % SLOW_EVERY === 0 ? [{ id: "c", name: "run_command", arguments: command }] : []),
    ], `I see:\n${sample}`);
  });
  await using rho = await start(server, {
    args: ["--approve", "all", "--max-iterations", "4", "--token-budget", "100000"],
  });
  const { client, home } = rho;
  await Deno.mkdir(joinPath(rho.project, "in"));
  await client.request("prompt", { message: "hello" });
  const root = (await client.request("getMessages", {})).messages[0]?.entryId ?? "";
  for (const [index, { text: message }] of samples.entries()) {
    at = index;
    await rho.write(`in/${index}.txt`, message);
    await client.request("prompt", { message, attachments: [{ path: `in/${index}.txt` }] });
    const { leaf: entryId } = await client.request("getState", {});
    await client.request("setResolution", {
      entryId,
      resolution: index % 2 === 0
        ? { Summarized: { summary: message } }
        : { Outlined: { outline: message } },
    });
    await client.request("nameCursor", { cursorId: "c0", name: message });
    await client.request("branchTo", { entryId: root, summarize: true });
    if (index % SLOW_EVERY === 0) {
      await client.request("fork", { name: message });
      await client.request("switchCursor", { cursorId: "c0" });
    }
    // The next sample is told on a fresh branch, so that requests stay short.
    await client.request("clear", {});
  }
  const { sessionPath } = await client.request("getState", {});
  for (const format of ["markdown", "json"] as const) {
    await client.request("exportSession", { format, path: joinPath(home, `export.${format}`) });
  }
  await client.request("newSession", {});
  for (const { text: title } of samples) {
    await client.request("renameSession", { path: sessionPath, title });
  }
  await client.request("listSessions", {});
  assert.equal((await rho.end()).code, 0);
  return leaks(home, samples);
}

Deno.test("e2e: B155 no secret reaches a file under RHO_HOME, whatever way it came in", async () => {
  assert.deepEqual(await leaksOfAll({ hashline: false }), []);
});

Deno.test("e2e: B155 no secret of a file that was read with anchors reaches a file under RHO_HOME", async () => {
  assert.deepEqual(await leaksOfAll({ hashline: true }), []);
});

Deno.test("e2e: B155 a steered message and a cut result keep no secret on the disk", async () => {
  const [sample] = SECRET_SAMPLES;
  if (sample === undefined) return;
  const filler = "x".repeat(200);
  const log = Array.from(
    { length: 3000 },
    (_, i) => i % 7 === 0 ? `${filler} ${sample.text}` : filler,
  ).join("\n");
  const steered = Promise.withResolvers<void>();
  await using server = await startScriptedServer(async (_request, index) => {
    if (index === 0) {
      return toolTurn([{ id: "c", name: "run_command", arguments: { command: "cat log" } }]);
    }
    if (index === 1) await steered.promise;
    return { chunks: [text(`so\n${sample.text}`), finish("stop")] };
  });
  await using rho = await start(server, {
    args: ["--approve", "all", "--token-budget", "16384", "--log-level", "debug"],
  });
  await rho.write("log", log);
  const turn = rho.client.request("prompt", { message: "go" });
  await rho.waitFor("tool/result");
  await rho.client.request("prompt", { message: `rather\n${sample.text}`, steer: true });
  steered.resolve();
  await turn;
  const { stderr, code } = await rho.end();
  assert.equal(code, 0);
  assert.ok(!stderr.includes(sample.secret));
  const full = filesBelow(rho.home).find(({ path }) => /\.full[/\\]/.test(path));
  assert.ok((full?.text.length ?? 0) > 200_000);
  assert.deepEqual(leaks(rho.home, [sample]), []);
});
