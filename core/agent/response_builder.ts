import { unreachable } from "../base/errors.ts";
import type {
  LlmReasoning,
  LlmToolCall,
  LlmUsage,
  StreamEvent,
  WireFinishReason,
} from "../llm/types.ts";

/** Puts the events of one response together. */
export class ResponseBuilder {
  /** The text so far. */
  text = "";
  /** The complete tool calls so far. */
  readonly calls: LlmToolCall[] = [];
  /** The last usage that the server told. */
  usage: LlmUsage | undefined;
  finishReason: WireFinishReason = null;
  endMark = false;
  #reasoningText = "";
  #reasoningField: string | undefined;
  readonly #reasoningItems: unknown[] = [];

  /** Takes the next event. */
  add(event: StreamEvent): void {
    switch (event.type) {
      case "text":
        this.text += event.delta;
        return;
      case "reasoning":
        this.#reasoningText += event.delta;
        this.#reasoningField ??= event.field;
        return;
      case "reasoning_item":
        this.#reasoningItems.push(event.item);
        return;
      case "tool_call":
        this.calls.push(event.call);
        return;
      case "usage":
        this.usage = event.usage;
        return;
      case "done":
        this.finishReason = event.finishReason;
        this.endMark = event.endMark;
        return;
      case "tool_call_start":
      case "tool_call_delta":
      case "notice":
        return;
      default:
        unreachable(event);
    }
  }

  /** The reasoning that came with the response, tied to the model that it came from. */
  reasoning(model: string): LlmReasoning | undefined {
    if (this.#reasoningText === "" && this.#reasoningItems.length === 0) return undefined;
    return {
      text: this.#reasoningText,
      model,
      ...(this.#reasoningField === undefined ? {} : { field: this.#reasoningField }),
      ...(this.#reasoningItems.length === 0 ? {} : { items: this.#reasoningItems }),
    };
  }
}
