import { delay } from "../base/abort.ts";
import { unreachable } from "../base/errors.ts";
import { ProviderError } from "../llm/provider_error.ts";
import type { LlmRequest, LlmService, StreamEvent } from "../llm/types.ts";
import type { AgentEventListener } from "./events.ts";
import { ResponseBuilder } from "./response_builder.ts";
import { backoffMs, isWorthRetrying } from "./retry_backoff.ts";

/** Options of {@linkcode requestResponse}. */
export interface RequestResponseOptions {
  readonly service: LlmService;
  readonly signal: AbortSignal;
  readonly onEvent: AgentEventListener;
  /** Repeated requests, at most. */
  readonly retryBudget: number;
  readonly initialBackoffMs: number;
}

/** One response, or what there is of it. */
export interface ModelResponse {
  /**
   * `complete`: the stream ended by itself. `cancelled`: the turn was. `exhausted`: the last
   * attempt failed too, `error` says how, and what came of it is kept.
   */
  readonly outcome: "complete" | "cancelled" | "exhausted";
  readonly response: ResponseBuilder;
  readonly error?: ProviderError;
  /** Requests sent, failed ones included. */
  readonly requestCount: number;
}

/**
 * Asks the model once and passes on what it streams; repeats the request while it fails in a way
 * that may pass. No tool has run by then, so a repetition never repeats a side effect.
 *
 * @throws {ProviderError} when the request failed and is not worth repeating.
 */
export async function requestResponse(
  request: LlmRequest,
  options: RequestResponseOptions,
): Promise<ModelResponse> {
  const { signal, onEvent, retryBudget } = options;
  for (let attempt = 1;; attempt++) {
    const response = new ResponseBuilder();
    try {
      await readStream(request, response, options);
      return { outcome: "complete", response, requestCount: attempt };
    } catch (error) {
      if (signal.aborted) return { outcome: "cancelled", response, requestCount: attempt };
      if (!(error instanceof ProviderError) || !isWorthRetrying(error)) throw error;
      if (attempt > retryBudget) {
        return { outcome: "exhausted", response, error, requestCount: attempt };
      }
      const delayMs = backoffMs(error, attempt, options);
      onEvent({
        type: "retry",
        params: {
          attempt,
          maxAttempts: retryBudget,
          delayMs,
          error: error.message,
          discardedChars: response.text.length,
        },
      });
      try {
        await delay(delayMs, { signal });
      } catch {
        const empty = new ResponseBuilder();
        return { outcome: "cancelled", response: empty, requestCount: attempt };
      }
    }
  }
}

async function readStream(
  request: LlmRequest,
  response: ResponseBuilder,
  options: RequestResponseOptions,
): Promise<void> {
  const { service, signal, onEvent } = options;
  const onWaiting = (waitedMs: number) => {
    const message = `Still waiting for the model after ${Math.round(waitedMs / 1000)} s`;
    onEvent({ type: "notice", params: { code: "waiting", level: "info", message } });
  };
  signal.throwIfAborted();
  for await (const event of service.stream(request, { signal, onWaiting })) {
    response.add(event);
    const listened = passOn(event, onEvent);
    // Awaiting only what is a promise saves a turn of the event loop for each chunk.
    if (listened !== undefined) await listened;
    if (signal.aborted) throw signal.reason;
  }
}

function passOn(event: StreamEvent, onEvent: AgentEventListener): void | Promise<void> {
  switch (event.type) {
    case "text":
      return onEvent({ type: "message/delta", params: { delta: event.delta } });
    case "reasoning":
      return onEvent({ type: "reasoning/delta", params: { delta: event.delta } });
    case "notice":
      return onEvent({
        type: "notice",
        params: { code: event.code, level: "warn", message: event.message },
      });
    case "tool_call":
    case "tool_call_start":
    case "tool_call_delta":
    case "reasoning_item":
    case "usage":
    case "done":
      return;
    default:
      return unreachable(event);
  }
}
