import type { LlmMessage, LlmTool } from "../../core/llm/types.ts";
import type { StoredMessage } from "../entry.ts";
import { lastingReasoning } from "./lasting_reasoning.ts";
import { replayedArguments } from "./replayed_arguments.ts";
import { textWeight } from "./text_weight.ts";

/** What a message takes beyond its text: role and separators; in average characters. */
const MESSAGE_WEIGHT = 16;
/** What a call takes beyond name and arguments, in average characters. */
const CALL_WEIGHT = 24;

/** The weight of a message of a request, in average characters. */
export function weighMessage(message: LlmMessage): number {
  const base = MESSAGE_WEIGHT + textWeight(message.content);
  if (message.role !== "assistant") return base;
  let weight = base;
  for (const call of message.toolCalls) {
    weight += CALL_WEIGHT + textWeight(call.name) + textWeight(call.arguments);
  }
  return weight + weighReasoning(message.reasoning);
}

/** The weight that a stored message has in a request; of its reasoning the text only goes along if told so. */
export function weighStored(
  message: StoredMessage,
  options: { readonly withReasoning: boolean },
): number {
  const base = MESSAGE_WEIGHT + textWeight(message.content);
  if (message.role !== "assistant") return base;
  let weight = base;
  for (const call of message.tool_calls ?? []) {
    weight += CALL_WEIGHT + textWeight(call.function.name) + textWeight(replayedArguments(call));
  }
  const { reasoning } = message;
  return weight + weighReasoning(options.withReasoning ? reasoning : lastingReasoning(reasoning));
}

/** Tools never change while a list of them lives. */
const TOOL_WEIGHTS = new WeakMap<readonly LlmTool[], number>();

/** The weight of the tools' schemas, in average characters. */
export function weighTools(tools: readonly LlmTool[]): number {
  let weight = TOOL_WEIGHTS.get(tools);
  if (weight === undefined) {
    weight = tools.length === 0 ? 0 : textWeight(JSON.stringify(tools));
    TOOL_WEIGHTS.set(tools, weight);
  }
  return weight;
}

const ITEM_WEIGHTS = new WeakMap<readonly unknown[], number>();

function weighReasoning(
  reasoning: { readonly text: string; readonly items?: readonly unknown[] } | undefined,
): number {
  if (reasoning === undefined) return 0;
  const { text, items } = reasoning;
  if (items === undefined) return textWeight(text);
  let weight = ITEM_WEIGHTS.get(items);
  if (weight === undefined) {
    // Ciphertext is base64: about 1.3 characters for each one that the model thought.
    weight = JSON.stringify(items).length * 0.75;
    ITEM_WEIGHTS.set(items, weight);
  }
  return textWeight(text) + weight;
}
