import assert from "node:assert/strict";
import { type ServerWindow, serverWindow } from "../../../core/llm/server_window.ts";
import { testProvider } from "../../support/llm_harness.ts";
import { startScriptedServer } from "../../support/scripted_server.ts";

interface Row {
  readonly name: string;
  readonly model?: string;
  /** Answers by path; everything else is a 404. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly expected: ServerWindow;
  readonly asked?: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    name: "vLLM tells it in its list",
    answers: { "/v1/models": { data: [{ id: "m", owned_by: "vllm", max_model_len: 4096 }] } },
    expected: { kind: "vllm", tokens: 4096 },
    asked: ["/v1/models"],
  },
  {
    name: "Ollama tells what is loaded",
    answers: {
      "/v1/models": { data: [{ id: "m", owned_by: "library" }] },
      "/api/ps": { models: [{ name: "other" }, { name: "m:latest", context_length: 4096 }] },
      "/api/show": { model_info: { "llama.context_length": 131072 } },
    },
    expected: { kind: "ollama", tokens: 4096 },
    asked: ["/v1/models", "/api/ps", "/api/show"],
  },
  {
    name: "Ollama tells what is set for the model",
    answers: {
      "/v1/models": { data: [{ id: "m", owned_by: "library" }] },
      "/api/show": {
        parameters: 'stop "x"\nnum_ctx                        2048\n',
        model_info: { "llama.context_length": 131072 },
      },
    },
    expected: { kind: "ollama", tokens: 2048 },
  },
  {
    name: "Ollama tells what the model could have",
    answers: { "/api/show": { model_info: { "qwen3.context_length": 40960 } } },
    expected: { kind: "ollama", tokens: 40960 },
  },
  {
    name: "llama.cpp tells the window of a slot",
    answers: {
      "/v1/models": { data: [{ id: "x.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 8192 } }] },
      "/props": { default_generation_settings: { n_ctx: 2048 } },
    },
    expected: { kind: "llama_cpp", tokens: 2048 },
    asked: ["/v1/models", "/props"],
  },
  {
    name: "LM Studio tells the loaded window",
    answers: {
      "/v1/models": { data: [{ id: "m", owned_by: "organization_owner" }] },
      "/api/v0/models": {
        data: [{ id: "m", max_context_length: 32768, loaded_context_length: 4096 }],
      },
    },
    expected: { kind: "lm_studio", tokens: 4096 },
    asked: ["/v1/models", "/api/v0/models"],
  },
  {
    name: "an unknown server tells it in its list",
    answers: { "/v1/models": { data: [{ id: "m", context_length: 16384 }, { id: "n" }] } },
    expected: { kind: "unknown", tokens: 16384 },
  },
  {
    name: "nobody tells anything",
    answers: {},
    expected: { kind: "unknown" },
    asked: ["/v1/models", "/api/ps", "/api/show", "/props", "/api/v0/models"],
  },
  {
    name: "nonsense is no answer",
    answers: {
      "/v1/models": "<html>",
      "/api/ps": { models: "none" },
      "/api/show": { parameters: 5, model_info: null },
      "/props": { default_generation_settings: { n_ctx: -1 } },
    },
    expected: { kind: "unknown" },
  },
];

for (const row of ROWS) {
  Deno.test(`serverWindow(): ${row.name}`, async () => {
    await using server = await startScriptedServer([], {
      side: ({ path }) =>
        path in row.answers
          ? { chunks: [JSON.stringify(row.answers[path])] }
          : { status: 404, chunks: ["{}"] },
    });
    assert.deepEqual(await serverWindow(testProvider(server), row.model ?? "m"), row.expected);
    if (row.asked === undefined) return;
    assert.deepEqual(
      server.sideRequests.map(({ path }) => path).sort(),
      [...row.asked].sort(),
    );
  });
}

Deno.test("serverWindow() gives up on a server that is silent, and at once when aborted", async () => {
  await using server = await startScriptedServer([], {
    side: () => ({ chunks: [], headDelayMs: 30_000 }),
  });
  const provider = testProvider(server);
  assert.deepEqual(await serverWindow(provider, "m", { timeoutMs: 20 }), { kind: "unknown" });
  const stop = new AbortController();
  const asking = serverWindow(provider, "m", { signal: stop.signal });
  stop.abort("enough");
  assert.equal(await asking.then(() => "", (reason) => reason), "enough");
});
