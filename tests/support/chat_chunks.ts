/** Builders of Chat Completions stream events, as the exact text that a server sends. */

import type { ScriptedTurn } from "./scripted_server.ts";

/** One server-sent event that carries a value as JSON. */
export function sse(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** A chunk whose only choice has this delta; `more` goes into the choice. */
export function chunk(delta: unknown, more: Record<string, unknown> = {}): string {
  return sse({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: null, ...more }],
  });
}

/** A chunk of text. */
export function text(content: string): string {
  return chunk({ content });
}

/** A chunk of reasoning, under the field that the server calls it. */
export function reasoning(content: string, field = "reasoning_content"): string {
  return chunk({ [field]: content });
}

/** A piece of a tool call; absent parts are left out of the wire. */
export function toolCall(
  call: {
    readonly index?: number;
    readonly id?: string | null;
    readonly name?: string | null;
    readonly arguments?: unknown;
  },
): string {
  const { index, id, name, arguments: args } = call;
  return chunk({
    tool_calls: [{
      ...(index === undefined ? {} : { index }),
      ...(id === undefined ? {} : { id, type: "function" }),
      function: {
        ...(name === undefined ? {} : { name }),
        ...(args === undefined ? {} : { arguments: args }),
      },
    }],
  });
}

/** The last chunk of an answer. */
export function finish(reason: string): string {
  return chunk({}, { finish_reason: reason });
}

/** The chunk that carries token counts. */
export function usage(promptTokens: number, completionTokens: number, more = {}): string {
  return sse({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      ...more,
    },
  });
}

/** The protocol's own end. */
export function done(): string {
  return "data: [DONE]\n\n";
}

/** A whole answer of plain text. */
export function textTurn(content: string): ScriptedTurn {
  return { chunks: [text(content), finish("stop"), usage(10, 5), done()] };
}

/** A whole answer that calls tools, each with its arguments as a value. */
export function toolTurn(
  calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[],
  content?: string,
): ScriptedTurn {
  return {
    chunks: [
      ...(content === undefined ? [] : [text(content)]),
      ...calls.map((call, index) =>
        toolCall({ index, ...call, arguments: JSON.stringify(call.arguments) })
      ),
      finish("tool_calls"),
      usage(10, 5),
      done(),
    ],
  };
}
