import assert from "node:assert/strict";
import { prunableSessions } from "../../../core/cli/prunable_sessions.ts";
import type { SessionSummary } from "../../../sessions/session_store.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 1_000 * DAY_MS;

function session(project: string, daysAgo: number): SessionSummary {
  return {
    path: `/home/sessions/${project}/${daysAgo}.jsonl`,
    id: `${project}${daysAgo}`,
    mtimeSecs: (NOW_MS - daysAgo * DAY_MS) / 1000,
    sizeKb: 1,
    entryCount: 1,
    title: null,
    firstPrompt: null,
    cwd: "/",
  };
}

const SESSIONS = [session("a", 1), session("b", 5), session("a", 10), session("a", 100)];

Deno.test("prunableSessions() takes only what no limit protects, oldest first", () => {
  const table: [{ olderThanMs?: number; keep?: number }, string[]][] = [
    [{}, []],
    [{ keep: 0 }, ["a100", "a10", "b5", "a1"]],
    [{ keep: 1 }, ["a100", "a10"]],
    [{ olderThanMs: 5 * DAY_MS }, ["a100", "a10"]],
    [{ olderThanMs: 4 * DAY_MS }, ["a100", "a10", "b5"]],
    [{ olderThanMs: 4 * DAY_MS, keep: 2 }, ["a100"]],
    [{ olderThanMs: 1000 * DAY_MS, keep: 0 }, []],
  ];
  for (const [limits, expected] of table) {
    const found = prunableSessions(SESSIONS, { ...limits, nowMs: NOW_MS });
    assert.deepEqual(found.map(({ id }) => id), expected, JSON.stringify(limits));
  }
});
