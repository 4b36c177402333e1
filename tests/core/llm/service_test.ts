import assert from "node:assert/strict";
import { createLlmService, type CreateLlmServiceOptions } from "../../../core/llm/service.ts";
import type { ProviderError } from "../../../core/llm/provider_error.ts";
import { done, finish, text, textTurn } from "../../support/chat_chunks.ts";
import {
  ask,
  collect,
  outline,
  TEST_LIMITS,
  testProvider,
  testRequest,
} from "../../support/llm_harness.ts";
import { responsesTextTurn } from "../../support/responses_events.ts";
import { type ScriptedTurn, startScriptedServer } from "../../support/scripted_server.ts";

const NEVER = new AbortController().signal;

function limits(changes: Partial<CreateLlmServiceOptions["limits"]>) {
  return { service: { limits: { ...TEST_LIMITS, ...changes } } };
}

Deno.test("createLlmService() speaks either protocol to the same caller", async () => {
  assert.deepEqual(outline(await ask(textTurn("hi"))), ["text:hi", "usage:10/5", "done:stop"]);
  assert.deepEqual(outline(await ask(responsesTextTurn("hi"), { api: "responses" })), [
    "text:hi",
    "usage:10/5",
    "done:stop",
  ]);
});

Deno.test("createLlmService() sends nothing before the stream is read", async () => {
  await using server = await startScriptedServer([textTurn("hi")]);
  const service = createLlmService(testProvider(server), { limits: TEST_LIMITS });
  const stream = service.stream(testRequest(), { signal: NEVER });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(server.requests.length, 0);
  await collect(stream);
  assert.equal(server.requests.length, 1);
});

Deno.test("a stream that is aborted before it begins sends nothing", async () => {
  await using server = await startScriptedServer([textTurn("hi")]);
  const service = createLlmService(testProvider(server), { limits: TEST_LIMITS });
  const reason = { mine: true };
  const { thrown } = await collect(
    service.stream(testRequest(), { signal: AbortSignal.abort(reason) }),
  );
  assert.equal(thrown, reason);
  assert.equal(server.requests.length, 0);
});

const ABORTED: readonly (readonly [string, ScriptedTurn])[] = [
  ["before the head", { chunks: [], headDelayMs: 10_000 }],
  ["before the first token", { chunks: [], end: "hang" }],
  ["in the middle of the text", { chunks: [text("hi")], end: "hang" }],
  ["while an error's body is read", { status: 500, chunks: ["{"], end: "hang" }],
];

for (const [when, turn] of ABORTED) {
  Deno.test(`a stream that is aborted ${when} throws the reason and closes the connection`, async () => {
    await using server = await startScriptedServer([turn]);
    const service = createLlmService(testProvider(server), { limits: TEST_LIMITS });
    const controller = new AbortController();
    const reason = { mine: true };
    const collecting = collect(service.stream(testRequest(), { signal: controller.signal }));
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    setTimeout(() => controller.abort(reason), 10);
    assert.equal((await collecting).thrown, reason);
    await server.requests[0]?.closed;
  });
}

Deno.test("a reader that stops closes the connection", async () => {
  await using server = await startScriptedServer([{ chunks: [text("hi")], end: "hang" }]);
  const service = createLlmService(testProvider(server), { limits: TEST_LIMITS });
  for await (const _event of service.stream(testRequest(), { signal: NEVER })) break;
  await server.requests[0]?.closed;
});

Deno.test("an abort between two events of one read is noticed", async () => {
  await using server = await startScriptedServer([
    { chunks: [text("a") + text("b") + finish("stop") + done()] },
  ]);
  const service = createLlmService(testProvider(server), { limits: TEST_LIMITS });
  const controller = new AbortController();
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const event of service.stream(testRequest(), { signal: controller.signal })) {
      seen.push(event.type);
      controller.abort(new TypeError("mine"));
    }
  }, { name: "TypeError", message: "mine" });
  assert.deepEqual(seen, ["text"]);
});

