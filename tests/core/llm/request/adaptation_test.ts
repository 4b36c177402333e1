import assert from "node:assert/strict";
import {
  ADAPTATION_RULES,
  learnAdaptation,
  learntAdaptation,
  suggestedAdaptations,
} from "../../../../core/llm/request/adaptation.ts";
import { createLlmService } from "../../../../core/llm/service.ts";
import type { LlmRequest } from "../../../../core/llm/types.ts";
import { textTurn } from "../../../support/chat_chunks.ts";
import {
  collect,
  outline,
  TEST_LIMITS,
  testProvider,
  testRequest,
} from "../../../support/llm_harness.ts";
import { responsesTextTurn } from "../../../support/responses_events.ts";
import { startScriptedServer } from "../../../support/scripted_server.ts";
import type { ProviderApi } from "../../../../core/config/provider.ts";

// deno-lint-ignore no-explicit-any
type Body = any;

interface Row {
  readonly title: string;
  readonly refusal: string;
  readonly accepts: (body: Body) => boolean;
  readonly request?: Partial<LlmRequest>;
  readonly api?: ProviderApi;
  readonly status?: number;
  readonly notices?: readonly string[];
}

const PATTERN_TOOL = {
  name: "t",
  description: "d",
  parameters: {
    type: "object",
    properties: {
      ids: { type: "array", items: { type: "string", pattern: "\\d+" } },
      pattern: { type: "string", maxLength: 65536, format: "uri" },
    },
  },
};

const ROWS: readonly Row[] = [
  {
    title: "stream_options",
    refusal: "Unrecognized request argument supplied: stream_options",
    accepts: (body) => !("stream_options" in body),
  },
  {
    title: "max_tokens, wanting max_completion_tokens",
    refusal: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    accepts: (body) => body.max_completion_tokens === 100 && !("max_tokens" in body),
  },
  {
    title: "tools",
    refusal: "m does not support tools",
    accepts: (body) => !("tools" in body),
    notices: ["notice:tools_refused"],
  },
  {
    title: "reasoning_effort",
    refusal: "Unknown parameter: reasoning_effort",
    accepts: (body) => !("reasoning_effort" in body),
    request: { reasoningEffort: "high" },
  },
  {
    title: "reasoning.effort (Responses)",
    refusal: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    accepts: (body) => !("reasoning" in body),
    request: { reasoningEffort: "high" },
    api: "responses",
  },
  {
    title: "reasoning summaries (Responses)",
    refusal: "Your organization must be verified to generate reasoning summaries.",
    accepts: (body) => body.reasoning?.effort === "high" && !("summary" in body.reasoning),
    request: { reasoningEffort: "high" },
    api: "responses",
  },
  {
    title: "encrypted reasoning (Responses)",
    refusal: "Encrypted content is not supported with this model.",
    accepts: (body) => !("include" in body),
    api: "responses",
  },
  {
    title: "temperature",
    refusal: "Unsupported value: 'temperature' does not support 0.2",
    accepts: (body) => !("temperature" in body),
    request: { temperature: 0.2 },
  },
  {
    title: "B23 a schema that the grammar builder cannot take",
    refusal: "Failed to parse grammar",
    accepts: (body) => {
      const { properties } = body.tools[0].function.parameters;
      return JSON.stringify(properties) ===
        '{"ids":{"type":"array","items":{"type":"string"}},"pattern":{"type":"string"}}';
    },
    request: { tools: [PATTERN_TOOL] },
  },
  {
    title: "B23 a schema that the grammar builder cannot take, as a 500",
    refusal: "Failed to parse grammar",
    accepts: (body) => !JSON.stringify(body).includes("65536"),
    request: { tools: [PATTERN_TOOL] },
    status: 500,
  },
  {
    title: "a missing content",
    refusal: "messages[1]: missing field `content`",
    accepts: (body) => body.messages[1].content === "",
    request: {
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", content: "", toolCalls: [{ id: "a", name: "ls", arguments: "{}" }] },
        { role: "tool", toolCallId: "a", content: "r" },
      ],
    },
    status: 422,
  },
  {
    title: "B17 replayed reasoning",
    refusal: "messages.1.reasoning_content: Extra inputs are not permitted",
    accepts: (body) => !JSON.stringify(body).includes("reasoning_content"),
    request: {
      messages: [
        { role: "user", content: "q" },
        {
          role: "assistant",
          content: "a",
          toolCalls: [],
          reasoning: { text: "hm", field: "reasoning_content", model: "m" },
        },
      ],
    },
  },
];

