import assert from "node:assert/strict";
import fc from "fast-check";
import { CHAT_PROTOCOL } from "../../../../core/llm/chat_completions/chat_protocol.ts";
import { RESPONSES_PROTOCOL } from "../../../../core/llm/responses/responses_protocol.ts";
import { ReplyReader } from "../../../../core/llm/stream/reply_reader.ts";
import type { WireProtocol } from "../../../../core/llm/stream/wire_protocol.ts";
import type { StreamEvent } from "../../../../core/llm/types.ts";
import { done, finish, reasoning, text, toolCall, usage } from "../../../support/chat_chunks.ts";
import { testRequest } from "../../../support/llm_harness.ts";
import {
  argumentsDelta,
  callAdded,
  completed,
  itemDone,
  responsesUsage,
  textDelta,
} from "../../../support/responses_events.ts";

const CHAT_STREAM = [
  ": comment\n\n",
  reasoning("hmm – 思考"),
  text("<th"),
  text("ink>deep</think>\n\nhé"),
  text("llo 😀"),
  'data: {"choices":[{"index":0,\ndata: "delta":{"content":"!"}}]}\n\n',
  "data: : wrapped\n\n",
  toolCall({ index: 0, id: "a", name: "read", arguments: '{"path":' }),
  toolCall({ index: 0, arguments: '"ü"}' }),
  finish("tool_calls"),
  usage(3, 4),
  done(),
].join("");

const RESPONSES_STREAM = [
  itemDone({ type: "reasoning", summary: [{ type: "summary_text", text: "思考" }] }),
  textDelta("héllo ", 1),
  textDelta("😀", 1),
  callAdded({ callId: "a", name: "read" }, 2),
  argumentsDelta('{"path":', 2),
  argumentsDelta('"ü"}', 2),
  completed({ usage: responsesUsage(3, 4) }),
].join("");

const STREAMS: readonly (readonly [string, WireProtocol, string])[] = [
  ["Chat Completions, LF", CHAT_PROTOCOL, CHAT_STREAM],
  ["Chat Completions, CRLF", CHAT_PROTOCOL, CHAT_STREAM.replaceAll("\n", "\r\n")],
  ["Chat Completions, CR", CHAT_PROTOCOL, CHAT_STREAM.replaceAll("\n", "\r")],
  ["Chat Completions, no final blank line", CHAT_PROTOCOL, CHAT_STREAM.trimEnd()],
  ["Chat Completions, as JSON", CHAT_PROTOCOL, ' {"choices":[{"message":{"content":"😀"}}]}'],
  ["Responses, LF", RESPONSES_PROTOCOL, RESPONSES_STREAM],
  ["Responses, CRLF", RESPONSES_PROTOCOL, RESPONSES_STREAM.replaceAll("\n", "\r\n")],
];

for (const [title, protocol, stream] of STREAMS) {
  const bytes = new TextEncoder().encode(stream);

  Deno.test(`B07 any split of the bytes gives the same events: ${title}`, () => {
    const whole = read(protocol, [bytes]);
    assert.equal(whole.at(-1)?.type, "done");
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: 40 });
    fc.assert(
      fc.property(cuts, (points) => {
        const at = [0, ...points.sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        assert.deepEqual(read(protocol, pieces), whole);
      }),
      { numRuns: 100 },
    );
  });

  Deno.test(`B07 every cut in two gives the same events: ${title}`, () => {
    const whole = read(protocol, [bytes]);
    for (let at = 0; at <= bytes.length; at++) {
      assert.deepEqual(read(protocol, [bytes.subarray(0, at), bytes.subarray(at)]), whole);
    }
  });
}

Deno.test("B02 a stream cut anywhere runs no call that the whole stream does not", () => {
  const bytes = new TextEncoder().encode(CHAT_STREAM);
  for (let at = 0; at < bytes.length; at++) {
    const events: StreamEvent[] = [];
    const reader = newReader(CHAT_PROTOCOL, events);
    try {
      reader.push(bytes.subarray(0, at));
      reader.end(undefined);
    } catch {
      // A broken stream: what counts is what was sent before.
    }
    for (const event of events) {
      if (event.type !== "tool_call") continue;
      assert.deepEqual({ ...event.call, id: "" }, {
        id: "",
        name: "read",
        arguments: '{"path":"ü"}',
      });
    }
  }
});

Deno.test("ReplyReader takes random bytes without anything but its own errors", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
      try {
        read(CHAT_PROTOCOL, pieces);
      } catch (error) {
        assert.equal((error as Error).name, "ProviderError");
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("ReplyReader takes any JSON as a chunk without anything but its own errors", () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const chunk = fc.record({ choices: fc.array(fc.record({ delta: json, finish_reason: json })) });
  for (const protocol of [CHAT_PROTOCOL, RESPONSES_PROTOCOL]) {
    fc.assert(
      fc.property(fc.array(fc.oneof(json, chunk)), (values) => {
        const wire = values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
        try {
          read(protocol, [new TextEncoder().encode(`: start\n\n${wire}`)]);
        } catch (error) {
          assert.equal((error as Error).name, "ProviderError", String(error));
        }
      }),
      { numRuns: 200 },
    );
  }
});

function newReader(protocol: WireProtocol, events: StreamEvent[]): ReplyReader {
  return new ReplyReader({
    protocol,
    request: testRequest(),
    context: {
      provider: { name: "p", endpoint: "http://127.0.0.1/v1", api: "chat_completions" },
      model: "m",
      scrub: (text) => text,
    },
  }, events);
}

function read(protocol: WireProtocol, pieces: readonly Uint8Array[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const reader = newReader(protocol, events);
  for (const piece of pieces) if (!reader.over) reader.push(piece);
  if (!reader.over) reader.end(undefined);
  return events;
}
