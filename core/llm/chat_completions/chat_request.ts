import type { LlmRequest } from "../types.ts";
import type { Adaptation } from "../request/adaptation.ts";
import { plainSchema } from "../request/plain_schema.ts";
import { wireConversation, type WireTurn } from "../request/wire_turns.ts";
import { REASONING_FIELDS } from "./chunk_decoder.ts";

/** A message on the Chat Completions wire. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
    readonly role: "assistant";
    readonly content?: string;
    readonly tool_calls?: readonly ChatToolCall[];
  }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

/** A tool call on the Chat Completions wire. */
export interface ChatToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A tool on the Chat Completions wire. */
export interface ChatTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  };
}

/** A request body of Chat Completions. */
export interface ChatRequestBody {
  readonly model: string;
  readonly stream: true;
  readonly stream_options?: { readonly include_usage: true };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly reasoning_effort?: string;
  readonly tools?: readonly ChatTool[];
  readonly messages: readonly ChatMessage[];
}

/**
 * The body of a request. Keys have a fixed order with what never changes first and the messages
 * last, so each request of a conversation starts with the bytes of the one before.
 *
 * Roles and shapes are those that every server takes: `system`, plain strings, no `strict`. The
 * content of an assistant message that only calls tools is left out: `null` and `""` are refused by
 * more servers than its absence.
 */
export function chatRequestBody(request: LlmRequest, adaptation: Adaptation): ChatRequestBody {
  const { system, turns } = wireConversation(request);
  const tools = adaptation.noTools === true ? [] : request.tools;
  return {
    model: request.model,
    stream: true,
    ...(adaptation.noStreamOptions === true ? {} : { stream_options: { include_usage: true } }),
    ...(adaptation.maxCompletionTokens === true
      ? { max_completion_tokens: request.maxTokens }
      : { max_tokens: request.maxTokens }),
    ...(request.temperature === undefined || adaptation.noTemperature === true
      ? {}
      : { temperature: request.temperature }),
    ...(request.reasoningEffort === undefined || adaptation.noReasoningEffort === true
      ? {}
      : { reasoning_effort: request.reasoningEffort }),
    ...(tools.length === 0 ? {} : {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        function: {
          name,
          description,
          parameters: plainSchema(parameters, { bare: adaptation.bareSchemas === true }),
        },
      })),
    }),
    messages: [
      ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
      ...turns.map((turn) => chatMessage(turn, adaptation)),
    ],
  };
}

function chatMessage(turn: WireTurn, adaptation: Adaptation): ChatMessage {
  switch (turn.role) {
    case "user":
      return { role: "user", content: turn.content };
    case "tool":
      return { role: "tool", tool_call_id: turn.callId, content: turn.content };
    case "assistant": {
      const { content, calls, reasoning } = turn;
      const field = adaptation.noReasoningReplay === true
        ? undefined
        : REASONING_FIELDS.find((name) => name === reasoning?.field);
      return {
        role: "assistant",
        ...(content !== "" || adaptation.emptyContent === true ? { content } : {}),
        ...(field !== undefined && reasoning !== undefined && reasoning.text !== ""
          ? { [field]: reasoning.text }
          : {}),
        ...(calls.length === 0 ? {} : {
          tool_calls: calls.map(({ id, name, arguments: args }) => ({
            id,
            type: "function" as const,
            function: { name, arguments: args },
          })),
        }),
      };
    }
  }
}
