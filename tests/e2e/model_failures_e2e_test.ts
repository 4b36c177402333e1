import assert from "node:assert/strict";
import { finish, text, textTurn, toolCall, toolTurn } from "../support/chat_chunks.ts";
import { providerToml, startConfiguredRho } from "../support/configured_rho.ts";
import { type ScriptedTurn, startScriptedServer } from "../support/scripted_server.ts";
import { RpcCallError } from "../../core/rpc/client.ts";

const LIMITS = "[agent]\ninitial_backoff_ms = 1\nfirst_token_timeout_secs = 0.4\n" +
  "stream_idle_timeout_secs = 0.4\n";
const ARGS = ["--model", "m", "--ephemeral", "--approve", "all"];

const RUN_ONCE = { id: "c", name: "run_command", arguments: { command: "echo x >> ran.txt" } };

/** A call that is whole on the wire, but whose response never ends properly. */
function halfTurn(end: Partial<ScriptedTurn>, ...more: string[]): ScriptedTurn {
  const call = { index: 0, ...RUN_ONCE, arguments: JSON.stringify(RUN_ONCE.arguments) };
  return { chunks: [text("Half "), text("done"), toolCall(call), ...more], ...end };
}

const HALF_CHARS = "Half done".length;

interface Failure {
  readonly name: string;
  readonly turn: () => ScriptedTurn;
  readonly discardedChars: number;
  readonly error: RegExp;
  readonly leastDelayMs?: number;
}

const FAILURES: readonly Failure[] = [
  {
    name: "503",
    turn: () => ({ status: 503, chunks: ['{"error":{"message":"overloaded"}}'] }),
    discardedChars: 0,
    error: /HTTP 503: overloaded/,
  },
  {
    name: "429 with seconds",
    turn: () => ({ status: 429, headers: { "retry-after": "1" }, chunks: ["{}"] }),
    discardedChars: 0,
    error: /HTTP 429/,
    leastDelayMs: 1000,
  },
  {
    name: "429 with a date",
    turn: () => ({
      status: 429,
      headers: { "retry-after": new Date(Date.now() + 2500).toUTCString() },
      chunks: ["{}"],
    }),
    discardedChars: 0,
    error: /HTTP 429/,
    leastDelayMs: 500,
  },
  {
    name: "a reset in the middle",
    turn: () => halfTurn({ end: "reset" }),
    discardedChars: HALF_CHARS,
    error: /broke off|closed|reset/i,
  },
  {
    name: "an error event inside a 200",
    turn: () => halfTurn({}, 'data: {"error":{"message":"upstream died","code":502}}\n\n'),
    discardedChars: HALF_CHARS,
    error: /upstream died/,
  },
  {
    name: "a stall before the first token",
    turn: () => ({ chunks: [], end: "hang" }),
    discardedChars: 0,
    error: /0\.4 s|first token/i,
  },
  {
    name: "a stall in the middle",
    turn: () => halfTurn({ end: "hang" }),
    discardedChars: HALF_CHARS,
    error: /0\.4 s/,
  },
];

for (const failure of FAILURES) {
  Deno.test(`e2e: ${failure.name} ends in the right reply, and no tool runs twice`, async () => {
    await using server = await startScriptedServer((_request, index) => {
      switch (index) {
        case 0:
        case 2:
          return failure.turn();
        case 1:
          return toolTurn([RUN_ONCE], "Running");
        default:
          return textTurn("Done");
      }
    });
    await using started = await startConfiguredRho({
      config: LIMITS + providerToml("box", server.endpoint),
      args: ARGS,
    });
    const { rho } = started;
    const result = await rho.client.request("prompt", { message: "go" });
    assert.ok("reply" in result);
    assert.equal(result.reply, "Done");
    assert.equal(result.finishReason, "stop");
    assert.equal(result.usage.requestCount, 4);
    assert.equal(result.usage.costIncomplete, true);
    assert.equal(await rho.read("ran.txt"), "x\n");
    assert.equal(rho.of("tool/call").length, 1);
    const retries = rho.of("retry");
    assert.deepEqual(retries.map(({ attempt }) => attempt), [1, 1]);
    for (const { discardedChars, error, delayMs } of retries) {
      assert.equal(discardedChars, failure.discardedChars);
      assert.match(error, failure.error);
      assert.match(error, /provider "box" \(model "m", 127\.0\.0\.1:\d+\)/);
      assert.ok(delayMs >= (failure.leastDelayMs ?? 0), `${delayMs} ms`);
    }
    const streamed = rho.of("message/delta").map(({ delta }) => delta).join("");
    const half = failure.discardedChars === 0 ? "" : "Half done";
    assert.equal(streamed, `${half}Running${half}Done`);
    const sent = JSON.stringify(server.requests.at(-1)?.json.messages);
    assert.ok(!sent.includes("Half done"), "void text is not sent back");
  });
}

