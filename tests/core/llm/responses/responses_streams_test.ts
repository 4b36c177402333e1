import assert from "node:assert/strict";
import { ask, callIds, outline } from "../../../support/llm_harness.ts";
import {
  argumentsDelta,
  argumentsDone,
  callAdded,
  completed,
  event,
  incomplete,
  itemDone,
  responsesUsage,
  textDelta,
} from "../../../support/responses_events.ts";
import type { Piece, ScriptedTurn } from "../../../support/scripted_server.ts";

type Row = readonly [title: string, turn: ScriptedTurn | Piece[], expected: string[]];

const READ_X = '{"path":"x"}';
const CALL_X = `call:read ${READ_X}`;
const ITEM = {
  type: "function_call",
  id: "fc_0",
  call_id: "c",
  name: "read",
  arguments: READ_X,
};
const REASONING = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "hm" }],
  encrypted_content: "c1pher",
};

const ROWS: readonly Row[] = [
  ["plain text", [
    event("response.created", { response: { status: "in_progress" } }),
    textDelta("he"),
    textDelta("llo"),
    event("response.output_text.done", { output_index: 0, text: "hello" }),
    completed({ usage: responsesUsage(7, 3) }),
  ], ["text:hello", "usage:7/3", "done:stop"]],
  ["text in the .done event alone", [
    event("response.output_text.done", { output_index: 0, text: "hello" }),
    completed(),
  ], ["text:hello", "done:stop"]],
  ["text in the whole item alone", [
    itemDone({ type: "message", content: [{ type: "output_text", text: "hello" }] }),
    completed(),
  ], ["text:hello", "done:stop"]],
  ["text in the closing event alone", [
    completed({ output: [{ type: "message", content: [{ type: "output_text", text: "hello" }] }] }),
  ], ["text:hello", "done:stop"]],
  ["output that is repeated in the closing event", [
    textDelta("hello"),
    itemDone({ type: "message", content: [{ type: "output_text", text: "hello" }] }),
    callAdded({ callId: "c", name: "read", arguments: READ_X }, 1),
    itemDone(ITEM, 1),
    completed({
      output: [
        { type: "message", content: [{ type: "output_text", text: "hello" }] },
        ITEM,
      ],
    }),
  ], ["text:hello", CALL_X, "done:tool_calls"]],
  ["a refusal is text", [
    event("response.refusal.delta", { output_index: 0, delta: "no" }),
    event("response.refusal.done", { output_index: 0, refusal: "no" }),
    completed(),
  ], ["text:no", "done:stop"]],
  ["<think> at the start of the text", [
    textDelta("<think>hm</think>\n"),
    textDelta("a"),
    completed(),
  ], [
    "reasoning:hm",
    "text:a",
    "done:stop",
  ]],
  ["reasoning summaries, paragraphs apart, and the item", [
    event("response.reasoning_summary_part.added", { output_index: 0, summary_index: 0 }),
    event("response.reasoning_summary_text.delta", { output_index: 0, delta: "a" }),
    event("response.reasoning_summary_part.added", { output_index: 0, summary_index: 1 }),
    event("response.reasoning_summary_text.delta", { output_index: 0, delta: "b" }),
    itemDone(REASONING),
    textDelta("hi", 1),
    completed({ output: [REASONING] }),
  ], ["reasoning:a\n\nb", `item:${JSON.stringify(REASONING)}`, "text:hi", "done:stop"]],
  ["reasoning in the whole item alone", [itemDone(REASONING), textDelta("hi", 1), completed()], [
    "reasoning:hm",
    `item:${JSON.stringify(REASONING)}`,
    "text:hi",
    "done:stop",
  ]],
  ["plain reasoning text", [
    event("response.reasoning_text.delta", { output_index: 0, delta: "hm" }),
    textDelta("hi", 1),
    completed(),
  ], ["reasoning:hm", "text:hi", "done:stop"]],
  ["a call in pieces", [
    callAdded({ callId: "c", name: "read" }),
    argumentsDelta('{"pa'),
    argumentsDelta('th":"x"}'),
    argumentsDone(READ_X),
    itemDone(ITEM),
    completed(),
  ], [CALL_X, "done:tool_calls"]],
  ["B19 arguments in the .done event alone", [
    callAdded({ callId: "c", name: "read" }),
    argumentsDone(READ_X),
    completed(),
  ], [CALL_X, "done:tool_calls"]],
  ["B19 arguments in the whole item alone", [
    callAdded({ callId: "c", name: "read" }),
    itemDone(ITEM),
    completed(),
  ], [CALL_X, "done:tool_calls"]],
  ["B19 the .done event wins over the deltas", [
    callAdded({ callId: "c", name: "read" }),
    argumentsDelta('{"path":"?"}'),
    argumentsDone(READ_X),
    completed(),
  ], [CALL_X, "done:tool_calls"]],
  ["a call in the closing event alone", [completed({ output: [ITEM] })], [
    CALL_X,
    "done:tool_calls",
  ]],
  ["interleaved deltas of two calls", [
    callAdded({ callId: "c", name: "read" }, 0),
    callAdded({ callId: "d", name: "ls" }, 1),
    argumentsDelta('{"path":', 0),
    argumentsDelta("{", 1),
    argumentsDelta('"x"}', 0),
    argumentsDelta("}", 1),
    completed(),
  ], [CALL_X, "call:ls {}", "done:tool_calls"]],
  ["deltas by item id, without output_index", [
    event("response.output_item.added", { item: { ...ITEM, arguments: "" } }),
    event("response.function_call_arguments.delta", { item_id: "fc_0", delta: READ_X }),
    completed(),
  ], [CALL_X, "done:tool_calls"]],
  ["deltas that name no item", [
    event("response.output_item.added", { item: { ...ITEM, id: undefined, arguments: "" } }),
    event("response.function_call_arguments.delta", { delta: READ_X }),
    completed(),
  ], [CALL_X, "done:tool_calls"]],
  ["B34 two equal calls that share their id", [
    itemDone(ITEM, 0),
    itemDone(ITEM, 1),
    completed(),
  ], [CALL_X, CALL_X, "done:tool_calls"]],
  ["B35 no arguments at all", [callAdded({ callId: "c", name: "ls" }), completed()], [
    "call:ls {}",
    "done:tool_calls",
  ]],
  ["B40 a control token in the name", [
    callAdded({ callId: "c", name: "read<|channel|>json", arguments: READ_X }),
    completed(),
  ], [CALL_X, "done:tool_calls"]],
  ["B37 a call cut by the output limit", [
    callAdded({ callId: "c", name: "read" }),
    argumentsDelta('{"path":"x'),
    incomplete("max_output_tokens"),
  ], ["notice:tool_call_cut", "done:length"]],
  ["response.incomplete by the content filter", [textDelta("a"), incomplete("content_filter")], [
    "text:a",
    "done:content_filter",
  ]],
  ["response.failed", [
    textDelta("a"),
    event("response.failed", {
      response: { status: "failed", error: { code: "server_error", message: "x" } },
    }),
  ], ["text:a", "error:stream_error!"]],
  ["response.failed for a context that is too long", [
    event("response.failed", {
      response: {
        status: "failed",
        error: {
          code: "context_length_exceeded",
          message: "Your input exceeds the context window",
        },
      },
    }),
  ], ["error:context_length_exceeded"]],
  ["an error event", [event("error", { code: "rate_limit_exceeded", message: "slow down" })], [
    "error:rate_limited!",
  ]],
  ["an error event with an error inside", [event("error", { error: { message: "x" } })], [
    "error:stream_error!",
  ]],
  ["HTTP 200 with an error as its body", { chunks: ['{"error":{"message":"boom"}}'] }, [
    "error:stream_error!",
  ]],
  ["B26 a whole response as JSON", {
    headers: { "content-type": "application/json" },
    chunks: [JSON.stringify({
      object: "response",
      status: "completed",
      output: [
        REASONING,
        { type: "message", content: [{ type: "output_text", text: "hi" }] },
        ITEM,
      ],
      usage: responsesUsage(1, 2),
    })],
  }, [
    "usage:1/2",
    "reasoning:hm",
    `item:${JSON.stringify(REASONING)}`,
    "text:hi",
    CALL_X,
    "done:tool_calls",
  ]],
  ["B26 a web page with status 200", { chunks: ["<html>hello</html>"] }, [
    "error:not_a_model_server",
  ]],
  ["B01 a clean end with text and no closing event", [textDelta("a")], [
    "text:a",
    "done:null (no end mark)",
  ]],
  ["B01 a clean end with nothing", [event("response.created", { response: {} })], [
    "error:empty_stream!",
  ]],
  ["B02 a body cut after text", { chunks: [textDelta("a")], end: "destroy" }, [
    "text:a",
    "error:stream_interrupted!",
  ]],
  ["B07 CRLF", [(textDelta("a") + completed()).replaceAll("\n", "\r\n")], ["text:a", "done:stop"]],
  ["B07 bare CR", [(textDelta("a") + completed()).replaceAll("\n", "\r")], ["text:a", "done:stop"]],
  ["B08 the closing event without a newline", [textDelta("a"), completed().trimEnd()], [
    "text:a",
    "done:stop",
  ]],
  ["B10 comments, and comments wrapped as data", [
    ": ping\n\n",
    "data: : ping\n\n",
    textDelta("a"),
    completed(),
  ], ["text:a", "done:stop"]],
  ["B11 two frames glued, the first cut short", [
    textDelta("a"),
    `data: {"type":"response.out${completed().replace("event: response.completed\n", "")}`,
  ], ["text:a", "notice:malformed_frames", "done:stop"]],
  ["a server that hangs after the closing event", {
    chunks: [textDelta("a"), completed()],
    end: "hang",
  }, ["text:a", "done:stop"]],
  ["a call as markup in the text", [textDelta("<tool_call>"), completed()], [
    "text:<tool_call>",
    "notice:leaked_tool_call",
    "done:stop",
  ]],
];

for (const [title, turn, expected] of ROWS) {
  Deno.test(`Responses stream: ${title}`, async () => {
    const collected = await ask(Array.isArray(turn) ? { chunks: turn } : turn as ScriptedTurn, {
      api: "responses",
    });
    assert.deepEqual(outline(collected), expected);
    assert.equal(new Set(callIds(collected)).size, callIds(collected).length, "ids are unique");
  });
}

Deno.test("Responses calls keep the call_id that results are paired by", async () => {
  const collected = await ask({ chunks: [itemDone(ITEM), completed()] }, { api: "responses" });
  assert.deepEqual(callIds(collected), ["c"]);
});
