/**
 * What the model layer costs on a long reply, against a bare loop that only parses. The server is
 * a process of its own, so that the CPU time measured is the client's.
 *
 * Run alone: `deno run -A --no-prompt tests/bench/llm_stream_bench.ts`
 */

import process from "node:process";
import { createLlmService } from "../../core/llm/service.ts";
import { done, finish, text, usage } from "../support/chat_chunks.ts";
import { TEST_LIMITS } from "../support/llm_harness.ts";

/** Figures of {@linkcode benchLlmStream}, medians of the runs. */
export interface LlmStreamFigures {
  readonly chunks: number;
  /** CPU time of the bare loop, in milliseconds. */
  readonly bareCpuMs: number;
  /** CPU time of the model layer, in milliseconds. */
  readonly layerCpuMs: number;
  /** The second by the first; the budget is 2. */
  readonly cpuRatio: number;
  readonly bareWallMs: number;
  readonly layerWallMs: number;
  readonly wallRatio: number;
  /** How CPU time grows with chunks, from n to 10n: 1 is linear. */
  readonly exponent: number;
}

const RUNS = 15;
const WARM_UP_RUNS = 5;
const SERVE_FLAG = "--serve";

/** Measures replies of 2,000 chunks, and of ten times as many for the growth. */
export async function benchLlmStream(): Promise<LlmStreamFigures> {
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", import.meta.filename ?? "", SERVE_FLAG],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  try {
    const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const url = ((await reader.read()).value ?? "").trim();
    reader.releaseLock();
    const chunks = 2000;
    const bare = () => bareLoop(url, chunks);
    const layer = () => layerLoop(url, chunks);
    for (let run = 0; run < WARM_UP_RUNS; run++) {
      await bare();
      await layer();
    }
    const bareRuns: Cost[] = [];
    const layerRuns: Cost[] = [];
    for (let run = 0; run < RUNS; run++) {
      bareRuns.push(await measured(bare));
      layerRuns.push(await measured(layer));
    }
    const long = await measured(() => layerLoop(url, chunks * 10));
    const bareCost = median(bareRuns);
    const layerCost = median(layerRuns);
    return {
      chunks,
      bareCpuMs: bareCost.cpuMs,
      layerCpuMs: layerCost.cpuMs,
      cpuRatio: layerCost.cpuMs / bareCost.cpuMs,
      bareWallMs: bareCost.wallMs,
      layerWallMs: layerCost.wallMs,
      wallRatio: layerCost.wallMs / bareCost.wallMs,
      exponent: Math.log10(long.cpuMs / layerCost.cpuMs),
    };
  } finally {
    await server.stdin.close();
    await server.status;
  }
}

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

async function measured(run: () => Promise<number>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run();
  const wallMs = performance.now() - start;
  const used = process.cpuUsage(cpu);
  return { cpuMs: (used.user + used.system) / 1000, wallMs };
}

function median(costs: readonly Cost[]): Cost {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
  return {
    cpuMs: middle(costs.map(({ cpuMs }) => cpuMs)),
    wallMs: middle(costs.map(({ wallMs }) => wallMs)),
  };
}

async function bareLoop(url: string, chunks: number): Promise<number> {
  const response = await fetch(`${url}?chunks=${chunks}`, { method: "POST", body: "{}" });
  const decoder = new TextDecoder();
  let rest = "";
  let units = 0;
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: ") || line === "data: [DONE]") continue;
      units += JSON.parse(line.slice(6)).choices[0]?.delta?.content?.length ?? 0;
    }
  }
  return units;
}

async function layerLoop(url: string, chunks: number): Promise<number> {
  const service = createLlmService(
    { name: "bench", endpoint: `${url}?chunks=${chunks}`, api: "chat_completions" },
    { limits: TEST_LIMITS, env: () => undefined },
  );
  const request = { model: "m", messages: [], tools: [], maxTokens: 100 };
  let units = 0;
  for await (const event of service.stream(request, { signal: new AbortController().signal })) {
    if (event.type === "text") units += event.delta.length;
  }
  return units;
}

/** Answers every request with a stream, each event its own write, until stdin ends. */
async function serve(): Promise<void> {
  const encoder = new TextEncoder();
  const event = encoder.encode(text(" word"));
  const end = encoder.encode(finish("stop") + usage(10, 2000) + done());
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, async (request) => {
    await request.arrayBuffer();
    let left = Number(new URL(request.url).searchParams.get("chunks"));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(event);
        else {
          controller.enqueue(end);
          controller.close();
        }
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  for await (const _bytes of Deno.stdin.readable);
  await server.shutdown();

  function onListen({ port }: { readonly port: number }): void {
    Deno.stdout.writeSync(encoder.encode(`http://127.0.0.1:${port}/v1/chat/completions\n`));
  }
}

if (import.meta.main) {
  if (Deno.args.includes(SERVE_FLAG)) await serve();
  else {
    const figures = await benchLlmStream();
    const line = Object.entries(figures)
      .map(([name, value]) => `${name} ${typeof value === "number" ? +value.toFixed(2) : value}`)
      .join(", ");
    Deno.stdout.writeSync(new TextEncoder().encode(`llm stream: ${line}\n`));
  }
}
