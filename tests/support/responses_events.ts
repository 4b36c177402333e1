/** Builders of Responses stream events, as the exact text that a server sends. */

import type { ScriptedTurn } from "./scripted_server.ts";

/** One event, under its name and with its type inside. */
export function event(type: string, fields: Record<string, unknown> = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** A piece of text of the item at `outputIndex`. */
export function textDelta(delta: string, outputIndex = 0): string {
  return event("response.output_text.delta", {
    item_id: `msg_${outputIndex}`,
    output_index: outputIndex,
    content_index: 0,
    delta,
  });
}

/** The start of a function call. */
export function callAdded(
  call: { readonly callId: string; readonly name: string; readonly arguments?: string },
  outputIndex = 0,
): string {
  return event("response.output_item.added", {
    output_index: outputIndex,
    item: {
      type: "function_call",
      id: `fc_${outputIndex}`,
      call_id: call.callId,
      name: call.name,
      arguments: call.arguments ?? "",
    },
  });
}

/** A piece of a function call's arguments. */
export function argumentsDelta(delta: string, outputIndex = 0): string {
  return event("response.function_call_arguments.delta", {
    item_id: `fc_${outputIndex}`,
    output_index: outputIndex,
    delta,
  });
}

/** The whole arguments of a function call. */
export function argumentsDone(whole: string, outputIndex = 0): string {
  return event("response.function_call_arguments.done", {
    item_id: `fc_${outputIndex}`,
    output_index: outputIndex,
    arguments: whole,
  });
}

/** The end of an output item. */
export function itemDone(item: Record<string, unknown>, outputIndex = 0): string {
  return event("response.output_item.done", { output_index: outputIndex, item });
}

/** The end of a response; `fields` go into it. */
export function completed(fields: Record<string, unknown> = {}): string {
  return event("response.completed", {
    response: { id: "resp_1", object: "response", status: "completed", output: [], ...fields },
  });
}

/** The end of a response that is not whole. */
export function incomplete(reason: string): string {
  return event("response.incomplete", {
    response: { status: "incomplete", output: [], incomplete_details: { reason } },
  });
}

/** Token counts as this protocol names them. */
export function responsesUsage(inputTokens: number, outputTokens: number): unknown {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 1 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** A whole answer of plain text. */
export function responsesTextTurn(content: string): ScriptedTurn {
  return { chunks: [textDelta(content), completed({ usage: responsesUsage(10, 5) })] };
}
