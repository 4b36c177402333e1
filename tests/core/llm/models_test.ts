import assert from "node:assert/strict";
import { listModels, modelsUrl, parseModelList } from "../../../core/llm/models.ts";
import { ProviderError } from "../../../core/llm/provider_error.ts";
import { testProvider } from "../../support/llm_harness.ts";
import { startScriptedServer } from "../../support/scripted_server.ts";

Deno.test("modelsUrl() derives the list from the endpoint, unless it is configured", () => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ["http://h/v1/chat/completions", "http://h/v1/models"],
    ["http://h/v1/chat/completions/", "http://h/v1/models"],
    ["http://h/v1/responses", "http://h/v1/models"],
    ["http://h/v1/chat/completions?api-version=1", "http://h/v1/models?api-version=1"],
    ["http://h/v1/other", undefined],
    ["nonsense", undefined],
  ];
  for (const [endpoint, expected] of table) {
    assert.equal(modelsUrl({ name: "p", endpoint, api: "chat_completions" }), expected, endpoint);
  }
  assert.equal(
    modelsUrl({
      name: "p",
      endpoint: "http://h/v1/chat/completions",
      api: "chat_completions",
      modelsEndpoint: "http://m/list",
    }),
    "http://m/list",
  );
});

Deno.test("parseModelList() takes the shapes that servers send", () => {
  const table: readonly (readonly [string, unknown])[] = [
    ['{"data":[{"id":"a"},{"id":"a"},{"id":"b"}]}', [{ id: "a" }, { id: "b" }]],
    ['{"models":[{"slug":"a"},{"name":"b"}]}', [{ id: "a" }, { id: "b" }]],
    ['["a"]', [{ id: "a" }]],
    ['{"data":[{"id":"a","context_length":8192}]}', [{ id: "a", contextWindow: 8192 }]],
    ['{"data":[{"id":"a","max_model_len":4096}]}', [{ id: "a", contextWindow: 4096 }]],
    [
      '{"data":[{"id":"a","max_context_length":9,"loaded_context_length":8}]}',
      [{ id: "a", contextWindow: 8 }],
    ],
    ['{"data":[{"id":"a","context_window":"big"},{"id":""},null,5]}', [{ id: "a" }]],
    ['{"data":{}}', undefined],
    ["{}", undefined],
    ["<html>", undefined],
  ];
  for (const [body, expected] of table) assert.deepEqual(parseModelList(body), expected, body);
});

Deno.test("listModels() asks with the provider's key and headers", async () => {
  await using server = await startScriptedServer([{ chunks: ['{"data":[{"id":"a"}]}'] }]);
  const provider = testProvider(server, { apiKeyEnv: "K", headers: { "x-one": "1" } });
  assert.deepEqual(await listModels(provider, { env: () => "sk-123456" }), [{ id: "a" }]);
  const [request] = server.requests;
  assert.equal(request?.method, "GET");
  assert.equal(request?.path, "/v1/models");
  assert.equal(request?.headers["authorization"], "Bearer sk-123456");
  assert.equal(request?.headers["x-one"], "1");
});

Deno.test("listModels() tells what went wrong", async () => {
  await using server = await startScriptedServer([
    { status: 401, chunks: ["no"] },
    { chunks: ["<html>"] },
    { chunks: [], end: "hang" },
  ]);
  const provider = testProvider(server);
  const codes: string[] = [];
  for (let at = 0; at < 3; at++) {
    try {
      await listModels(provider, { timeoutMs: 40 });
    } catch (error) {
      assert.ok(error instanceof ProviderError);
      codes.push(error.code);
    }
  }
  assert.deepEqual(codes, ["auth_failed", "not_a_model_server", "request_timeout"]);
  await assert.rejects(listModels({ ...provider, endpoint: "http://127.0.0.1/x" }), {
    code: "bad_request",
  });
});

Deno.test("listModels() throws the reason when it is aborted, before and while it runs", async () => {
  await using server = await startScriptedServer([{ chunks: [], end: "hang" }]);
  const reason = new TypeError("mine");
  const provider = testProvider(server);
  await assert.rejects(listModels(provider, { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(server.requests.length, 0);
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 10);
  await assert.rejects(listModels(provider, { signal: controller.signal }), reason);
});
