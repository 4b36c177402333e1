import type { LlmRequest } from "../types.ts";
import type { Adaptation } from "../request/adaptation.ts";
import { plainSchema } from "../request/plain_schema.ts";
import { wireConversation, type WireTurn } from "../request/wire_turns.ts";

/** An input item on the Responses wire; reasoning items go back as they came. */
export type ResponsesInputItem =
  | {
    readonly type: "message";
    readonly role: "user" | "assistant";
    readonly content: string;
  }
  | {
    readonly type: "function_call";
    readonly call_id: string;
    readonly name: string;
    readonly arguments: string;
  }
  | { readonly type: "function_call_output"; readonly call_id: string; readonly output: string }
  | ResponsesReasoningItem;

/** A reasoning item, opaque but for its type. */
export interface ResponsesReasoningItem {
  readonly type: "reasoning";
  readonly [key: string]: unknown;
}

/** A tool on the Responses wire. */
export interface ResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  /** Said outright: the default of this protocol rewrites schemas. */
  readonly strict: false;
}

/** A request body of the Responses protocol. */
export interface ResponsesRequestBody {
  readonly model: string;
  readonly stream: true;
  readonly store: false;
  readonly max_output_tokens: number;
  readonly temperature?: number;
  readonly reasoning?: { readonly effort: string; readonly summary?: "auto" };
  readonly include?: readonly "reasoning.encrypted_content"[];
  readonly instructions?: string;
  readonly tools?: readonly ResponsesTool[];
  readonly input: readonly ResponsesInputItem[];
}

/**
 * The body of a request. Keys have a fixed order with what never changes first and the input last,
 * so each request of a conversation starts with the bytes of the one before. The conversation goes
 * along whole; nothing is kept on the server.
 */
export function responsesRequestBody(
  request: LlmRequest,
  adaptation: Adaptation,
): ResponsesRequestBody {
  const { system, turns } = wireConversation(request);
  const tools = adaptation.noTools === true ? [] : request.tools;
  const { temperature, reasoningEffort } = request;
  return {
    model: request.model,
    stream: true,
    store: false,
    max_output_tokens: request.maxTokens,
    ...(temperature === undefined || adaptation.noTemperature === true ? {} : { temperature }),
    ...(reasoningEffort === undefined || adaptation.noReasoningEffort === true ? {} : {
      reasoning: {
        effort: reasoningEffort,
        ...(adaptation.noSummary === true ? {} : { summary: "auto" as const }),
      },
    }),
    ...(adaptation.noInclude === true ? {} : { include: ["reasoning.encrypted_content"] }),
    ...(system === "" ? {} : { instructions: system }),
    ...(tools.length === 0 ? {} : {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        name,
        description,
        parameters: plainSchema(parameters, { bare: adaptation.bareSchemas === true }),
        strict: false as const,
      })),
    }),
    input: turns.flatMap((turn) => inputItems(turn, adaptation)),
  };
}

function inputItems(turn: WireTurn, adaptation: Adaptation): ResponsesInputItem[] {
  switch (turn.role) {
    case "user":
      return [{ type: "message", role: "user", content: turn.content }];
    case "tool":
      return [{ type: "function_call_output", call_id: turn.callId, output: turn.content }];
    case "assistant": {
      const items = adaptation.noReasoningReplay === true ? [] : turn.reasoning?.items ?? [];
      return [
        ...items.filter(isReasoningItem),
        ...(turn.content === "" ? [] : [{
          type: "message" as const,
          role: "assistant" as const,
          content: turn.content,
        }]),
        ...turn.calls.map(({ id, name, arguments: args }) => ({
          type: "function_call" as const,
          call_id: id,
          name,
          arguments: args,
        })),
      ];
    }
  }
}

function isReasoningItem(item: unknown): item is ResponsesReasoningItem {
  return typeof item === "object" && item !== null &&
    (item as Record<string, unknown>)["type"] === "reasoning";
}
