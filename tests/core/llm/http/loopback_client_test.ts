import assert from "node:assert/strict";
import { createLlmService } from "../../../../core/llm/service.ts";
import { listModels } from "../../../../core/llm/models.ts";
import { textTurn } from "../../../support/chat_chunks.ts";
import { collect, outline, TEST_LIMITS, testRequest } from "../../../support/llm_harness.ts";
import { startScriptedServer } from "../../../support/scripted_server.ts";

const PROXY_NAMES = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"];

/** Runs with every proxy variable naming a port where nobody listens. */
async function behindDeadProxy(run: () => Promise<void>): Promise<void> {
  const before = PROXY_NAMES.map((name) => Deno.env.get(name));
  for (const name of PROXY_NAMES) Deno.env.set(name, "http://127.0.0.1:7");
  try {
    await run();
  } finally {
    PROXY_NAMES.forEach((name, at) => {
      const value = before[at];
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    });
  }
}

for (const host of ["127.0.0.1", "localhost", "127.0.0.2"]) {
  Deno.test(`B25 no proxy variable captures a request to ${host}`, async () => {
    await using server = await startScriptedServer([textTurn("hi")], {
      hostname: host === "localhost" ? "127.0.0.1" : host,
    });
    await behindDeadProxy(async () => {
      const service = createLlmService({
        name: "p",
        endpoint: `http://${host}:${server.port}/v1/chat/completions`,
        api: "chat_completions",
      }, { limits: TEST_LIMITS });
      const collected = await collect(
        service.stream(testRequest(), { signal: new AbortController().signal }),
      );
      assert.deepEqual(outline(collected), ["text:hi", "usage:10/5", "done:stop"]);
      assert.equal(Deno.env.get("NO_PROXY"), undefined, "the variable is put back");
    });
  });
}

Deno.test("B25 no proxy variable captures a model list of this machine", async () => {
  await using server = await startScriptedServer([{ chunks: ['{"data":[{"id":"a"}]}'] }]);
  await behindDeadProxy(async () => {
    const models = await listModels({
      name: "p",
      endpoint: server.endpoint,
      api: "chat_completions",
    });
    assert.deepEqual(models, [{ id: "a" }]);
  });
});

for (const hostname of ["127.0.0.1", "::1"]) {
  Deno.test(`B25 localhost finds a server that listens on ${hostname} alone`, async () => {
    await using server = await startScriptedServer([textTurn("hi")], { hostname });
    const service = createLlmService({
      name: "p",
      endpoint: `http://localhost:${server.port}/v1/chat/completions`,
      api: "chat_completions",
    }, { limits: TEST_LIMITS });
    const collected = await collect(
      service.stream(testRequest(), { signal: new AbortController().signal }),
    );
    assert.deepEqual(outline(collected), ["text:hi", "usage:10/5", "done:stop"]);
  });
}
