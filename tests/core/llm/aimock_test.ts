/** The model layer against a model server that somebody else wrote, in both protocols. */

import assert from "node:assert/strict";
import type { LLMock } from "@copilotkit/aimock";
import type { Provider, ProviderApi } from "../../../core/config/provider.ts";
import { createLlmService } from "../../../core/llm/service.ts";
import { listModels } from "../../../core/llm/models.ts";
import type { LlmMessage } from "../../../core/llm/types.ts";
import { startAimock } from "../../support/aimock_server.ts";
import type { Collected } from "../../support/llm_harness.ts";
import { callIds, collect, outline, TEST_LIMITS, testRequest } from "../../support/llm_harness.ts";

const PATHS: Readonly<Record<ProviderApi, string>> = {
  chat_completions: "/v1/chat/completions",
  responses: "/v1/responses",
};

interface Bench {
  readonly mock: LLMock;
  ask(messages: readonly LlmMessage[]): Promise<Collected>;
  readonly provider: Provider;
}

async function withMock(api: ProviderApi, run: (bench: Bench) => Promise<void>): Promise<void> {
  await using server = await startAimock(addFixtures);
  const provider: Provider = { name: "aimock", endpoint: `${server.url}${PATHS[api]}`, api };
  const service = createLlmService(provider, { limits: TEST_LIMITS });
  await run({
    mock: server.mock,
    provider,
    ask: (messages) =>
      collect(
        service.stream(testRequest({ model: "gpt-4o", messages }), {
          signal: new AbortController().signal,
        }),
      ),
  });
}

function addFixtures(mock: LLMock): void {
  mock.onMessage("hello", { content: "Hi there, friend!", reasoning: "They greet me." });
  mock.onToolResult("call_abc", { content: "The file says x." });
  mock.onMessage("read it", {
    content: "Reading.",
    toolCalls: [
      { id: "call_abc", name: "read", arguments: '{"path":"x"}' },
      { id: "call_def", name: "ls", arguments: "{}" },
    ],
  });
  mock.onMessage("too long", {
    error: {
      message: "This model's maximum context length is 10 tokens",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    },
    status: 400,
  });
  mock.onMessage("busy", {
    error: { message: "Rate limit reached", type: "rate_limit_error" },
    status: 429,
    retryAfter: 3,
  });
}

function question(content: string): LlmMessage[] {
  return [{ role: "system", content: "You are rho." }, { role: "user", content }];
}

for (const api of ["chat_completions", "responses"] as const) {
  Deno.test(`aimock, ${api}: text, reasoning and usage arrive`, () =>
    withMock(api, async ({ ask }) => {
      const lines = outline(await ask(question("hello")));
      assert.equal(lines[0], "reasoning:They greet me.");
      assert.ok(lines.includes("text:Hi there, friend!"), String(lines));
      assert.equal(lines.at(-1), "done:stop");
    }));

  Deno.test(`aimock, ${api}: a tool call and its result make a round trip`, () =>
    withMock(api, async ({ ask, mock }) => {
      const messages = question("read it");
      const first = await ask(messages);
      assert.deepEqual(outline(first).filter((line) => !line.startsWith("usage:")), [
        "text:Reading.",
        'call:read {"path":"x"}',
        "call:ls {}",
        "done:tool_calls",
      ]);
      assert.deepEqual(callIds(first), ["call_abc", "call_def"]);
      const second = await ask([
        ...messages,
        {
          role: "assistant",
          content: "Reading.",
          toolCalls: [
            { id: "call_abc", name: "read", arguments: '{"path":"x"}' },
            { id: "call_def", name: "ls", arguments: "{}" },
          ],
        },
        { role: "tool", toolCallId: "call_def", content: "a b" },
        { role: "tool", toolCallId: "call_abc", content: "x" },
      ]);
      assert.ok(outline(second).includes("text:The file says x."), String(outline(second)));
      const seen = mock.getLastRequest()?.body as unknown as Record<string, unknown> | undefined;
      assert.ok(JSON.stringify(seen).includes("call_def"));
    }));

  Deno.test(`aimock, ${api}: errors are told apart`, () =>
    withMock(api, async ({ ask }) => {
      assert.deepEqual(outline(await ask(question("too long"))), ["error:context_length_exceeded"]);
      assert.deepEqual(outline(await ask(question("busy"))), ["error:rate_limited!"]);
      assert.equal((await ask(question("nobody knows this"))).events.length, 0);
    }));
}

Deno.test("aimock: the list of models is read", () =>
  withMock("chat_completions", async ({ provider }) => {
    assert.ok((await listModels(provider)).length > 0);
  }));
