import assert from "node:assert/strict";
import { joinPath } from "../../core/base/paths.ts";
import { RpcCallError } from "../../core/rpc/client.ts";
import { finish, text, textTurn, toolTurn, usage } from "../support/chat_chunks.ts";
import { providerToml, startConfiguredRho } from "../support/configured_rho.ts";
import { type ScriptedTurn, startScriptedServer } from "../support/scripted_server.ts";
import type { SpawnedRho } from "../support/spawned_rho.ts";

function list(...ids: readonly string[]): ScriptedTurn {
  return { chunks: [JSON.stringify({ data: ids.map((id) => ({ id })) })] };
}

async function failure(call: Promise<unknown>): Promise<RpcCallError> {
  const error = await call.then(() => assert.fail("it fails"), (thrown) => thrown);
  assert.ok(error instanceof RpcCallError);
  return error;
}

/** The payloads of the session's file, by name. */
async function payloads(rho: SpawnedRho): Promise<[string, unknown][]> {
  const { sessionPath } = await rho.client.request("getState", {});
  const lines = (await Deno.readTextFile(sessionPath)).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "Entry")
    .flatMap(({ payload }) => Object.entries(payload)) as [string, unknown][];
}

Deno.test("e2e: setModel takes effect at the next request and is noted in the session", async () => {
  await using one = await startScriptedServer([textTurn("from one"), textTurn("again one")]);
  await using two = await startScriptedServer([textTurn("from two")], { side: () => list("b:7b") });
  await using started = await startConfiguredRho({
    config: providerToml("one", one.endpoint, 'default_model = "a"') +
      providerToml("two", two.endpoint),
  });
  const { client } = started.rho;
  await client.request("prompt", { message: "hi" });
  assert.deepEqual(await client.request("setModel", { model: "two:b:7b" }), {
    model: "b:7b",
    provider: "two",
  });
  assert.equal(two.sideRequests.length, 0, "provider:id asks nobody");
  const state = await client.request("getState", {});
  assert.deepEqual([state.model, state.provider, state.reasoningEffort], ["b:7b", "two", null]);
  assert.deepEqual(await client.request("setReasoningEffort", { effort: "high" }), {
    reasoningEffort: "high",
  });
  await client.request("prompt", { message: "and now" });
  const [request] = two.requests;
  assert.equal(request?.json.model, "b:7b");
  assert.equal(request?.json.reasoning_effort, "high");
  assert.deepEqual(
    request?.json.messages.map(({ content }: { content: string }) => content).slice(1),
    ["hi", "from one", "and now"],
  );
  assert.equal((await client.request("getState", {})).reasoningEffort, "high");
  await client.request("setReasoningEffort", { effort: null });
  await client.request("setModel", { model: "one:a" });
  await client.request("setModel", { model: "one:a" });
  await client.request("prompt", { message: "back" });
  assert.equal("reasoning_effort" in (one.requests.at(-1)?.json ?? {}), false);
  const entries = await payloads(started.rho);
  assert.deepEqual(entries.filter(([name]) => name === "ModelChange"), [
    ["ModelChange", { model: "b:7b" }],
    ["ModelChange", { model: "a" }],
  ]);
  const efforts = entries.filter(([name, value]) =>
    name === "Custom" && (value as { kind: string }).kind === "rho.reasoning_effort.v1"
  );
  assert.deepEqual(efforts.map(([, value]) => (value as { data: unknown }).data), [
    { effort: "high" },
    { effort: null },
  ]);
});

