/** Runs a model service against a scripted server and tells in short what came of it. */

import assert from "node:assert/strict";
import type { Provider, ProviderApi, RequestLimits } from "../../core/config/provider.ts";
import { ProviderError } from "../../core/llm/provider_error.ts";
import { createLlmService, type CreateLlmServiceOptions } from "../../core/llm/service.ts";
import type { LlmRequest, LlmTool, StreamEvent } from "../../core/llm/types.ts";
import { type ScriptedServer, type ScriptedTurn, startScriptedServer } from "./scripted_server.ts";

/** Limits that no healthy test reaches. */
export const TEST_LIMITS: RequestLimits = {
  connectTimeoutMs: 5_000,
  firstTokenTimeoutMs: 5_000,
  streamIdleTimeoutMs: 5_000,
  requestTimeoutMs: 0,
};

/** A tool that models of tests may call. */
export function testTool(name: string): LlmTool {
  return {
    name,
    description: `The tool ${name}`,
    parameters: {
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
    },
  };
}

/** A request of one question, with the tools `read`, `write` and `ls`. */
export function testRequest(changes: Partial<LlmRequest> = {}): LlmRequest {
  return {
    model: "m",
    messages: [{ role: "user", content: "question" }],
    tools: ["read", "write", "ls"].map(testTool),
    maxTokens: 100,
    ...changes,
  };
}

/** A provider that is a scripted server. */
export function testProvider(
  server: ScriptedServer,
  changes: Partial<Provider> & { readonly api?: ProviderApi } = {},
): Provider {
  return {
    name: "test",
    api: "chat_completions",
    endpoint: changes.api === "responses" ? server.responsesEndpoint : server.endpoint,
    ...changes,
  };
}

/** What a stream gave before it ended. */
export interface Collected {
  readonly events: StreamEvent[];
  /** What it threw, if it did. */
  readonly thrown: unknown;
}

/** Reads a stream to its end and checks what holds for every stream. */
export async function collect(stream: AsyncIterable<StreamEvent>): Promise<Collected> {
  const events: StreamEvent[] = [];
  let thrown: unknown;
  try {
    for await (const event of stream) events.push(event);
  } catch (error) {
    thrown = error;
  }
  checkStream(events, thrown);
  return { events, thrown };
}

/** Asks a server that gives one answer, and reads it to the end. */
export async function ask(
  turn: ScriptedTurn,
  options: {
    readonly api?: ProviderApi;
    readonly request?: Partial<LlmRequest>;
    readonly service?: Partial<CreateLlmServiceOptions>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Collected> {
  await using server = await startScriptedServer([turn]);
  const service = createLlmService(
    testProvider(server, options.api === undefined ? {} : { api: options.api }),
    { limits: TEST_LIMITS, firstTokenTimeoutConfigured: true, ...options.service },
  );
  const signal = options.signal ?? new AbortController().signal;
  return await collect(service.stream(testRequest(options.request), { signal }));
}

/** What holds for every stream: one end, calls whole and announced, ids unique. */
export function checkStream(events: readonly StreamEvent[], thrown: unknown): void {
  const ends = events.filter(({ type }) => type === "done").length;
  assert.equal(ends, thrown === undefined ? 1 : 0, "one done, or one error");
  if (ends === 1) assert.equal(events.at(-1)?.type, "done", "nothing follows done");
  const started = new Map<string, string>();
  const finished = new Set<string>();
  for (const event of events) {
    if (event.type === "tool_call_start") {
      assert.ok(!started.has(event.id), "a call starts once");
      started.set(event.id, event.name);
    } else if (event.type === "tool_call_delta") {
      assert.ok(
        started.has(event.id) && !finished.has(event.id),
        "a delta belongs to an open call",
      );
    } else if (event.type === "tool_call") {
      const { id, name } = event.call;
      assert.equal(started.get(id), name, "a call is announced under its name");
      assert.ok(!finished.has(id), "a call is sent once");
      finished.add(id);
    }
  }
}

/**
 * A stream in short, for tables: `text:hi`, `reasoning:hm`, `call:read {"path":"x"}`,
 * `usage:10/5`, `notice:code`, `done:stop`, `error:code` with `!` when it is retriable. Pieces of
 * text are joined; ids and what announces a call are left out.
 */
export function outline({ events, thrown }: Collected): string[] {
  const lines: string[] = [];
  let open = "";
  for (const event of events) {
    const last = lines.length - 1;
    switch (event.type) {
      case "text":
      case "reasoning":
        if (open === event.type) lines[last] += event.delta;
        else lines.push(`${event.type}:${event.delta}`);
        break;
      case "reasoning_item":
        lines.push(`item:${JSON.stringify(event.item)}`);
        break;
      case "tool_call":
        lines.push(`call:${event.call.name} ${event.call.arguments}`);
        break;
      case "usage":
        lines.push(`usage:${event.usage.inputTokens}/${event.usage.outputTokens}`);
        break;
      case "notice":
        lines.push(`notice:${event.code}`);
        break;
      case "done":
        lines.push(`done:${event.finishReason}${event.endMark ? "" : " (no end mark)"}`);
        break;
      case "tool_call_start":
      case "tool_call_delta":
        continue;
    }
    open = event.type;
  }
  if (thrown instanceof ProviderError) {
    lines.push(`error:${thrown.code}${thrown.retriable ? "!" : ""}`);
  } else if (thrown !== undefined) lines.push(`thrown:${thrown}`);
  return lines;
}

/** The ids of the calls of a stream, in order. */
export function callIds({ events }: Collected): string[] {
  return events.flatMap((event) => event.type === "tool_call" ? [event.call.id] : []);
}