for (const row of ROWS) {
  Deno.test(`a server that refuses ${row.title} is asked once more, and remembered`, async () => {
    await using server = await startScriptedServer((request) =>
      row.accepts(request.json)
        ? row.api === "responses" ? responsesTextTurn("hi") : textTurn("hi")
        : {
          status: row.status ?? 400,
          chunks: [JSON.stringify({ error: { message: row.refusal } })],
        }
    );
    const provider = testProvider(server, { name: row.title, api: row.api ?? "chat_completions" });
    const ask = async () => {
      const service = createLlmService(provider, { limits: TEST_LIMITS });
      const { signal } = new AbortController();
      return outline(await collect(service.stream(testRequest(row.request), { signal })));
    };
    const answer = ["text:hi", "usage:10/5", "done:stop"];
    assert.deepEqual(await ask(), [...row.notices ?? [], ...answer]);
    assert.equal(server.requests.length, 2);
    assert.deepEqual(await ask(), answer);
    assert.equal(server.requests.length, 3, "the second service knows already");
  });
}

Deno.test("a server that refuses several fields is asked without all of them", async () => {
  await using server = await startScriptedServer(({ json }) => {
    const refused = ["stream_options", "reasoning_effort", "max_tokens"].find((key) => key in json);
    return refused === undefined ? textTurn("hi") : {
      status: 400,
      chunks: [`Unrecognized request argument supplied: ${refused}`],
    };
  });
  const service = createLlmService(testProvider(server, { name: "several" }), {
    limits: TEST_LIMITS,
  });
  const collected = await collect(
    service.stream(testRequest({ reasoningEffort: "low" }), {
      signal: new AbortController().signal,
    }),
  );
  assert.deepEqual(outline(collected), ["text:hi", "usage:10/5", "done:stop"]);
  assert.equal(server.requests.length, 4);
});

Deno.test("what does not help is not remembered, and the last refusal is the error", async () => {
  await using server = await startScriptedServer(() => ({
    status: 400,
    chunks: ['{"error":{"message":"stream_options: no, nor anything else"}}'],
  }));
  const provider = testProvider(server, { name: "stubborn" });
  const service = createLlmService(provider, { limits: TEST_LIMITS });
  const { signal } = new AbortController();
  const collected = await collect(service.stream(testRequest(), { signal }));
  assert.deepEqual(outline(collected), ["error:bad_request"]);
  assert.equal(server.requests.length, 2);
  assert.deepEqual(
    learntAdaptation({ provider: "stubborn", endpoint: provider.endpoint, model: "m" }),
    {},
  );
});

Deno.test("a context that is too long is no reason to ask again", async () => {
  await using server = await startScriptedServer(() => ({
    status: 400,
    chunks: [
      "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens",
    ],
  }));
  const service = createLlmService(testProvider(server, { name: "long" }), { limits: TEST_LIMITS });
  const { signal } = new AbortController();
  const collected = await collect(service.stream(testRequest(), { signal }));
  assert.deepEqual(outline(collected), ["error:context_length_exceeded"]);
  assert.equal(server.requests.length, 1);
});

Deno.test("every adaptation rule is suggested by its samples", () => {
  for (const { name, samples } of ADAPTATION_RULES) {
    for (const sample of samples) {
      assert.ok(suggestedAdaptations(400, sample).includes(name), `${name}: ${sample}`);
    }
  }
});

Deno.test("a refusal that only mentions a tool's message does not cost the tools", () => {
  for (
    const text of [
      "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
      "tool_call_id call_1 not found in tool_calls",
    ]
  ) assert.ok(!suggestedAdaptations(400, text).includes("noTools"), text);
});

Deno.test("what one model refuses is not held against another one of the provider", () => {
  const target = { provider: "shared", endpoint: "http://127.0.0.1/v1", model: "a" };
  learnAdaptation(target, ["noTools", "noStreamOptions"]);
  assert.deepEqual(learntAdaptation(target), { noTools: true, noStreamOptions: true });
  assert.deepEqual(learntAdaptation({ ...target, model: "b" }), { noStreamOptions: true });
});
