import type { LlmMessage, LlmReasoning, LlmRequest } from "../types.ts";
import { parseToolArguments } from "../lenient_json.ts";
import { WireIds } from "./wire_ids.ts";

/** What an empty result says: many servers refuse an empty text. */
const EMPTY_RESULT = "(no output)";

/** A call as either protocol sends it back. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
  /** Always a JSON object: templates of some servers parse it. */
  readonly arguments: string;
}

/** A message that is ready for either protocol: ids mapped, odd and empty ones gone. */
export type WireTurn =
  | { readonly role: "user"; readonly content: string }
  | {
    readonly role: "assistant";
    readonly content: string;
    readonly calls: readonly WireCall[];
    /** Only when it came from the model that is asked now. */
    readonly reasoning?: LlmReasoning;
  }
  | { readonly role: "tool"; readonly callId: string; readonly content: string };

/** A conversation that is ready for either protocol. */
export interface WireConversation {
  /** The system messages at the start, joined; `""` when there is none. */
  readonly system: string;
  readonly turns: readonly WireTurn[];
}

/**
 * Evens out a conversation for the wire. Left out are assistant messages without text and calls
 * (also when they hold reasoning: it may only go back with what followed it), calls without a name,
 * and results that answer no call. A system message in the middle becomes a user message, since
 * chat templates know one at the start.
 */
export function wireConversation(request: LlmRequest): WireConversation {
  const ids = new WireIds();
  const system: string[] = [];
  const turns: WireTurn[] = [];
  for (const message of request.messages) {
    if (message.role === "system" && turns.length === 0) system.push(message.content);
    else {
      const turn = wireTurn(message, { ids, model: request.model });
      if (turn !== undefined) turns.push(turn);
    }
  }
  return { system: system.filter((text) => text !== "").join("\n\n"), turns };
}

function wireTurn(
  message: LlmMessage,
  { ids, model }: { readonly ids: WireIds; readonly model: string },
): WireTurn | undefined {
  switch (message.role) {
    case "system":
    case "user":
      return message.content === "" ? undefined : { role: "user", content: message.content };
    case "tool": {
      const callId = ids.forResult(message.toolCallId);
      const content = message.content.trim() === "" ? EMPTY_RESULT : message.content;
      return callId === undefined ? undefined : { role: "tool", callId, content };
    }
    case "assistant": {
      ids.beginMessage();
      const calls = message.toolCalls
        .filter(({ name }) => name !== "")
        .map(({ id, name, arguments: args }) => ({
          id: ids.forCall(id),
          name,
          arguments: objectText(args),
        }));
      const content = message.content.trim() === "" ? "" : message.content;
      if (content === "" && calls.length === 0) return undefined;
      const { reasoning } = message;
      return {
        role: "assistant",
        content,
        calls,
        ...(reasoning !== undefined && reasoning.model === model ? { reasoning } : {}),
      };
    }
  }
}

/** Arguments as they were sent when they are a JSON object, else the nearest thing that is one. */
function objectText(args: unknown): string {
  // Old sessions may hold any JSON here.
  const text = typeof args === "string" ? args : JSON.stringify(args) ?? "";
  const parsed = parseToolArguments(text);
  if (!parsed.ok) return "{}";
  return parsed.repaired || text.trim() === "" || text.trim() === "null"
    ? JSON.stringify(parsed.value)
    : text;
}
