import { joinPath } from "../../core/base/paths.ts";
import { RpcClient } from "../../core/rpc/client.ts";
import { chunk, done, finish, text, toolCall } from "../support/chat_chunks.ts";
import { rhoEnv, RUN_ARGS, tempFolder } from "../support/spawned_rho.ts";
import { type BenchRow, median } from "./bench_report.ts";

const RUNS = 7;
const WARM_TURNS = 5;
const CHUNKS = 2_000;
const CALLS = 50;
const BARE_LOOP = new URL("./bare_loop.ts", import.meta.url).pathname;

/** What one run of an agent came to. */
interface Figures {
  readonly firstTurnMs: number;
  readonly warmTurnMs: number;
  readonly longReplyMs: number;
  readonly longReplyCpuS: number;
  readonly callsMs: number;
}

/** The model's side: what it says next, and when it heard and said it. */
class BenchModel {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #script: string[][] = [];
  requestMs = 0;
  firstChunkMs = 0;

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        await request.text();
        this.requestMs = performance.now();
        const events = this.#script.shift() ?? [];
        return new Response(this.#stream(events), {
          headers: { "content-type": "text/event-stream" },
        });
      },
    );
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/v1/chat/completions`;
  }

  /** Sets the answers to the next requests. */
  say(...answers: string[][]): void {
    this.#script = answers;
  }

  close(): Promise<void> {
    return this.#server.shutdown();
  }

  #stream(events: readonly string[]): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let at = 0;
    return new ReadableStream({
      pull: (controller) => {
        if (at === 0) this.firstChunkMs = performance.now();
        const event = events[at++];
        if (event === undefined) controller.close();
        else controller.enqueue(encoder.encode(event));
      },
    });
  }
}

/** What rho costs beside the model: turns, a long reply, many calls; against a bare loop. */
export async function benchTurns(): Promise<BenchRow[]> {
  const project = await tempFolder("bench");
  const home = await tempFolder("bench-home");
  const model = new BenchModel();
  try {
    await Deno.writeTextFile(joinPath(project, "small.txt"), "line\n".repeat(20));
    const rhoArgs = [...RUN_ARGS, "--root", project, "--endpoint", model.endpoint, "--model", "m"];
    const limits = ["--max-iterations", "1000", "--token-budget", "1000000"];
    const bare: Figures[] = [];
    const rho: Figures[] = [];
    for (let run = 0; run <= RUNS; run++) {
      const options = { cwd: project, home, model };
      const floor = await measure(["run", "-A", BARE_LOOP, model.endpoint], options);
      const whole = await measure([...rhoArgs, ...limits], options);
      if (run === 0) continue;
      bare.push(floor);
      rho.push(whole);
    }
    return rowsOf(rho, bare);
  } finally {
    await model.close();
    await Deno.remove(project, { recursive: true });
    await Deno.remove(home, { recursive: true });
  }
}

function rowsOf(rho: readonly Figures[], bare: readonly Figures[]): BenchRow[] {
  const row = (name: string, key: keyof Figures, unit: string, budget: number): BenchRow => ({
    name,
    value: median(rho.map((figures) => figures[key])),
    unit,
    baseline: { name: "bare loop", value: median(bare.map((figures) => figures[key])) },
    budget,
  });
  return [
    row("overhead of the first turn", "firstTurnMs", "ms", 12),
    row("overhead of a warm turn", "warmTurnMs", "ms", 3),
    row("a reply of 2,000 chunks", "longReplyMs", "ms", 110),
    row("its CPU time", "longReplyCpuS", "s", 0.13),
    row("50 read_file calls", "callsMs", "ms", 130),
  ];
}

async function measure(
  args: readonly string[],
  options: { cwd: string; home: string; model: BenchModel },
): Promise<Figures> {
  const { model, cwd, home } = options;
  let firstDeltaMs = 0;
  const ready = Promise.withResolvers<void>();
  const client = RpcClient.spawn({
    command: Deno.execPath(),
    args,
    cwd,
    env: rhoEnv(home),
    clearEnv: true,
    stderr: "null",
    onNotification: ({ method }) => {
      if (method === "ready") ready.resolve();
      if (method === "message/delta" && firstDeltaMs === 0) firstDeltaMs = performance.now();
    },
  });
  await ready.promise;
  // A client needs a moment before its first prompt; rho loads what a turn needs meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 400));
  const prompt = () => client.request("prompt", { message: "go" });
  const overhead = async (): Promise<number> => {
    model.say([text("hello"), finish("stop"), done()]);
    firstDeltaMs = 0;
    const startedMs = performance.now();
    await prompt();
    return model.requestMs - startedMs + firstDeltaMs - model.firstChunkMs;
  };
  const firstTurnMs = await overhead();
  const warm: number[] = [];
  for (let turn = 0; turn < WARM_TURNS; turn++) warm.push(await overhead());
  const longReply = Array.from({ length: CHUNKS }, (_, i) => chunk({ content: `word${i} ` }));
  model.say([...longReply, finish("stop"), done()]);
  const pid = client.process?.pid ?? 0;
  const cpuBefore = cpuSeconds(pid);
  const longStartMs = performance.now();
  await prompt();
  const longReplyMs = performance.now() - longStartMs;
  const longReplyCpuS = cpuSeconds(pid) - cpuBefore;
  const reads = Array.from({ length: CALLS }, (_, i) => readCall(i));
  model.say(...reads, [text("done"), finish("stop"), done()]);
  const callsStartMs = performance.now();
  await prompt();
  const callsMs = performance.now() - callsStartMs;
  await client.close();
  return { firstTurnMs, warmTurnMs: median(warm), longReplyMs, longReplyCpuS, callsMs };
}

function readCall(index: number): string[] {
  // A range of its own each time, or rho would answer that it was read before.
  const args = JSON.stringify({ path: "small.txt", offset: 1, limit: 10 + index });
  return [
    toolCall({ index: 0, id: `c${index}`, name: "read_file", arguments: args }),
    finish("tool_calls"),
    done(),
  ];
}

function cpuSeconds(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
