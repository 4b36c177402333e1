/**
 * The least that an agent on Deno can be: a loop over JSON lines and Chat Completions, without
 * checks, storage or safety. It stands beside rho in the benches as the floor.
 *
 *     deno run -A bare_loop.ts ENDPOINT
 */

const [endpoint = ""] = Deno.args;
const messages: unknown[] = [{ role: "system", content: "You are an agent." }];
const encoder = new TextEncoder();

async function say(value: Record<string, unknown>): Promise<void> {
  await Deno.stdout.write(encoder.encode(JSON.stringify({ jsonrpc: "2.0", ...value }) + "\n"));
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream() as never)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

interface Call {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; arguments: string };
}

async function ask(): Promise<Call[]> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages }),
  });
  let content = "";
  const calls: Call[] = [];
  for await (const line of linesOf(response.body as ReadableStream<Uint8Array>)) {
    if (!line.startsWith("data: ") || line === "data: [DONE]") continue;
    const delta = JSON.parse(line.slice(6)).choices[0]?.delta ?? {};
    if (delta.content) {
      content += delta.content;
      await say({ method: "message/delta", params: { delta: delta.content } });
    }
    for (const call of delta.tool_calls ?? []) calls.push(call);
  }
  messages.push({ role: "assistant", content, ...(calls.length > 0 ? { tool_calls: calls } : {}) });
  return calls;
}

async function turn(message: string): Promise<void> {
  messages.push({ role: "user", content: message });
  for (let calls = await ask(); calls.length > 0; calls = await ask()) {
    for (const call of calls) {
      const content = await Deno.readTextFile(JSON.parse(call.function.arguments).path);
      messages.push({ role: "tool", tool_call_id: call.id, content });
      await say({ method: "tool/result", params: { id: call.id } });
    }
  }
}

await say({ method: "ready", params: {} });
for await (const line of linesOf(Deno.stdin.readable)) {
  const { id, params } = JSON.parse(line);
  await turn(params.message);
  await say({ id, result: {} });
}
