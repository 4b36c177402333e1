import assert from "node:assert/strict";
import { openSessionFile } from "../../sessions/session_opener.ts";
import { fileOf, temporaryStore } from "./session_support.ts";

const SCRIPT = new URL("../fixtures/sessions/append_until_killed.ts", import.meta.url).pathname;
const TRIALS = 20;

/** Runs the script, kills it after some lines, and returns the last line that it said was safe. */
async function killedAfter(home: string, lines: number, id?: string): Promise<[string, number]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-prompt",
      "--no-check",
      SCRIPT,
      home,
      ...(id === undefined ? [] : [id]),
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let text = "";
  let killed = false;
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (killed || text.split("\n").length <= lines) continue;
    killed = true;
    child.kill("SIGKILL");
  }
  const status = await child.status;
  assert.equal(status.signal, "SIGKILL");
  const [sessionId = "", number = "-1"] = text.trimEnd().split("\n").at(-1)?.split(" ") ?? [];
  return [sessionId, Number(number)];
}

Deno.test("Session loses at most the entry in flight to kill -9, time after time (B46)", async () => {
  if (Deno.build.os === "windows") return;
  await using temporary = await temporaryStore();
  let id: string | undefined;
  for (let trial = 0; trial < TRIALS; trial++) {
    const [sessionId, safe] = await killedAfter(temporary.home, 1 + ((trial * 131) % 400), id);
    assert.equal(id ?? sessionId, sessionId);
    id = sessionId;
    const session = await temporary.another().open(id);
    const path = fileOf(session);
    await session.close("looked");
    const numbers = openSessionFile(path).content.entries.flatMap(({ payload }) =>
      payload.type === "Message" && payload.message.role === "user"
        ? [Number(payload.message.content.split(" ")[1])]
        : []
    );
    numbers.forEach((number, i) => assert.equal(number, i + 1));
    assert.ok((numbers.at(-1) ?? -1) >= safe, `trial ${trial}: ${numbers.at(-1)} < ${safe}`);
  }
});
