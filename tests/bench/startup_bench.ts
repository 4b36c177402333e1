import { LineSplitter } from "../../core/base/json_lines.ts";
import { rhoEnv, RUN_ARGS, tempFolder } from "../support/spawned_rho.ts";
import { type BenchRow, median } from "./bench_report.ts";

const RUNS = 21;
const SETTLE_MS = 300;
const HELLO = new URL("./hello.ts", import.meta.url).pathname;

interface Start {
  readonly replyMs: number;
  readonly rssMb: number;
}

/**
 * Spawn → `ready` → the answer to a `getState` that is in the pipe from the start, against a bare
 * `deno run` that prints one line; and what is resident 300 ms after that.
 */
export async function benchStartup(): Promise<BenchRow[]> {
  const project = await tempFolder("bench");
  const home = await tempFolder("bench-home");
  try {
    const args = [...RUN_ARGS, "--root", project, "--ephemeral", "--model", "m"];
    const request = '{"jsonrpc":"2.0","method":"getState","id":1}\n';
    const hello: number[] = [];
    const rho: Start[] = [];
    for (let run = 0; run <= RUNS; run++) {
      const bare = await start(["run", "-A", HELLO], { cwd: project, home, lines: 1 });
      const whole = await start(args, { cwd: project, home, lines: 2, input: request });
      // The first run fills the caches.
      if (run === 0) continue;
      hello.push(bare.replyMs);
      rho.push(whole);
    }
    const bareMs = median(hello);
    return [
      {
        name: "spawn → ready → getState",
        value: median(rho.map(({ replyMs }) => replyMs)),
        unit: "ms",
        baseline: { name: "bare deno run", value: bareMs },
        budget: 3,
        budgetOf: "ratio",
      },
      {
        name: "resident 300 ms later",
        value: median(rho.map(({ rssMb }) => rssMb)),
        unit: "MB",
        budget: 80,
      },
    ];
  } finally {
    await Deno.remove(project, { recursive: true });
    await Deno.remove(home, { recursive: true });
  }
}

async function start(
  args: readonly string[],
  options: { cwd: string; home: string; lines: number; input?: string },
): Promise<Start> {
  const startedMs = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: options.cwd,
    clearEnv: true,
    env: rhoEnv(options.home),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  if (options.input !== undefined) await writer.write(new TextEncoder().encode(options.input));
  const replyMs = await timeOfLine(child.stdout, options.lines, startedMs);
  if (options.input !== undefined) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const rssMb = residentMb(child.pid);
  await writer.close().catch(() => {});
  await child.status;
  return { replyMs, rssMb };
}

async function timeOfLine(
  stdout: ReadableStream<Uint8Array>,
  wanted: number,
  startedMs: number,
): Promise<number> {
  const splitter = new LineSplitter({ maxBytes: 1 << 20 });
  let seen = 0;
  let timeMs = NaN;
  const reader = stdout.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    seen += splitter.push(read.value).length;
    if (seen < wanted) continue;
    timeMs = performance.now() - startedMs;
    break;
  }
  await reader.cancel();
  return timeMs;
}

function residentMb(pid: number): number {
  try {
    const pages = Number(Deno.readTextFileSync(`/proc/${pid}/statm`).split(" ")[1]);
    return pages * 4096 / 1e6;
  } catch {
    return NaN;
  }
}