Deno.test("e2e: setModel with a bare id asks all lists and picks by the rules", async () => {
  await using one = await startScriptedServer([], { side: () => list("a", "both") });
  await using two = await startScriptedServer([], { side: () => list("both", "own") });
  await using started = await startConfiguredRho({
    config: '[agent]\nprovider = "two"\nmodel = "own"\n' + providerToml("one", one.endpoint) +
      providerToml("two", two.endpoint) +
      providerToml("dead", "http://127.0.0.1:1/v1/chat/completions", 'default_model = "z"'),
  });
  const { client } = started.rho;
  const set = (model: string) => client.request("setModel", { model });
  assert.deepEqual(await set("a"), { model: "a", provider: "one" });
  assert.deepEqual(await set("both"), { model: "both", provider: "two" });
  assert.deepEqual(await set("z"), { model: "z", provider: "dead" });
  const error = await failure(set("boht"));
  assert.equal(error.rpcCode, -32002);
  assert.match(error.message, /"one" lists "a", "both"; "two" lists "both", "own"; "dead" gave no/);
  assert.match(error.message, /did you mean "both"\?/);
  assert.match((await failure(set("zzzzzzzz"))).message, /name its provider: "one:zzzzzzzz"/);
  assert.equal((await client.request("getState", {})).model, "z", "everything stays as it was");
  assert.equal((await failure(set(" "))).rpcCode, -32602);
});

Deno.test("e2e: listModels and listProviders list what answers", async () => {
  await using good = await startScriptedServer([], {
    side: () => ({ chunks: ['{"data":[{"id":"m","max_model_len":4096}]}'] }),
  });
  await using closed = await startScriptedServer([], {
    side: () => ({ status: 401, chunks: ['{"error":"who are you"}'] }),
  });
  await using silent = await startScriptedServer([], {
    side: () => ({ chunks: [], headDelayMs: 30_000 }),
  });
  await using started = await startConfiguredRho({
    config: providerToml("good", good.endpoint) + providerToml("closed", closed.endpoint) +
      providerToml("silent", silent.endpoint) +
      providerToml("dead", "http://127.0.0.1:1/v1/chat/completions"),
    args: ["--model", "m", "--ephemeral"],
  });
  const { client } = started.rho;
  const startMs = performance.now();
  const { models, errors } = await client.request("listModels", {});
  assert.ok(performance.now() - startMs < 6000, "3 s each, side by side");
  assert.deepEqual(models, [{ id: "m", provider: "good", contextWindow: 4096 }]);
  assert.deepEqual(errors.map(({ provider }) => provider), ["closed", "silent", "dead"]);
  assert.match(errors[1]?.error ?? "", /within 3 s/);
  const { providers } = await client.request("listProviders", {});
  assert.deepEqual(providers, [
    { name: "good", isExternal: false, reachable: true, active: true },
    { name: "closed", isExternal: false, reachable: true, active: false },
    { name: "silent", isExternal: false, reachable: false, active: false },
    { name: "dead", isExternal: false, reachable: false, active: false },
  ]);
});

Deno.test("e2e: an external provider is neither asked nor switched to without consent", async () => {
  await using local = await startScriptedServer([], { side: () => list("m") });
  const config = providerToml("cloud", "https://rho.invalid/v1/chat/completions");
  await using started = await startConfiguredRho({
    config,
    args: ["--endpoint", local.endpoint, "--model", "m", "--ephemeral"],
  });
  const { client } = started.rho;
  const error = await failure(client.request("setModel", { model: "cloud:x" }));
  assert.equal(error.rpcCode, -32003);
  assert.equal((error.rpcData as { code: string }).code, "consent_missing");
  assert.match(error.message, /rho\.invalid/);
  const { errors } = await client.request("listModels", {});
  assert.match(errors[0]?.error ?? "", /nobody agreed/);
  const { providers } = await client.request("listProviders", {});
  assert.deepEqual(providers[1], {
    name: "cloud",
    isExternal: true,
    reachable: false,
    active: false,
  });
  await using agreed = await startConfiguredRho({
    config: `${config}[consent]\nproviders = ["cloud"]\n`,
    args: ["--endpoint", local.endpoint, "--model", "m", "--ephemeral"],
  });
  assert.deepEqual(await agreed.rho.client.request("setModel", { model: "cloud:x" }), {
    model: "x",
    provider: "cloud",
  });
});