const LIMITED:
  readonly (readonly [string, ScriptedTurn, Parameters<typeof limits>[0], string[]])[] = [
    ["B13 no head", { chunks: [], headDelayMs: 10_000 }, { firstTokenTimeoutMs: 30 }, [
      "error:first_token_timeout!",
    ]],
    ["B13 a head but no token", { chunks: [], end: "hang" }, { firstTokenTimeoutMs: 30 }, [
      "error:first_token_timeout!",
    ]],
    ["a stall in the middle", { chunks: [text("a")], end: "hang" }, { streamIdleTimeoutMs: 30 }, [
      "text:a",
      "error:stream_idle_timeout!",
    ]],
    [
      "a stall after the finish reason is no failure",
      {
        chunks: [text("a"), finish("stop")],
        end: "hang",
      },
      { streamIdleTimeoutMs: 30 },
      ["text:a", "done:stop (no end mark)"],
    ],
    [
      "too long in total",
      {
        chunks: Array.from({ length: 100 }, () => [text("a"), { delayMs: 10 }]).flat(),
      },
      { requestTimeoutMs: 35 },
      ["error:request_timeout!"],
    ],
    [
      "B13 a live host is waited for although the head is late",
      {
        chunks: [text("a"), finish("stop"), done()],
        headDelayMs: 40,
      },
      { connectTimeoutMs: 10 },
      ["text:a", "done:stop"],
    ],
    [
      "B10 comments keep a slow start alive",
      {
        chunks: [
          ...Array.from({ length: 8 }, () => [": ping\n\n", { delayMs: 10 }]).flat(),
          text("a"),
          done(),
        ],
      },
      { firstTokenTimeoutMs: 40 },
      ["text:a", "done:null"],
    ],
    [
      "B10 comments keep a stream alive",
      {
        chunks: [
          text("a"),
          ...Array.from({ length: 8 }, () => [": ping\n\n", { delayMs: 10 }]).flat(),
          done(),
        ],
      },
      { streamIdleTimeoutMs: 40 },
      ["text:a", "done:null"],
    ],
    [
      "limits of 0 are off",
      {
        chunks: [text("a"), { delayMs: 10 }, finish("stop"), done()],
        headDelayMs: 10,
      },
      { connectTimeoutMs: 0, firstTokenTimeoutMs: 0, streamIdleTimeoutMs: 0 },
      ["text:a", "done:stop"],
    ],
  ];

for (const [title, turn, changes, expected] of LIMITED) {
  Deno.test(`time limits: ${title}`, async () => {
    const collected = await ask(turn, limits(changes));
    const lines = outline(collected);
    assert.deepEqual(title.startsWith("too long") ? lines.slice(-1) : lines, expected);
  });
}

Deno.test("messages of time limits name provider, model, host and the setting", async () => {
  const { thrown } = await ask({ chunks: [], end: "hang" }, limits({ firstTokenTimeoutMs: 20 }));
  assert.match(
    (thrown as ProviderError).message,
    /^No answer from provider "test" \(model "m", 127\.0\.0\.1:\d+\) within 0\.02 s .*"first_token_timeout_secs"$/,
  );
});

Deno.test("a caller that does not read is not held against the server", async () => {
  await using server = await startScriptedServer([
    { chunks: [text("a"), text("b"), finish("stop"), done()] },
  ]);
  const service = createLlmService(testProvider(server), {
    limits: { ...TEST_LIMITS, streamIdleTimeoutMs: 15 },
  });
  const types: string[] = [];
  for await (const event of service.stream(testRequest(), { signal: NEVER })) {
    types.push(event.type);
    if (event.type === "text") await new Promise((resolve) => setTimeout(resolve, 40));
  }
  assert.deepEqual(types, ["text", "text", "done"]);
});

Deno.test("B13 waiting is announced until something arrives, and only then", async () => {
  await using server = await startScriptedServer([
    { chunks: [text("a"), { delayMs: 30 }, finish("stop"), done()], headDelayMs: 30 },
  ]);
  const service = createLlmService(testProvider(server), {
    limits: TEST_LIMITS,
    waitingIntervalMs: 10,
  });
  const waits: number[] = [];
  let arrived = false;
  const onWaiting = (waitedMs: number) => {
    assert.ok(!arrived);
    waits.push(waitedMs);
  };
  for await (const event of service.stream(testRequest(), { signal: NEVER, onWaiting })) {
    if (event.type === "text") arrived = true;
  }
  assert.ok(waits.length >= 1 && waits.length <= 4, String(waits));
  assert.ok(waits.every((wait, at) => wait > (waits[at - 1] ?? 0)));
});

