import assert from "node:assert/strict";
import type {
  ResponseCreateParamsStreaming,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import { bodyJson } from "../../../../core/llm/request/body_json.ts";
import {
  type ResponsesInputItem,
  type ResponsesRequestBody,
  responsesRequestBody,
} from "../../../../core/llm/responses/responses_request.ts";
import type { LlmMessage } from "../../../../core/llm/types.ts";
import type { DeepMutable } from "../../../support/deep_mutable.ts";
import { testRequest, testTool } from "../../../support/llm_harness.ts";

const REASONING = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c1pher" };

const HISTORY: readonly LlmMessage[] = [
  { role: "system", content: "You are rho." },
  { role: "user", content: "read x" },
  {
    role: "assistant",
    content: "I read",
    toolCalls: [{ id: "call_1|fc_2", name: "read", arguments: '{"path":"x"}' }],
    reasoning: { text: "hm", model: "m", items: [REASONING, { type: "other" }, null] },
  },
  { role: "tool", toolCallId: "call_1|fc_2", content: "text of x" },
];

/** The compiler holds our body against the types of OpenAI's own client. */
function asOpenAi(body: ResponsesRequestBody): ResponseCreateParamsStreaming {
  const { reasoning: _reasoning, input, ...rest } = body as DeepMutable<ResponsesRequestBody>;
  const plain = input.filter((item): item is Plain => item.type !== "reasoning");
  const items: ResponseInputItem[] = plain;
  return { ...rest, input: items };
}

type Plain = Exclude<DeepMutable<ResponsesInputItem>, { type: "reasoning" }>;

Deno.test("responsesRequestBody() has a fixed shape and key order", () => {
  const body = responsesRequestBody(
    testRequest({
      messages: HISTORY,
      tools: [testTool("read")],
      temperature: 0.5,
      reasoningEffort: "low",
    }),
    {},
  );
  assert.ok(asOpenAi(body));
  assert.equal(
    bodyJson(body),
    JSON.stringify({
      model: "m",
      stream: true,
      store: false,
      max_output_tokens: 100,
      temperature: 0.5,
      reasoning: { effort: "low", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      instructions: "You are rho.",
      tools: [{
        type: "function",
        name: "read",
        description: "The tool read",
        parameters: {
          type: "object",
          properties: { path: { type: "string" } },
          required: ["path"],
        },
        strict: false,
      }],
      input: [
        { type: "message", role: "user", content: "read x" },
        REASONING,
        { type: "message", role: "assistant", content: "I read" },
        { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"x"}' },
        { type: "function_call_output", call_id: "call_1", output: "text of x" },
      ],
    }),
  );
});

Deno.test("responsesRequestBody() keeps nothing on the server", () => {
  const body = bodyJson(responsesRequestBody(testRequest({ messages: HISTORY }), {}));
  assert.ok(body.includes('"store":false'));
  assert.ok(!body.includes("previous_response_id"));
});

Deno.test("B17 B62 responsesRequestBody() drops reasoning items of another model", () => {
  const body = bodyJson(
    responsesRequestBody(testRequest({ messages: HISTORY, model: "other" }), {}),
  );
  assert.ok(!body.includes("c1pher"));
  assert.ok(body.includes('"function_call"'));
});

Deno.test("B17 responsesRequestBody() sends no reasoning of a message that has nothing else", () => {
  const { input } = responsesRequestBody(
    testRequest({
      messages: [
        { role: "user", content: "a" },
        {
          role: "assistant",
          content: "",
          toolCalls: [],
          reasoning: { text: "", model: "m", items: [REASONING] },
        },
        { role: "user", content: "b" },
      ],
    }),
    {},
  );
  assert.deepEqual(input.map((item) => item.type), ["message", "message"]);
});

Deno.test("responsesRequestBody() gives a growing conversation the bytes of its start", () => {
  const before = bodyJson(responsesRequestBody(testRequest({ messages: HISTORY }), {}));
  const after = bodyJson(
    responsesRequestBody(
      testRequest({ messages: [...HISTORY, { role: "user", content: "more" }] }),
      {},
    ),
  );
  assert.ok(after.startsWith(before.slice(0, -"]}".length)));
});