Deno.test("e2e: on resume today's configuration decides the model", async () => {
  await using server = await startScriptedServer([textTurn("one"), textTurn("two")]);
  await using started = await startConfiguredRho({
    config: providerToml("box", server.endpoint, 'default_model = "a"'),
  });
  const { rho, home } = started;
  await rho.client.request("prompt", { message: "hi" });
  await rho.client.request("setModel", { model: "box:b" });
  await rho.end();
  await using again = await startConfiguredRho({
    config: "",
    project: rho.project,
    env: { RHO_HOME: home },
    args: ["-c"],
  });
  const state = await again.rho.client.request("getState", {});
  assert.deepEqual([state.model, state.provider], ["a", "box"]);
  assert.equal(state.messageCount, 3);
});

Deno.test("e2e: --log-requests writes what went out and came in, secrets masked", async () => {
  await using server = await startScriptedServer([textTurn("logged")]);
  await using started = await startConfiguredRho({
    config: providerToml(
      "box",
      server.endpoint,
      'api_key_env = "BOX_KEY"\nheaders = { "x-team" = "blue", "x-secret" = "$BOX_HEADER" }',
    ),
    env: { BOX_KEY: "sk-very-secret-1", BOX_HEADER: "hush-hush-1" },
    args: ["--model", "m", "--ephemeral", "--log-requests", "requests.log"],
  });
  const { rho } = started;
  await rho.client.request("prompt", { message: "look at sk-very-secret-1" });
  await rho.client.request("listModels", {});
  assert.equal((await rho.end()).code, 0);
  const [request] = server.requests;
  assert.equal(request?.headers["authorization"], "Bearer sk-very-secret-1");
  assert.equal(request?.headers["x-team"], "blue");
  assert.equal(request?.headers["x-secret"], "hush-hush-1");
  const file = joinPath(rho.project, "requests.log");
  const log = await Deno.readTextFile(file);
  const lines = log.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.slice(0, 2).map(({ type, id, status }) => [type, id, status]), [
    ["request", 1, undefined],
    ["response", 1, 200],
  ]);
  assert.match(lines[0].body, /"stream":true/);
  assert.match(lines[1].body, /logged/);
  assert.ok(lines.some(({ type, method }) => type === "request" && method === "GET"));
  assert.ok(!/very-secret|hush-hush/.test(log));
  if (Deno.build.os !== "windows") {
    assert.equal((await Deno.stat(file)).mode ?? 0 & 0o777, 0o100600);
  }
});

Deno.test("e2e: a request log that cannot be written stops the start", async () => {
  await using started = await startConfiguredRho({
    config: "",
    args: ["--model", "m", "--log-requests", "missing/requests.log"],
  });
  const { code, stderr } = await started.rho.exited();
  assert.equal(code, 1);
  assert.match(stderr, /Cannot write --log-requests "missing\/requests\.log"/);
});

/** A turn whose usage says so many prompt tokens. */
function counted(content: string, promptTokens: number, more = {}): ScriptedTurn {
  return { chunks: [text(content), finish("stop"), usage(promptTokens, 5, more)] };
}

Deno.test("e2e: a local server's smaller window lowers the budget, with one warning", async () => {
  await using server = await startScriptedServer(
    [
      toolTurn([{ id: "c", name: "list_dir", arguments: { path: "." } }]),
      textTurn("one"),
      textTurn("two"),
    ],
    {
      side: ({ path }) => {
        switch (path) {
          case "/v1/models":
            return { chunks: ['{"data":[{"id":"qwen3:8b","owned_by":"library"}]}'] };
          case "/api/ps":
            return { chunks: ['{"models":[{"name":"qwen3:8b","context_length":8192}]}'] };
          case "/api/show":
            return { chunks: ['{"model_info":{"qwen3.context_length":40960}}'] };
        }
        return { status: 404, chunks: ["{}"] };
      },
    },
  );
  await using started = await startConfiguredRho({
    config: providerToml("ollama", server.endpoint),
    args: ["--model", "qwen3:8b", "--ephemeral"],
  });
  const { rho } = started;
  await rho.client.request("prompt", { message: "hi" });
  await rho.client.request("prompt", { message: "hi" });
  const windows = rho.of("usage").map(({ context }) => context.contextWindow);
  assert.deepEqual(windows, [32768, 8192, 8192]);
  assert.deepEqual(server.requests.map(({ json }) => json.max_tokens), [8192, 2048, 2048]);
  const notices = rho.of("notice");
  assert.deepEqual(notices.map(({ code, level }) => [code, level]), [
    ["context_window_lowered", "warn"],
  ]);
  assert.match(notices[0]?.message ?? "", /8192 tokens.*32768.*OLLAMA_CONTEXT_LENGTH/);
  assert.deepEqual(server.sideRequests.map(({ method, path }) => `${method} ${path}`).sort(), [
    "GET /api/ps",
    "GET /v1/models",
    "POST /api/show",
  ]);
});

