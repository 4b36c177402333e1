/** The neutral contract between the agent loop and a model: what goes in and what comes out. */

/** A tool call as the model sent it; `arguments` is JSON text, possibly broken. */
export interface LlmToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * Reasoning that a model sent with a reply. `field` is the wire's name for it, since it goes back
 * under the same one, within the turn that produced it and to the same model only. `items` are
 * opaque reasoning items of the Responses protocol, ciphertext included.
 */
export interface LlmReasoning {
  readonly text: string;
  readonly field?: string;
  readonly model?: string;
  readonly items?: readonly unknown[];
}

/** One message of a request. */
export type LlmMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string }
  | {
    readonly role: "assistant";
    readonly content: string;
    readonly toolCalls: readonly LlmToolCall[];
    readonly reasoning?: LlmReasoning;
  }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as the model sees it. */
export interface LlmTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type `object`. */
  readonly parameters: JsonSchema;
}

/** One request to a model. */
export interface LlmRequest {
  /** The model's id as the server knows it. */
  readonly model: string;
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly LlmTool[];
  /** The most tokens the reply may have. */
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly reasoningEffort?: string;
}

/** What one response cost, in tokens as the server counted them. */
export interface LlmUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of `inputTokens` that came from the server's prompt cache. */
  readonly cachedTokens: number;
  /** The part of `outputTokens` that was reasoning. */
  readonly reasoningTokens: number;
  /** In US dollars, when the server itself tells it. */
  readonly cost?: number;
}

/**
 * Why a response ended, as the wire says: `stop`, `tool_calls`, `length`, `content_filter` or any
 * other word verbatim; `null` when the stream ended cleanly without saying why.
 */
export type WireFinishReason = string | null;

/**
 * One event of a response. `tool_call_start` and `tool_call_delta` announce a call in the making;
 * `tool_call` carries it whole and is sent once for each call before `done`. `usage` is cumulative:
 * the last one counts.
 */
export type StreamEvent =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string; readonly field?: string }
  | { readonly type: "reasoning_item"; readonly item: unknown }
  | { readonly type: "tool_call_start"; readonly id: string; readonly name: string }
  | { readonly type: "tool_call_delta"; readonly id: string; readonly delta: string }
  | { readonly type: "tool_call"; readonly call: LlmToolCall }
  | { readonly type: "usage"; readonly usage: LlmUsage }
  | { readonly type: "notice"; readonly code: string; readonly message: string }
  | {
    readonly type: "done";
    readonly finishReason: WireFinishReason;
    /**
     * Whether the protocol's own end mark came (`[DONE]`, `response.completed`). Without it and
     * without a finish reason, calls may be cut and are not run.
     */
    readonly endMark: boolean;
  };

/** Options of {@linkcode LlmService.stream}. */
export interface LlmStreamOptions {
  readonly signal: AbortSignal;
  /** Called every 10 seconds while nothing has arrived, with the time waited so far. */
  readonly onWaiting?: (waitedMs: number) => void;
}

/** A model server behind either transport. */
export interface LlmService {
  /**
   * Sends one request and yields what comes back. The sequence ends with exactly one `done`, or
   * throws exactly one `ProviderError` (or the signal's reason); nothing follows either.
   */
  stream(request: LlmRequest, options: LlmStreamOptions): AsyncIterable<StreamEvent>;
}
