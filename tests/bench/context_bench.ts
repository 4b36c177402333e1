/** Fitting a long conversation, when nothing changes and with a full plan. */

import { contextBudget } from "../../sessions/context/context_budget.ts";
import { TokenEstimator } from "../../sessions/context/token_estimator.ts";
import { MemoryStore } from "../../sessions/memory_store.ts";
import type { Session } from "../../sessions/session.ts";
import { type BenchRow, growthExponent, median } from "./bench_report.ts";

const SYSTEM = "You are a coding agent.";
const RUNS = 9;

/** A session of so many entries: requests, reads of 3 KB, short replies. */
async function longSession(entries: number): Promise<Session> {
  const session = await new MemoryStore({ root: "/project" }).create();
  session.appendSystemMessage(SYSTEM);
  for (let i = 0; session.entries.length < entries; i++) {
    session.appendUserMessage(`Look at file ${i} and say what it does`);
    const call = { id: `call_${i}`, name: "read_file", arguments: `{"path":"src/file${i}.ts"}` };
    session.appendAssistantMessage({ content: "", toolCalls: [call], finishReason: "tool_calls" });
    const rows = Array.from(
      { length: 70 },
      (_, row) => `${row + 1}#QVKT:export function step${row}_${i}() {}`,
    );
    session.appendToolResult({
      toolCallId: call.id,
      content: `<context path="src/file${i}.ts" lines="1-70/70">\n${
        rows.join("\n")
      }\n<context:end>`,
      isError: false,
    });
    session.appendAssistantMessage({ content: `It defines 70 steps of stage ${i}.` });
  }
  return session;
}

/** A window that the whole session fits into, or a tenth of it. */
function prepare(session: Session, contextWindow: number): void {
  const estimator = new TokenEstimator("qwen3");
  session.prepareContext({
    budget: contextBudget({
      contextWindow,
      completionReserve: Math.min(8192, contextWindow / 4),
      systemPrompt: SYSTEM,
      tools: [],
      estimator,
    }),
    estimator,
    system: SYSTEM,
    tools: [],
  });
}

async function timeFull(entries: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const session = await longSession(entries);
    prepare(session, 16_777_216);
    const start = performance.now();
    prepare(session, entries * 40);
    times.push(performance.now() - start);
  }
  return median(times);
}

async function timeUnchanged(entries: number): Promise<number> {
  const session = await longSession(entries);
  const times: number[] = [];
  for (let run = 0; run < RUNS + 3; run++) {
    const start = performance.now();
    prepare(session, 16_777_216);
    times.push(performance.now() - start);
  }
  return median(times.slice(3));
}

/** Measures fitting. */
export async function benchContext(): Promise<readonly BenchRow[]> {
  await timeFull(400);
  const unchanged = [await timeUnchanged(2000), await timeUnchanged(20_000)] as const;
  const full = [await timeFull(2000), await timeFull(20_000)] as const;
  return [
    {
      name: "fitting 2,000 entries, nothing changes",
      value: unchanged[0],
      unit: "ms",
      budget: 5,
      exponent: growthExponent(...unchanged),
    },
    {
      name: "fitting 2,000 entries, full plan",
      value: full[0],
      unit: "ms",
      budget: 40,
      exponent: growthExponent(...full),
    },
  ];
}

if (import.meta.main) {
  const { benchTable } = await import("./bench_report.ts");
  await Deno.stdout.write(new TextEncoder().encode(`${benchTable(await benchContext())}\n`));
}