Deno.test("e2e: a server that cuts prompts silently is told of once", async () => {
  await using server = await startScriptedServer([
    counted("one", 2048),
    counted("two", 2048),
    counted("three", 2048),
  ]);
  await using started = await startConfiguredRho({
    config: providerToml("box", server.endpoint),
    args: ["--model", "m", "--ephemeral"],
  });
  const { rho } = started;
  const message = "The quick brown fox jumps over the lazy dog. ".repeat(500);
  for (let turn = 0; turn < 3; turn++) await rho.client.request("prompt", { message });
  const notices = rho.of("notice").filter(({ code }) => code === "prompt_cut");
  assert.equal(notices.length, 1);
  assert.equal(notices[0]?.level, "warn");
  assert.match(notices[0]?.message ?? "", /counted 2048 tokens.*OLLAMA_CONTEXT_LENGTH/);
});

Deno.test("e2e: costs come from the user's prices or the server, and unknown ones are incomplete", async () => {
  const cached = { prompt_tokens_details: { cached_tokens: 400_000 } };
  await using server = await startScriptedServer([
    counted("mine", 1_000_000, cached),
    counted("theirs", 5000, { cost: 0.25 }),
    counted("nobody's", 5000),
  ]);
  await using started = await startConfiguredRho({
    config: providerToml("box", server.endpoint),
    models: `{
      // what my proxy charges
      "box:priced": { "price": { "input": 2, "output": 1000000, "cached": 0.5 } },
      "priced": { "contextWindow": 16000, "price": { "input": 9, "output": 9 }, },
      "odd": { "windoww": 5 },
    }`,
    args: ["--model", "priced", "--ephemeral"],
  });
  const { rho } = started;
  const cost = async () => {
    const result = await rho.client.request("prompt", { message: "hi" });
    assert.ok("usage" in result);
    return [result.usage.totalCost, result.usage.costIncomplete];
  };
  assert.deepEqual(await cost(), [0.6 * 2 + 0.4 * 0.5 + 5, false]);
  assert.equal(rho.of("usage")[0]?.context.contextWindow, 16000);
  assert.deepEqual(await cost(), [0.25, false]);
  await rho.client.request("setModel", { model: "box:other" });
  assert.deepEqual(await cost(), [0, true]);
  assert.equal(rho.of("usage").at(-1)?.context.contextWindow, 32768, "a switch fits anew");
  const codes = rho.of("notice").map(({ code }) => code);
  assert.deepEqual(codes, ["models_file", "context_window_lowered"]);
  assert.match(rho.of("notice")[0]?.message ?? "", /models\.jsonc.*"odd\.windoww" is unknown/);
});

Deno.test("e2e: a preset without its key variable earns a hint, as does a variable that is unset", async () => {
  await using server = await startScriptedServer([textTurn("hi")]);
  await using started = await startConfiguredRho({
    config: '[[providers]]\npreset = "groq"\n' +
      providerToml("box", server.endpoint, 'api_key_env = "BOX_KEY"\ndefault_model = "m"'),
    args: ["--model", "box:m", "--ephemeral", "--accept-external-provider", "--log-level", "info"],
  });
  await started.rho.client.request("prompt", { message: "hi" });
  assert.equal("authorization" in (server.requests[0]?.headers ?? {}), false);
  const { code, stderr } = await started.rho.end();
  assert.equal(code, 0);
  assert.match(
    stderr,
    /Provider "groq" .* names no key variable; add api_key_env = "GROQ_API_KEY"/,
  );
  assert.match(stderr, /The environment variable "BOX_KEY" is not set; requests to provider "box"/);
});
