import { joinPath } from "../../core/base/paths.ts";
import { buildView } from "../../sessions/context_view.ts";
import { listFolder } from "../../sessions/listing/discovery.ts";
import { FileStore } from "../../sessions/file_store.ts";
import { projectFolder } from "../../sessions/files/project_folder.ts";
import type { Session } from "../../sessions/session.ts";
import { killTrials } from "../support/session_kill.ts";
import { SpawnedRho, tempFolder } from "../support/spawned_rho.ts";
import { type BenchRow, growthExponent, median } from "./bench_report.ts";
import { openSessionFile } from "../../sessions/files/session_opener.ts";

const ROOT = "/bench";
const RUNS = 5;

/** How often rho is started with and without a session. */
const SPAWNS = 11;

/** How often a process is killed in the middle of its appends. */
const KILLS = 200;

/** Measures the budgets of chapter 30 in a temporary folder. */
export async function benchSessions(): Promise<BenchRow[]> {
  const home = await Deno.makeTempDir({ prefix: "rho-bench-" });
  try {
    return [
      ...await benchAppend(home),
      ...await benchOpen(home),
      ...await benchList(home),
      ...await benchKills(home),
    ];
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

function storeIn(home: string): FileStore {
  return new FileStore({ home, root: ROOT, redact: (text) => text });
}

/** Cycles of a user message, a call, its result of 20 lines and a reply of 300 characters. */
function appendCycles(session: Session, entries: number): void {
  const output = Array.from({ length: 20 }, (_, i) => `line ${i}: some output of a tool`).join(
    "\n",
  );
  const reply = "A sentence of the reply. ".repeat(12);
  for (let i = 0; i < entries; i += 4) {
    session.appendUserMessage(`Request ${i}: look at the file and tell what it does`);
    session.appendAssistantMessage({
      content: "",
      toolCalls: [{ id: `call_${i}`, name: "read_file", arguments: '{"path":"src/main.rs"}' }],
      finishReason: "tool_calls",
    });
    session.appendToolResult({ toolCallId: `call_${i}`, content: output, isError: false });
    session.appendAssistantMessage({ content: reply, finishReason: "stop" });
  }
}

async function longSession(home: string, entries: number): Promise<string> {
  const session = await storeIn(home).create();
  session.appendSystemMessage("You are a coding agent.");
  appendCycles(session, entries);
  await session.close("bench");
  return session.savePath ?? "";
}

async function benchAppend(home: string): Promise<BenchRow[]> {
  const times: number[] = [];
  for (const entries of [1000, 10_000]) {
    const session = await storeIn(home).create();
    session.appendSystemMessage("You are a coding agent.");
    const start = performance.now();
    appendCycles(session, entries);
    times.push((performance.now() - start) * 1000);
    await session.close("bench");
  }
  return [{
    name: "append one entry",
    value: (times[1] ?? 0) / 10_000,
    unit: "µs",
    budget: 15,
    exponent: exponentOf(times),
  }];
}

async function benchOpen(home: string): Promise<BenchRow[]> {
  const small = await longSession(home, 1000);
  const large = await longSession(home, 10_000);
  const spawned = await spawnedOpenMs(home, large);
  const times = [small, large].map((path) => medianMs(() => openSessionFile(path)));
  const fileBytes = Deno.statSync(large).size;
  const session = await storeIn(home).open(large);
  for (let i = 0; i < 10; i++) buildView(session);
  const viewMs = medianMs(() => buildView(session));
  await session.close("bench");
  return [
    {
      name: "start with 10,000 entries, beyond an empty start",
      value: spawned,
      unit: "ms",
      budget: 60,
    },
    {
      name: "open 10,000 entries, in the process",
      value: times[1] ?? 0,
      unit: "ms",
      budget: 60,
      exponent: exponentOf(times),
    },
    {
      name: "memory of them, by file size",
      value: heapBytesOf(large) / fileBytes,
      unit: "×",
      budget: 3,
    },
    { name: "view of 10,000 entries, warm", value: viewMs, unit: "ms", budget: 5 },
  ];
}

/** What `--session` adds to the time from spawn to the first reply. */
async function spawnedOpenMs(home: string, session: string): Promise<number> {
  const project = await tempFolder("bench");
  try {
    const added: number[] = [];
    for (let run = 0; run <= SPAWNS; run++) {
      const empty = await startMs({ home, project, args: [] });
      const opened = await startMs({ home, project, args: ["--session", session] });
      // The first run fills the caches.
      if (run > 0) added.push(opened - empty);
    }
    return median(added);
  } finally {
    await Deno.remove(project, { recursive: true });
  }
}

async function startMs(
  options: { readonly home: string; readonly project: string; readonly args: readonly string[] },
): Promise<number> {
  const { home, project, args } = options;
  const startedMs = performance.now();
  await using rho = await SpawnedRho.start({
    home,
    project,
    args: ["--endpoint", "http://127.0.0.1:9/v1/chat/completions", "--model", "m", ...args],
  });
  await rho.client.request("getState", {});
  return performance.now() - startedMs;
}

/** The heap that an opened session keeps; roughly, without a forced collection. */
function heapBytesOf(path: string): number {
  const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
  collect();
  const before = Deno.memoryUsage().heapUsed;
  const opened = openSessionFile(path);
  collect();
  const after = Deno.memoryUsage().heapUsed;
  return opened.content.entries.length > 0 ? Math.max(after - before, 0) : 0;
}

async function benchList(home: string): Promise<BenchRow[]> {
  const other = joinPath(home, "list");
  const folder = await projectFolder(other, ROOT);
  const template = await Deno.readFile(await longSession(joinPath(home, "template"), 48));
  await Deno.mkdir(folder, { recursive: true });
  const times: number[] = [];
  let made = 0;
  let coldMs = 0;
  for (const count of [100, 1000]) {
    for (; made < count; made++) {
      const id = made.toString(16).padStart(8, "0");
      await Deno.writeFile(joinPath(folder, `${1_700_000_000 + made}_${id}.jsonl`), template);
    }
    const start = performance.now();
    listFolder(folder, { home: other });
    coldMs = performance.now() - start;
    times.push(medianMs(() => listFolder(folder, { home: other })));
  }
  return [
    {
      name: "list 1,000 sessions, index warm",
      value: times[1] ?? 0,
      unit: "ms",
      budget: 40,
      exponent: exponentOf(times),
    },
    { name: "list 1,000 sessions of 25 KB, 900 new", value: coldMs, unit: "ms", budget: 40 },
  ];
}

/** Kills a process in the middle of its appends: none of the trials may lose more than one entry. */
async function benchKills(home: string): Promise<BenchRow[]> {
  const { failures } = await killTrials(joinPath(home, "kill"), KILLS);
  return [{
    name: `kill -9, trials of ${KILLS} that lost more than the entry in flight`,
    value: failures.length,
    unit: "",
    budget: 0,
  }];
}

function medianMs(work: () => unknown): number {
  return median(Array.from({ length: RUNS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }));
}

function exponentOf([small = 1, large = 1]: readonly number[]): number {
  return growthExponent(small, large);
}
