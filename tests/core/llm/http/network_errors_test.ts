import assert from "node:assert/strict";
import { NETWORK_ERROR_RULES, networkError } from "../../../../core/llm/http/network_errors.ts";
import { createLlmService } from "../../../../core/llm/service.ts";
import { collect, outline, TEST_LIMITS, testRequest } from "../../../support/llm_harness.ts";
import type { ProviderError } from "../../../../core/llm/provider_error.ts";

const CONTEXT = {
  provider: { name: "p", endpoint: "http://127.0.0.1:1/v1", api: "chat_completions" as const },
  model: "m",
  scrub: (text: string) => text,
};

Deno.test("every network rule is found by its samples", () => {
  for (const rule of NETWORK_ERROR_RULES) {
    for (const sample of rule.samples) {
      const thrown = new TypeError("fetch failed", { cause: new TypeError(sample) });
      const error = networkError({ thrown, afterHead: false }, CONTEXT);
      assert.deepEqual([error.code, error.retriable], [rule.code, rule.retriable], sample);
      assert.ok(error.message.endsWith(rule.hint), error.message);
    }
  }
});

Deno.test("what is in no table is a connection that failed, and may be tried again", () => {
  const error = networkError({ thrown: new TypeError("?"), afterHead: false }, CONTEXT);
  assert.deepEqual([error.code, error.retriable], ["connect_failed", true]);
});

async function askEndpoint(endpoint: string): Promise<ProviderError> {
  const service = createLlmService(
    { name: "p", endpoint, api: "chat_completions" },
    { limits: TEST_LIMITS },
  );
  const collected = await collect(
    service.stream(testRequest(), { signal: new AbortController().signal }),
  );
  assert.equal(outline(collected).length, 1);
  return collected.thrown as ProviderError;
}

Deno.test("a port that fetch refuses is named", async () => {
  for (const port of [6000, 6667, 10080]) {
    const error = await askEndpoint(`http://127.0.0.1:${port}/v1/chat/completions`);
    assert.deepEqual([error.code, error.retriable], ["blocked_port", false]);
    assert.ok(error.message.includes(String(port)));
  }
});

Deno.test("a refused connection says which address was tried", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const error = await askEndpoint(`http://localhost:${port}/v1/chat/completions`);
  assert.deepEqual([error.code, error.retriable], ["connect_failed", true]);
  for (const part of ["localhost", "127.0.0.1", "[::1]"]) {
    assert.ok(error.message.includes(`${part}:${port}`), error.message);
  }
});

Deno.test("an endpoint that is no URL is refused in plain words", async () => {
  const error = await askEndpoint("127.0.0.1:99999/v1");
  assert.deepEqual([error.code, error.retriable], ["bad_request", false]);
});