Deno.test("e2e: a retry budget that is spent keeps the text and says so", async () => {
  await using server = await startScriptedServer(() => halfTurn({ end: "destroy" }));
  await using started = await startConfiguredRho({
    config: `${LIMITS}retry_budget = 1\n${providerToml("box", server.endpoint)}`,
    args: ARGS,
  });
  const { rho } = started;
  const result = await rho.client.request("prompt", { message: "go" });
  assert.ok("reply" in result);
  assert.equal(result.finishReason, "retry_budget_exhausted");
  assert.equal(server.requests.length, 2);
  assert.equal(rho.of("tool/call").length, 0);
  await assert.rejects(rho.read("ran.txt"), Deno.errors.NotFound);
});

interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly code: string;
  readonly fix: RegExp;
  readonly env?: Readonly<Record<string, string>>;
}

const REFUSALS: readonly Refusal[] = [
  {
    status: 401,
    body: '{"error":{"message":"No key"}}',
    code: "auth_failed",
    fix: /set the environment variable "BOX_KEY"/,
  },
  {
    status: 401,
    body: '{"error":{"message":"Wrong key sk-secret-123456"}}',
    code: "auth_failed",
    fix: /check the key in the environment variable "BOX_KEY"/,
    env: { BOX_KEY: "sk-secret-123456" },
  },
  {
    status: 404,
    body: '{"error":{"message":"model \\"m\\" not found, try pulling it first"}}',
    code: "model_not_found",
    fix: /check the model id against the provider's model list/,
  },
  {
    status: 404,
    body: "404 page not found",
    code: "not_a_model_server",
    fix: /check that the endpoint is the full URL/,
  },
  {
    status: 400,
    body: '{"error":{"message":"This model\'s maximum context length is 10 tokens"}}',
    code: "context_length_exceeded",
    fix: /compact it or use a larger window/,
  },
  {
    status: 400,
    body: '{"error":{"message":"unheard of"}}',
    code: "bad_request",
    fix: /--log-requests/,
  },
];

for (const { status, body, code, fix, env } of REFUSALS) {
  Deno.test(`e2e: ${status} (${code}${env ? ", key set" : ""}) is told with its fix`, async () => {
    await using server = await startScriptedServer(() => ({ status, chunks: [body] }));
    await using started = await startConfiguredRho({
      config: LIMITS + providerToml("box", server.endpoint, 'api_key_env = "BOX_KEY"'),
      args: ARGS,
      ...(env === undefined ? {} : { env }),
    });
    const { rho } = started;
    const error = await rho.client.request("prompt", { message: "go" }).then(
      () => assert.fail("it fails"),
      (thrown) => thrown,
    );
    assert.ok(error instanceof RpcCallError);
    assert.equal(error.rpcCode, -32000);
    assert.equal((error.rpcData as { code: string }).code, code);
    assert.match(error.message, /provider "box" \(model "m", 127\.0\.0\.1:\d+\)/);
    assert.match(error.message, fix);
    assert.ok(!error.message.includes("sk-secret-123456"));
    assert.equal(rho.of("retry").length, 0);
    assert.deepEqual(rho.of("agent/error").map((params) => params.code), [code]);
    if (code !== "context_length_exceeded") assert.equal(server.requests.length, 1);
  });
}

Deno.test("e2e: a port that fetch refuses is named, at once", async () => {
  await using started = await startConfiguredRho({
    config: LIMITS + providerToml("box", "http://127.0.0.1:6000/v1/chat/completions"),
    args: ARGS,
  });
  await assert.rejects(
    started.rho.client.request("prompt", { message: "go" }),
    /port 6000 are blocked.*another/s,
  );
  assert.equal(started.rho.of("retry").length, 0);
});

Deno.test("e2e: a finish reason that came counts even when the connection breaks behind it", async () => {
  await using server = await startScriptedServer([
    { chunks: [text("All of it"), finish("stop")], end: "destroy" },
  ]);
  await using started = await startConfiguredRho({
    config: LIMITS + providerToml("box", server.endpoint),
    args: ARGS,
  });
  const result = await started.rho.client.request("prompt", { message: "go" });
  assert.ok("reply" in result);
  assert.deepEqual([result.reply, result.finishReason], ["All of it", "stop"]);
});

Deno.test("e2e: B73 a server without usage is estimated, and its cost is a minimum", async () => {
  const silent = (content: string) => ({ chunks: [text(content), finish("stop")] });
  await using server = await startScriptedServer([
    silent("one"),
    ...Array.from({ length: 5 }, () => ({ status: 529, chunks: ['{"error":"overloaded"}'] })),
    silent("two"),
  ]);
  await using started = await startConfiguredRho({
    config: LIMITS + providerToml("box", server.endpoint),
    args: ARGS,
  });
  const { rho } = started;
  const ask = async () => {
    const result = await rho.client.request("prompt", { message: "word ".repeat(500) });
    assert.ok("finishReason" in result);
    return [result.finishReason, result.usage.totalTokens, result.usage.costIncomplete];
  };
  assert.deepEqual(await ask(), ["stop", 0, true]);
  assert.deepEqual(await ask(), ["retry_budget_exhausted", 0, true]);
  assert.deepEqual(await ask(), ["stop", 0, true]);
  const used = rho.of("usage").map(({ context }) => context.estimatedUsed);
  assert.ok((used[0] ?? 0) > 500 && (used.at(-1) ?? 0) > (used[0] ?? 0) + 800, used.join());
});
