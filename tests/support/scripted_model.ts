/** A model service that says what it is told to: for tests of the loop itself. */

import type {
  LlmRequest,
  LlmService,
  LlmStreamOptions,
  StreamEvent,
} from "../../core/llm/types.ts";

/** One answer: events, or an error to throw after some of them. */
export interface ScriptedAnswer {
  readonly events: readonly StreamEvent[];
  readonly error?: unknown;
  /** Called when the answer begins, with the request. */
  readonly onStart?: (request: LlmRequest) => void | Promise<void>;
  /** Waits for the signal after the events, then throws its reason. */
  readonly hang?: boolean;
}

/** Answers one after the other; the last one again when they run out. */
export class ScriptedModel implements LlmService {
  readonly requests: LlmRequest[] = [];
  readonly #answers: readonly ScriptedAnswer[];

  constructor(answers: readonly ScriptedAnswer[]) {
    this.#answers = answers;
  }

  async *stream(request: LlmRequest, options: LlmStreamOptions): AsyncIterable<StreamEvent> {
    const answer = this.#answers[this.requests.length] ?? this.#answers.at(-1);
    this.requests.push(structuredClone(request));
    if (answer === undefined) return;
    await answer.onStart?.(request);
    for (const event of answer.events) {
      options.signal.throwIfAborted();
      yield event;
    }
    if (answer.error !== undefined) throw answer.error;
    if (answer.hang === true) {
      await new Promise((resolve) => {
        if (options.signal.aborted) return resolve(undefined);
        options.signal.addEventListener("abort", resolve, { once: true });
      });
      throw options.signal.reason;
    }
  }
}

/** A whole answer of text. */
export function says(text: string, finishReason: string | null = "stop"): ScriptedAnswer {
  const usage = { inputTokens: 100, outputTokens: 10, cachedTokens: 0, reasoningTokens: 0 };
  return {
    events: [
      ...(text === "" ? [] : [{ type: "text", delta: text } as const]),
      { type: "usage", usage },
      { type: "done", finishReason, endMark: true },
    ],
  };
}

/** A whole answer of tool calls, ids `c1`, `c2`, … unless given. */
export function calls(
  ...list: readonly { name: string; arguments: unknown; id?: string }[]
): ScriptedAnswer {
  return {
    events: [
      ...list.map((call, index) => ({
        type: "tool_call" as const,
        call: {
          id: call.id ?? `c${index + 1}`,
          name: call.name,
          arguments: typeof call.arguments === "string"
            ? call.arguments
            : JSON.stringify(call.arguments),
        },
      })),
      { type: "done", finishReason: "tool_calls", endMark: true },
    ],
  };
}
