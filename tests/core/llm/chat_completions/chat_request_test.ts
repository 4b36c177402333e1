import assert from "node:assert/strict";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources";
import {
  type ChatRequestBody,
  chatRequestBody,
} from "../../../../core/llm/chat_completions/chat_request.ts";
import { bodyJson } from "../../../../core/llm/request/body_json.ts";
import type { LlmMessage, LlmRequest } from "../../../../core/llm/types.ts";
import type { DeepMutable } from "../../../support/deep_mutable.ts";
import { testRequest, testTool } from "../../../support/llm_harness.ts";

const HISTORY: readonly LlmMessage[] = [
  { role: "system", content: "You are rho." },
  { role: "user", content: "read x" },
  {
    role: "assistant",
    content: "",
    toolCalls: [{ id: "a", name: "read", arguments: '{"path":"x"}' }],
    reasoning: { text: "hm", field: "reasoning_content", model: "m" },
  },
  { role: "tool", toolCallId: "a", content: "" },
  { role: "assistant", content: "done", toolCalls: [] },
];

/** The compiler holds our body against the types of OpenAI's own client. */
function asOpenAi(body: ChatRequestBody): ChatCompletionCreateParamsStreaming {
  const { reasoning_effort: _effort, ...rest } = body as DeepMutable<ChatRequestBody>;
  return rest;
}

Deno.test("chatRequestBody() has a fixed shape and key order", () => {
  const body = chatRequestBody(
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
      stream_options: { include_usage: true },
      max_tokens: 100,
      temperature: 0.5,
      reasoning_effort: "low",
      tools: [{
        type: "function",
        function: {
          name: "read",
          description: "The tool read",
          parameters: {
            type: "object",
            properties: { path: { type: "string" } },
            required: ["path"],
          },
        },
      }],
      messages: [
        { role: "system", content: "You are rho." },
        { role: "user", content: "read x" },
        {
          role: "assistant",
          reasoning_content: "hm",
          tool_calls: [{
            id: "a",
            type: "function",
            function: { name: "read", arguments: '{"path":"x"}' },
          }],
        },
        { role: "tool", tool_call_id: "a", content: "(no output)" },
        { role: "assistant", content: "done" },
      ],
    }),
  );
});

Deno.test("chatRequestBody() gives equal bytes for equal conversations, and a growing one its start", () => {
  const short = testRequest({ messages: HISTORY });
  const long = testRequest({ messages: [...HISTORY, { role: "user", content: "more" }] });
  const before = bodyJson(chatRequestBody(short, {}));
  assert.equal(bodyJson(chatRequestBody(structuredClone(short) as LlmRequest, {})), before);
  const after = bodyJson(chatRequestBody(long, {}));
  assert.ok(after.startsWith(before.slice(0, -"]}".length)));
});

Deno.test("B20 chatRequestBody() sends what every server takes: system, plain strings, no strict", () => {
  const { messages, tools } = chatRequestBody(testRequest({ messages: HISTORY }), {});
  for (const message of messages) {
    assert.ok(["system", "user", "assistant", "tool"].includes(message.role));
    assert.ok(!("content" in message) || typeof message.content === "string");
  }
  assert.ok(!JSON.stringify(tools).includes("strict"));
});

Deno.test("chatRequestBody() joins the leading system messages, and later ones are the user's", () => {
  const { messages } = chatRequestBody(
    testRequest({
      messages: [
        { role: "system", content: "a" },
        { role: "system", content: "b" },
        { role: "user", content: "c" },
        { role: "system", content: "d" },
      ],
    }),
    {},
  );
  assert.deepEqual(messages, [
    { role: "system", content: "a\n\nb" },
    { role: "user", content: "c" },
    { role: "user", content: "d" },
  ]);
});

Deno.test("B22 chatRequestBody() leaves out empty assistant messages, with or without reasoning", () => {
  const { messages } = chatRequestBody(
    testRequest({
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: "", toolCalls: [] },
        {
          role: "assistant",
          content: " \n",
          toolCalls: [],
          reasoning: { text: "hm", field: "reasoning", model: "m" },
        },
        { role: "user", content: "b" },
      ],
    }),
    {},
  );
  assert.deepEqual(messages, [{ role: "user", content: "a" }, { role: "user", content: "b" }]);
});

