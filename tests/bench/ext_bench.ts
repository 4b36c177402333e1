/**
 * The budgets of extensions (chapter 60): host and first one up, each further one, the overhead of
 * a tool call through the bridge. Run it alone: `deno run -A tests/bench/ext_bench.ts`.
 */

import { ExtensionRig, oneTool } from "../ext/_extension_rig.ts";

const CALLS = 500;
const ROUNDS = 7;

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** The time of a second start, from a warm cache. */
async function startMs(count: number): Promise<number> {
  const user = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`e${i}.ts`, oneTool(`e${i}`, "return a;")]),
  );
  await using rig = await ExtensionRig.prepare({ user });
  const first = await ExtensionRig.prepare({ user, options: { home: rig.home } });
  await first.manager.start();
  await first[Symbol.asyncDispose]();
  const beganMs = performance.now();
  await rig.manager.start();
  return performance.now() - beganMs;
}

async function callMs(body: string): Promise<number> {
  await using rig = await ExtensionRig.start({ user: { "e.ts": oneTool("e", body) } });
  const times: number[] = [];
  for (let i = 0; i < CALLS; i++) {
    const beganMs = performance.now();
    await rig.call("e", { n: i });
    times.push(performance.now() - beganMs);
  }
  return median(times);
}

async function report(name: string, ms: number, limitMs: number): Promise<void> {
  const line = `${name.padEnd(34)} ${ms.toFixed(2).padStart(8)} ms  (budget ${limitMs})\n`;
  await Deno.stdout.write(new TextEncoder().encode(line));
}

if (import.meta.main) {
  const one = [];
  const six = [];
  for (let i = 0; i < ROUNDS; i++) {
    one.push(await startMs(1));
    six.push(await startMs(6));
  }
  await report("host and first extension", median(one), 80);
  await report("each further extension", (median(six) - median(one)) / 5, 20);
  const plain = await callMs("return 1;");
  const hosted = await callMs("rho.getModel(); return 1;");
  await report("tool call through the bridge", plain, 0.5);
  await report("synchronous host call", hosted - plain, 0.2);
}
