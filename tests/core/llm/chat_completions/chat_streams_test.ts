import assert from "node:assert/strict";
import {
  chunk,
  done,
  finish,
  reasoning,
  sse,
  text,
  toolCall,
  usage,
} from "../../../support/chat_chunks.ts";
import { ask, callIds, outline } from "../../../support/llm_harness.ts";
import type { Piece, ScriptedTurn } from "../../../support/scripted_server.ts";

type Row = readonly [title: string, turn: ScriptedTurn | Piece[], expected: string[]];

const STOP = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';
const HI = 'data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}';
const READ_X = { name: "read", arguments: '{"path":"x"}' };
const CALL_X = 'call:read {"path":"x"}';

const ROWS: readonly Row[] = [
  // Framing.
  ["plain text", [text("he"), text("llo"), finish("stop"), done()], ["text:hello", "done:stop"]],
  ["B01 [DONE] without a finish reason, with text", [HI, "\n\n", done()], [
    "text:hi",
    "done:null",
  ]],
  ["B01 [DONE] without finish reason and without content", [done()], ["error:empty_stream!"]],
  ["B01 reasoning alone and no finish reason", [reasoning("hm"), done()], [
    "reasoning:hm",
    "error:empty_stream!",
  ]],
  ["B01 a clean end with text and nothing else", [text("hi")], [
    "text:hi",
    "done:null (no end mark)",
  ]],
  ["an empty body", [], ["error:empty_stream!"]],
  ["comments alone", [": a\n\n: b\n\n"], ["error:empty_stream!"]],
  ["B02 a body cut after text", { chunks: [text("a"), text("b")], end: "destroy" }, [
    "text:ab",
    "error:stream_interrupted!",
  ]],
  ["B02 a body cut in the middle of a call's arguments", {
    chunks: [toolCall({ index: 0, id: "a", name: "read", arguments: '{"pa' })],
    end: "destroy",
  }, ["error:stream_interrupted!"]],
  ["B02 a connection reset", { chunks: [text("a"), { delayMs: 5 }], end: "reset" }, [
    "text:a",
    "error:stream_interrupted!",
  ]],
  ["B02 a body shorter than its content-length", {
    headers: { "content-length": "5000" },
    chunks: [text("a")],
  }, ["text:a", "error:stream_interrupted!"]],
  ["B02 a body cut after the finish reason", {
    chunks: [text("a"), finish("stop")],
    end: "destroy",
  }, ["text:a", "done:stop (no end mark)"]],
  ["a connection closed in the middle of an event, unframed", {
    headers: { "transfer-encoding": null },
    chunks: [text("a"), 'data: {"choices":[{"del'],
  }, ["text:a", "error:stream_interrupted!"]],
  ["an answer closed without a head", { raw: true, chunks: [], end: "destroy" }, [
    "error:stream_interrupted!",
  ]],
  ["what does not speak HTTP", { raw: true, chunks: ["SSH-2.0-OpenSSH_9.6\r\n"] }, [
    "error:not_a_model_server",
  ]],
  ["B04 an error beside choices, with finish_reason error", [
    'data: {"error":{"code":"server_error","message":"x"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
  ], ["error:stream_error!"]],
  ["B04 finish_reason error without an error object", [text("a"), finish("error")], [
    "text:a",
    "error:stream_error!",
  ]],
  ["B04 an unknown finish reason is passed on as it is", [text("a"), finish("mystery"), done()], [
    "text:a",
    "done:mystery",
  ]],
  ["B05 usage behind the finish reason with choices []", [
    text("a"),
    finish("stop"),
    usage(11, 10),
    done(),
  ], ["text:a", "usage:11/10", "done:stop"]],
  ["B05 usage with choices null", [
    text("a"),
    finish("stop"),
    sse({ choices: null, usage: { prompt_tokens: 1, completion_tokens: 2 } }),
    done(),
  ], ["text:a", "usage:1/2", "done:stop"]],
  ["B05 usage without choices", [
    text("a"),
    finish("stop"),
    sse({ usage: { prompt_tokens: 1, completion_tokens: 2 } }),
  ], ["text:a", "usage:1/2", "done:stop (no end mark)"]],
  ["usage in every chunk, cumulative", [
    sse({
      choices: [{ delta: { content: "a" } }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    }),
    sse({
      choices: [{ delta: { content: "b" } }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    }),
    sse({
      choices: [{ delta: {}, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    }),
    done(),
  ], ["text:a", "usage:3/1", "text:b", "usage:3/2", "done:stop"]],
  ["usage null and usage of nothing", [
    sse({ choices: [{ delta: { content: "a" } }], usage: null }),
    sse({ choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } }),
    finish("stop"),
    done(),
  ], ["text:a", "done:stop"]],
  ["usage in Groq's own place", [
    text("a"),
    sse({
      choices: [{ delta: {}, finish_reason: "stop" }],
      x_groq: { usage: { prompt_tokens: 4, completion_tokens: 5 } },
    }),
    done(),
  ], ["text:a", "usage:4/5", "done:stop"]],
  ["B07 CRLF", [`${HI}\r\n\r\n${STOP}\r\n\r\ndata: [DONE]\r\n\r\n`], ["text:hi", "done:stop"]],
  ["B07 CRLF cut between CR and LF", [
    `${HI}\r`,
    { delayMs: 2 },
    "\n\r",
    { delayMs: 2 },
    `\n${STOP}\r\n\r`,
    { delayMs: 2 },
    "\ndata: [DONE]\r\n\r\n",
  ], ["text:hi", "done:stop"]],
  ["B07 bare CR", [`${HI}\r\r${STOP}\r\rdata: [DONE]\r\r`], ["text:hi", "done:stop"]],
  ["B08 the last event without a newline", [`${HI}\n\n${STOP}`], [
    "text:hi",
    "done:stop (no end mark)",
  ]],
  ["B08 the last event with one newline", [`${HI}\n\n${STOP}\n`], [
    "text:hi",
    "done:stop (no end mark)",
  ]],
  ["B08 [DONE] as the last event without a newline", [`${HI}\n\n${STOP}\n\ndata: [DONE]`], [
    "text:hi",
    "done:stop",
  ]],
  ["B10 comments, and comments wrapped as data", [
    ": OPENROUTER PROCESSING\n\n",
    "data: : OPENROUTER PROCESSING\n\n",
    `${HI}\n\n${STOP}\n\n`,
    done(),
  ], ["text:hi", "done:stop"]],
  ["B11 two frames glued, the first cut short", [
    'data: {"object":"chat.completion.cdata: {"choices":[{"index":0,"delta":{"content":"I"}}]}\n\n',
    `${STOP}\n\n`,
    done(),
  ], ["text:I", "notice:malformed_frames", "done:stop"]],
  ["B11 more damage than one can trust", [
    ...Array.from({ length: 6 }, () => 'data: {"broken\n\n'),
    `${STOP}\n\n`,
    done(),
  ], ["error:malformed_stream!"]],
  ["B11 a frame lost inside a call never runs it", [
    toolCall({ index: 0, id: "a", name: "read", arguments: '{"path":"' }),
    'data: {"choices":[{"delta":{"tool_ca\n\n',
    toolCall({ index: 0, arguments: 'x"}' }),
    finish("tool_calls"),
    done(),
  ], ["error:malformed_stream!"]],
  ["data without the space after the colon", [
    `${HI}\n\n${STOP}\n\ndata: [DONE]\n\n`.replaceAll("data: ", "data:"),
  ], ["text:hi", "done:stop"]],
  ["one JSON value over several data lines", [
    'data: {"choices":[{"index":0,\ndata: "delta":{"content":"hi"}}]}\n\n',
    finish("stop"),
    done(),
  ], ["text:hi", "done:stop"]],
  ["frames with one newline between them", [`${HI}\n${HI}\n${STOP}\ndata: [DONE]\n`], [
    "text:hihi",
    "done:stop",
  ]],
  ["event, id and retry fields, and a byte order mark", [
    `\ufeffid: 1\nevent: message\nretry: 10\n${HI}\n\n${STOP}\n\n`,
    done(),
  ], ["text:hi", "done:stop"]],
  ["a server that hangs after [DONE]", {
    chunks: [text("hi"), finish("stop"), done()],
    end: "hang",
  }, ["text:hi", "done:stop"]],
  ["an event cut inside a UTF-8 sequence", {
    chunks: cutBytes(`${text("a😀é")}${finish("stop")}${done()}`),
  }, ["text:a😀é", "done:stop"]],
  // Shapes of chunks.
  ["content null, delta missing, choices empty", [
    chunk({ role: "assistant", content: null }),
    sse({ choices: [{ index: 0 }] }),
    sse({ choices: [] }),
    text("a"),
    sse({ choices: [{ index: 0, delta: null, finish_reason: "stop" }] }),
    done(),
  ], ["text:a", "done:stop"]],
  ["a finish reason of no letters", [chunk({ content: "a" }, { finish_reason: "" }), done()], [
    "text:a",
    "done:null",
  ]],
  ["B16 reasoning under either name, once where both are filled", [
    reasoning("t1", "reasoning"),
    reasoning("t2", "reasoning_content"),
    chunk({ reasoning: "t3", reasoning_content: "t3" }),
    text("a"),
    finish("stop"),
    done(),
  ], ["reasoning:t1t2t3", "text:a", "done:stop"]],
  ["<think> at the start of the content", [
    text("\n<th"),
    text("ink>hm"),
    text("m</thi"),
    text("nk>\n"),
    text("\nanswer </think>"),
    finish("stop"),
    done(),
  ], ["reasoning:hmm", "text:answer </think>", "done:stop"]],
  ["<think> that never closes", [text("<think>hm</th"), finish("length"), done()], [
    "reasoning:hm</th",
    "done:length",
  ]],
  ["what only looks like <think>", [text(" <thin"), text("g> a"), finish("stop"), done()], [
    "text: <thing> a",
    "done:stop",
  ]],
  ["content in parts, thinking among them", [
    chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
    chunk({ content: [{ type: "text", text: "a" }] }),
    finish("stop"),
    done(),
  ], ["reasoning:hm", "text:a", "done:stop"]],
  ["a refusal is text", [chunk({ refusal: "no" }), finish("stop"), done()], [
    "text:no",
    "done:stop",
  ]],
  // Bodies that are no stream.
  ["B26 a whole completion as JSON", {
    headers: { "content-type": "application/json" },
    chunks: [JSON.stringify({
      choices: [{
        index: 0,
        message: {
          role: "assistant",
          content: "hi",
          reasoning_content: "hm",
          tool_calls: [{ id: "a", type: "function", function: READ_X }],
        },
        finish_reason: "tool_calls",
      }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    })],
  }, ["reasoning:hm", "text:hi", "usage:1/2", CALL_X, "done:tool_calls"]],
  ["B26 a web page with status 200", { chunks: ["<!DOCTYPE html><title>Log in</title>"] }, [
    "error:not_a_model_server",
  ]],
  ["B26 a web page with status 502", {
    status: 502,
    chunks: ["<html><h1>Bad gateway</h1></html>"],
  }, ["error:server_error!"]],
  ["B26 a stream without a content type", {
    headers: { "content-type": null },
    chunks: [text("hi"), finish("stop"), done()],
  }, ["text:hi", "done:stop"]],
  ["plain words with status 200", { chunks: ["ok"] }, ["error:not_a_model_server"]],
  ["other JSON with status 200", { chunks: ['{"status":"up"}'] }, ["error:not_a_model_server"]],
  ["JSON that ends too early", { chunks: ['{"choices":[{"message":{"content":"h'] }, [
    "error:malformed_stream!",
  ]],
  ["HTTP 200 with an error as its body", { chunks: ['{"error":{"message":"boom"}}'] }, [
    "error:stream_error!",
  ]],
  ["HTTP 200 with an error as an event", [sse({ error: { message: "slow down", code: 429 } })], [
    "error:rate_limited!",
  ]],
  ["HTTP 200 with an error under the event's name", ["event: error\ndata: overloaded\n\n"], [
    "error:stream_error!",
  ]],
  ["HTTP 200 with a bare error object", [
    sse({ object: "error", message: "This model's maximum context length is 10 tokens" }),
  ], ["error:context_length_exceeded"]],
  ["an error after the finish reason is too late", [
    text("a"),
    finish("stop"),
    sse({ error: "x" }),
  ], ["text:a", "done:stop (no end mark)"]],
  // Tool calls.
  ["a call in pieces, text beside it", [
    text("now"),
    toolCall({ index: 0, id: "a", name: "read", arguments: "" }),
    toolCall({ index: 0, arguments: '{"pa' }),
    toolCall({ index: 0, arguments: 'th":"x"}' }),
    finish("tool_calls"),
    done(),
  ], ["text:now", CALL_X, "done:tool_calls"]],
  ["B28 calls without index, with ids", [
    toolCall({ id: "a", ...READ_X }),
    toolCall({ id: "b", name: "read", arguments: '{"path":' }),
    toolCall({ arguments: '"y"}' }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, 'call:read {"path":"y"}', "done:tool_calls"]],
  ["B28 calls without index and id, whole", [
    toolCall(READ_X),
    toolCall({ name: "read", arguments: '{"path":"y"}' }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, 'call:read {"path":"y"}', "done:tool_calls"]],
  ["two calls under the same index, with ids of their own", [
    toolCall({ index: 0, id: "a", ...READ_X }),
    toolCall({ index: 0, id: "b", name: "ls", arguments: "{}" }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "call:ls {}", "done:tool_calls"]],
  ["two whole calls under the same index without ids", [
    toolCall({ index: 0, ...READ_X }),
    toolCall({ index: 0, name: "ls", arguments: "{}" }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "call:ls {}", "done:tool_calls"]],
  ["interleaved deltas of two calls", [
    toolCall({ index: 0, id: "a", name: "read", arguments: '{"path":' }),
    toolCall({ index: 1, id: "b", name: "ls", arguments: "{" }),
    toolCall({ index: 0, arguments: '"x"}' }),
    toolCall({ index: 1, arguments: "}" }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "call:ls {}", "done:tool_calls"]],
  ["B29 an index but no id", [
    toolCall({ index: 0, ...READ_X }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "done:tool_calls"]],
  ["B31 id and name in every chunk", [
    toolCall({ index: 0, id: "c", name: "read", arguments: '{"pa' }),
    toolCall({ index: 0, id: "c", name: "read", arguments: 'th":' }),
    toolCall({ index: 0, id: "c", name: "read", arguments: '"x"}' }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "done:tool_calls"]],
  ["B31 a name in every chunk before the arguments", [
    toolCall({ index: 0, id: "c", name: "read" }),
    toolCall({ index: 0, id: "c", name: "read" }),
    toolCall({ index: 0, id: "c", arguments: '{"path":"x"}' }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "done:tool_calls"]],
  ["a name in pieces", [
    toolCall({ index: 0, id: "c", name: "re" }),
    toolCall({ index: 0, name: "ad" }),
    toolCall({ index: 0, arguments: '{"path":"x"}' }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "done:tool_calls"]],
  ["B32 an empty name after the real one", [
    toolCall({ index: 0, id: "a", name: "read", arguments: "" }),
    toolCall({ index: 0, name: "", arguments: '{"path":"x"}' }),
    toolCall({ index: 0, id: null, name: null, arguments: null }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "done:tool_calls"]],
  ["B34 two equal calls that share their id", [
    toolCall({ index: 0, id: "call_0", ...READ_X }),
    toolCall({ index: 1, id: "call_0", ...READ_X }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, CALL_X, "done:tool_calls"]],
  ["B34 two equal calls that share their id, without index", [
    toolCall({ id: "call_0", ...READ_X }),
    toolCall({ id: "call_0", ...READ_X }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, CALL_X, "done:tool_calls"]],
  ["B35 arguments empty, blank, null, absent", [
    toolCall({ index: 0, id: "a", name: "ls", arguments: "" }),
    toolCall({ index: 1, id: "b", name: "ls", arguments: "  \n" }),
    toolCall({ index: 2, id: "c", name: "ls", arguments: null }),
    toolCall({ index: 3, id: "d", name: "ls" }),
    finish("tool_calls"),
    done(),
  ], ["call:ls {}", "call:ls {}", "call:ls {}", "call:ls {}", "done:tool_calls"]],
  ["arguments as an object", [
    toolCall({ index: 0, id: "a", name: "read", arguments: { path: "x" } }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "done:tool_calls"]],
  ["B37 a call cut by the output limit", [
    toolCall({ index: 0, id: "a", ...READ_X }),
    toolCall({ index: 1, id: "b", name: "write", arguments: '{"command":"rm -rf build' }),
    finish("length"),
    done(),
  ], [CALL_X, "notice:tool_call_cut", "done:length"]],
  ["B37 a call without arguments at the output limit", [
    toolCall({ index: 0, id: "a", name: "ls", arguments: "" }),
    finish("length"),
    done(),
  ], ["notice:tool_call_cut", "done:length"]],
  ["B37 a trailing brace is left to the reader of arguments", [
    toolCall({ index: 0, id: "a", name: "read", arguments: '{"path":"x"}}' }),
    finish("tool_calls"),
    done(),
  ], ['call:read {"path":"x"}}', "done:tool_calls"]],
  ["a whole call, [DONE], no finish reason", [
    toolCall({ index: 0, id: "a", ...READ_X }),
    done(),
  ], [CALL_X, "done:null"]],
  ["a cut call, [DONE], no finish reason", [
    toolCall({ index: 0, id: "a", name: "read", arguments: '{"path":"x' }),
    done(),
  ], ["notice:tool_call_cut", "done:null"]],
  ["B38 finish_reason stop in the chunk of the call", [
    chunk({ tool_calls: [{ index: 0, id: "a", function: READ_X }] }, { finish_reason: "stop" }),
    done(),
  ], [CALL_X, "done:stop"]],
  ["B38 finish_reason stop behind the call", [
    toolCall({ index: 0, id: "a", ...READ_X }),
    finish("stop"),
    done(),
  ], [CALL_X, "done:stop"]],
  ["a legacy function_call", [
    chunk({ function_call: { name: "read", arguments: "" } }),
    chunk({ function_call: { arguments: '{"path":' } }),
    chunk({ function_call: { arguments: '"x"}' } }),
    finish("function_call"),
    done(),
  ], [CALL_X, "done:tool_calls"]],
  ["B40 a control token in the name", [
    toolCall({ index: 0, id: "a", name: "read<|channel|>commentary", arguments: '{"path":"x"}' }),
    finish("tool_calls"),
    done(),
  ], [CALL_X, "done:tool_calls"]],
  ["B40 a call as markup in the text is not run", [
    text("<tool_c"),
    text('all>{"name":"read","arguments":{"path":"a"}}</tool_call>'),
    finish("stop"),
    done(),
  ], [
    'text:<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>',
    "notice:leaked_tool_call",
    "done:stop",
  ]],
  ["B41 a call as markup in the reasoning, and nothing else", [
    reasoning('<tool_call>{"name":"read"}</tool_call>'),
    finish("stop"),
    done(),
  ], [
    'reasoning:<tool_call>{"name":"read"}</tool_call>',
    "notice:leaked_tool_call",
    "done:stop",
  ]],
  ["B41 markup in the reasoning beside an answer is no leak", [
    reasoning("maybe <tool_call>"),
    text("answer"),
    finish("stop"),
    done(),
  ], ["reasoning:maybe <tool_call>", "text:answer", "done:stop"]],
  ["B44 a call named after an object built-in", [
    toolCall({ index: 0, id: "__proto__", name: "__proto__", arguments: "{}" }),
    toolCall({ index: 1, id: "constructor", name: "constructor", arguments: "{}" }),
    finish("tool_calls"),
    done(),
  ], ["call:__proto__ {}", "call:constructor {}", "done:tool_calls"]],
  ["a call without a name is not sent", [
    toolCall({ index: 0, id: "a", arguments: '{"path":"x"}' }),
    finish("tool_calls"),
    done(),
  ], ["notice:nameless_tool_call", "done:tool_calls"]],
];

for (const [title, turn, expected] of ROWS) {
  Deno.test(`Chat Completions stream: ${title}`, async () => {
    const collected = await ask(Array.isArray(turn) ? { chunks: turn } : turn as ScriptedTurn);
    assert.deepEqual(outline(collected), expected);
    assert.equal(new Set(callIds(collected)).size, callIds(collected).length, "ids are unique");
  });
}

Deno.test("B34 an id that the conversation has used already is replaced", async () => {
  const collected = await ask(
    { chunks: [toolCall({ index: 0, id: "call_0", ...READ_X }), finish("tool_calls"), done()] },
    {
      request: {
        messages: [
          { role: "user", content: "q" },
          {
            role: "assistant",
            content: "",
            toolCalls: [{ id: "call_0", name: "read", arguments: "{}" }],
          },
          { role: "tool", toolCallId: "call_0", content: "r" },
        ],
      },
    },
  );
  const [id] = callIds(collected);
  assert.match(id ?? "", /^call_[0-9a-f]{16}$/);
});

Deno.test("B29 a real id that comes later does not change the call's id", async () => {
  const collected = await ask({
    chunks: [
      toolCall({ index: 0, name: "read", arguments: '{"path":' }),
      toolCall({ index: 0, id: "real", arguments: '"x"}' }),
      finish("tool_calls"),
      done(),
    ],
  });
  assert.deepEqual(outline(collected), [CALL_X, "done:tool_calls"]);
  assert.notEqual(callIds(collected)[0], "real");
});

Deno.test("Chat Completions usage tells cached and reasoning tokens and the cost", async () => {
  const { events } = await ask({
    chunks: [
      text("a"),
      finish("stop"),
      usage(100, 50, {
        cost: 0.25,
        prompt_tokens_details: { cached_tokens: 80 },
        completion_tokens_details: { reasoning_tokens: 20 },
      }),
      done(),
    ],
  });
  assert.deepEqual(events.find(({ type }) => type === "usage"), {
    type: "usage",
    usage: {
      inputTokens: 100,
      outputTokens: 50,
      cachedTokens: 80,
      reasoningTokens: 20,
      cost: 0.25,
    },
  });
});

Deno.test("Chat Completions reasoning names the field that it came in", async () => {
  const { events } = await ask({
    chunks: [reasoning("a", "reasoning"), text("<think>b</think>"), finish("stop"), done()],
  });
  assert.deepEqual(events.slice(0, 2), [
    { type: "reasoning", delta: "a", field: "reasoning" },
    { type: "reasoning", delta: "b" },
  ]);
});

function cutBytes(whole: string): Uint8Array[] {
  return Array.from(new TextEncoder().encode(whole), (byte) => Uint8Array.of(byte));
}
