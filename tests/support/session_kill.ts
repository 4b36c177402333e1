/** Kills a process in the middle of its appends, again and again, and looks at what is left. */

import { FileStore } from "../../sessions/file_store.ts";
import { openSessionFile } from "../../sessions/files/session_opener.ts";

const SCRIPT = new URL("../fixtures/sessions/append_until_killed.ts", import.meta.url).pathname;

/** What was found over all trials. */
export interface KillReport {
  readonly trials: number;
  /** One sentence each; none when at most the entry in flight was lost each time. */
  readonly failures: readonly string[];
}

/** After so many kills a new session begins, so that opening stays quick. */
const KILLS_A_SESSION = 10;

/** So many kills: each trial goes on where the last one was killed, until a new session begins. */
export async function killTrials(home: string, trials: number): Promise<KillReport> {
  const failures: string[] = [];
  let id: string | undefined;
  for (let trial = 0; trial < trials; trial++) {
    if (trial % KILLS_A_SESSION === 0) id = undefined;
    const [sessionId, safe] = await killedAfter(home, 1 + ((trial * 131) % 400), id);
    if ((id ?? sessionId) !== sessionId) failures.push(`trial ${trial}: another session`);
    id = sessionId;
    const store = new FileStore({ home, root: "/project", redact: (text) => text });
    const session = await store.open(id);
    const path = session.savePath ?? "";
    await session.close("looked");
    const numbers = openSessionFile(path).content.entries.flatMap(({ payload }) =>
      payload.type === "Message" && payload.message.role === "user"
        ? [Number(payload.message.content.split(" ")[1])]
        : []
    );
    if (numbers.some((number, index) => number !== index + 1)) {
      failures.push(`trial ${trial}: entries are missing or out of order`);
    }
    if ((numbers.at(-1) ?? -1) < safe) {
      failures.push(`trial ${trial}: the last entry is ${numbers.at(-1)}, and ${safe} was safe`);
    }
  }
  return { trials, failures };
}

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
  if (status.signal !== "SIGKILL") throw new TypeError("the script ended before it was killed");
  const [sessionId = "", number = "-1"] = text.trimEnd().split("\n").at(-1)?.split(" ") ?? [];
  return [sessionId, Number(number)];
}