Deno.test("a model on this machine gets ten minutes to its first token unless configured", async () => {
  const turn: ScriptedTurn = { chunks: [text("a"), done()], headDelayMs: 40 };
  const options = limits({ firstTokenTimeoutMs: 15 }).service;
  const patient = await ask(turn, { service: { ...options, firstTokenTimeoutConfigured: false } });
  assert.deepEqual(outline(patient), ["text:a", "done:null"]);
  const strict = await ask(turn, { service: options });
  assert.deepEqual(outline(strict), ["error:first_token_timeout!"]);
});

Deno.test("the key comes from its variable alone, and headers may name variables", async () => {
  await using server = await startScriptedServer([textTurn("a"), textTurn("b")]);
  const variables: Record<string, string> = { MY_KEY: " sk-123456\n", TENANT: "acme" };
  const provider = testProvider(server, {
    apiKeyEnv: "MY_KEY",
    headers: { "X-Tenant": "$TENANT", "X-Plain": "cost: $5", "X-Unset": "$NOBODY" },
  });
  const service = createLlmService(provider, {
    limits: TEST_LIMITS,
    env: (name) => variables[name],
  });
  await collect(service.stream(testRequest(), { signal: NEVER }));
  const headers = server.requests[0]?.headers ?? {};
  assert.equal(headers["authorization"], "Bearer sk-123456");
  assert.equal(headers["x-tenant"], "acme");
  assert.equal(headers["x-plain"], "cost: $5");
  assert.equal(headers["x-unset"], undefined);
  assert.equal(headers["content-type"], "application/json");

  const keyless = createLlmService(provider, { limits: TEST_LIMITS, env: () => undefined });
  await collect(keyless.stream(testRequest(), { signal: NEVER }));
  assert.equal(server.requests[1]?.headers["authorization"], undefined);
});

Deno.test("a key that no header may hold is refused without showing it", async () => {
  const { thrown } = await ask(textTurn("a"), {
    service: { env: () => "sk-line\u0000break" },
    request: {},
  });
  assert.equal(thrown, undefined, "no variable is named, so none is read");
  await using server = await startScriptedServer([textTurn("a")]);
  const service = createLlmService(testProvider(server, { apiKeyEnv: "K" }), {
    limits: TEST_LIMITS,
    env: () => "sk-line\u0000break",
  });
  const { thrown: refused } = await collect(service.stream(testRequest(), { signal: NEVER }));
  assert.equal((refused as ProviderError).code, "bad_request");
  assert.ok(!(refused as ProviderError).message.includes("sk-line"));
});

Deno.test("B155 an error body that repeats the key is masked everywhere", async () => {
  await using server = await startScriptedServer([
    { status: 401, chunks: ['{"error":{"message":"Incorrect API key: sk-123456 for bob"}}'] },
  ]);
  const service = createLlmService(testProvider(server, { apiKeyEnv: "K" }), {
    limits: TEST_LIMITS,
    env: () => "sk-123456",
    redact: (text) => text.replaceAll("bob", "<name>"),
  });
  const { thrown } = await collect(service.stream(testRequest(), { signal: NEVER }));
  const error = thrown as ProviderError;
  assert.equal(error.code, "auth_failed");
  for (const words of [error.message, error.body ?? "", JSON.stringify(error.data)]) {
    assert.ok(!words.includes("sk-123456") && !words.includes("bob"), words);
  }
  assert.match(error.message, /check the key in the environment variable "K"/);
});

Deno.test("no second request is sent behind the caller's back", async () => {
  await using server = await startScriptedServer(() => ({ status: 503, chunks: ["busy"] }));
  const service = createLlmService(testProvider(server), { limits: TEST_LIMITS });
  const collected = await collect(service.stream(testRequest(), { signal: NEVER }));
  assert.deepEqual(outline(collected), ["error:server_error!"]);
  assert.equal(server.requests.length, 1);
});

Deno.test("an error's body is read up to a cap only", async () => {
  const { thrown } = await ask({
    status: 500,
    chunks: ["x".repeat(100_000), "y".repeat(100_000)],
    end: "hang",
  });
  assert.ok(((thrown as ProviderError).body?.length ?? 0) <= 4000);
});