Deno.test("B16 B17 chatRequestBody() sends reasoning back under its field, to its model alone", () => {
  const ask = (field: string | undefined, model: string | undefined) =>
    chatRequestBody(
      testRequest({
        messages: [{
          role: "assistant",
          content: "a",
          toolCalls: [],
          reasoning: {
            text: "hm",
            ...(field === undefined ? {} : { field }),
            ...(model === undefined ? {} : { model }),
          },
        }],
      }),
      {},
    ).messages[0];
  const bare = { role: "assistant", content: "a" };
  assert.deepEqual(ask("reasoning", "m"), { ...bare, reasoning: "hm" });
  assert.deepEqual(ask("reasoning_content", "m"), { ...bare, reasoning_content: "hm" });
  assert.deepEqual(ask("reasoning", "other"), bare);
  assert.deepEqual(ask("reasoning", undefined), bare);
  assert.deepEqual(ask(undefined, "m"), bare, "it came inside the content");
  assert.deepEqual(ask("role", "m"), bare, "a session cannot name any field");
});

Deno.test("B34 B62 chatRequestBody() pairs each result with its own call, whatever the ids", () => {
  const call = (id: string, path: string) => ({
    id,
    name: "read",
    arguments: JSON.stringify({ path }),
  });
  const { messages } = chatRequestBody(
    testRequest({
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", content: "", toolCalls: [call("call_0", "1"), call("call_0", "2")] },
        { role: "tool", toolCallId: "call_0", content: "one" },
        { role: "tool", toolCallId: "call_0", content: "two" },
        {
          role: "assistant",
          content: "",
          toolCalls: [call("call_0", "3"), call("call_1|fc_2", "4"), call("x".repeat(65), "5")],
        },
        { role: "tool", toolCallId: "x".repeat(65), content: "five" },
        { role: "tool", toolCallId: "call_1|fc_2", content: "four" },
        { role: "tool", toolCallId: "call_0", content: "three" },
      ],
    }),
    {},
  );
  const paths = new Map<string, string>();
  const results = new Map<string, string>();
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const { id, function: { arguments: args } } of message.tool_calls ?? []) {
        assert.match(id, /^[A-Za-z0-9_-]{1,40}$/);
        assert.ok(!paths.has(id), `${id} is used once`);
        paths.set(id, JSON.parse(args).path);
      }
    } else if (message.role === "tool") results.set(message.tool_call_id, message.content);
  }
  const pairs = [...paths].map(([id, path]) => [path, results.get(id)]);
  assert.deepEqual(pairs, [
    ["1", "one"],
    ["2", "two"],
    ["3", "three"],
    ["4", "four"],
    ["5", "five"],
  ]);
});

Deno.test("chatRequestBody() leaves out nameless calls and results that answer no call", () => {
  const { messages } = chatRequestBody(
    testRequest({
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", content: "a", toolCalls: [{ id: "n", name: "", arguments: "{}" }] },
        { role: "tool", toolCallId: "n", content: "r" },
        { role: "tool", toolCallId: "lost", content: "r" },
      ],
    }),
    {},
  );
  assert.deepEqual(messages, [{ role: "user", content: "q" }, { role: "assistant", content: "a" }]);
});

Deno.test("B43 chatRequestBody() sends arguments as a JSON object, whatever is stored", () => {
  const stored: unknown[] = [
    '{"a":1}',
    '{"a":1}}',
    "",
    "null",
    "nonsense",
    "[1]",
    { a: 1 },
    5,
    null,
  ];
  const { messages } = chatRequestBody(
    testRequest({
      messages: [{
        role: "assistant",
        content: "",
        toolCalls: stored.map((args, at) => ({
          id: `c${at}`,
          name: "read",
          arguments: args as string,
        })),
      }],
    }),
    {},
  );
  const [message] = messages;
  assert.ok(message?.role === "assistant");
  assert.deepEqual(message.tool_calls?.map(({ function: { arguments: args } }) => args), [
    '{"a":1}',
    '{"a":1}',
    "{}",
    "{}",
    "{}",
    "{}",
    '{"a":1}',
    "{}",
    "{}",
  ]);
});

Deno.test("B55 bodyJson() sends lone surrogates well-formed and everything else untouched", () => {
  const body = chatRequestBody(
    testRequest({
      messages: [{ role: "user", content: "a\ud800b \ude00 😀 \\ud800" }],
      tools: [{ ...testTool("read"), description: "\udfff" }],
    }),
    {},
  );
  const text = bodyJson(body);
  assert.ok(text.includes('"a\ufffdb \ufffd 😀 \\\\ud800"'));
  assert.ok(text.isWellFormed());
  assert.ok(!/[^\\]\\ud/i.test(text));
  assert.deepEqual(JSON.parse(text).tools[0].function.description, "\ufffd");
});

Deno.test("B44 chatRequestBody() takes tools named after object built-ins", () => {
  const { tools } = chatRequestBody(
    testRequest({ tools: ["constructor", "toString", "__proto__"].map(testTool) }),
    {},
  );
  assert.deepEqual(tools?.map((tool) => tool.function.name), [
    "constructor",
    "toString",
    "__proto__",
  ]);
});
