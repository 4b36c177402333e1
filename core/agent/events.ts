import type { ToolRisk } from "../../tools/tool.ts";

/** Where a turn stands. */
export type AgentState = "idle" | "thinking" | "awaiting_approval" | "executing_tool";

/**
 * Why a turn ended: one closed set for the protocol, the session and exit codes. `error` stands
 * for a turn that failed and never appears in a {@linkcode TurnResult}.
 */
export type FinishReason =
  | "stop"
  | "incomplete"
  | "length"
  | "content_filter"
  | "max_iterations"
  | "loop_detected"
  | "budget"
  | "cancelled"
  | "retry_budget_exhausted"
  | "consecutive_empty_responses"
  | "error";

/** Tokens and money of a turn. `totalCost` in US dollars is a minimum while `costIncomplete`. */
export interface TurnUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly totalCost: number;
  readonly costIncomplete: boolean;
  readonly requestCount: number;
}

/** How one tool call ended. */
export interface ToolCallOutcome {
  readonly kind: "success" | "error" | "denied" | "blocked" | "skipped";
  readonly output?: string;
}

/** One tool call of a turn; `arguments` is the JSON text of what ran. */
export interface ToolCallReport {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly outcome: ToolCallOutcome;
  readonly durationMs: number;
}

/** What a turn came to. */
export interface TurnResult {
  readonly reply: string;
  /** Model responses. */
  readonly iterations: number;
  readonly usage: TurnUsage;
  readonly toolCalls: readonly ToolCallReport[];
  readonly durationMs: number;
  readonly finishReason: FinishReason;
}

/** Usage of one iteration with the state of the context window, in tokens. */
export interface IterationUsage {
  readonly iteration: number;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedTokens: number;
    readonly cost: number;
    readonly costIncomplete: boolean;
    readonly requestCount: number;
  };
  readonly context: {
    readonly estimatedUsed: number;
    readonly contextWindow: number;
    readonly completionReserve: number;
    readonly utilizationPercent: number;
  };
}

/**
 * Everything that an agent tells while it works, by name. A turn is
 *
 * ```text
 * agent/start
 * └ iteration × n
 *   ├ state/change thinking
 *   ├ compaction                                          (when the context is full)
 *   ├ message/delta, reasoning/delta, retry, notice …
 *   ├ usage
 *   └ tool call × n
 *     ├ tool/call
 *     ├ state/change awaiting_approval, approval/request   (when it must be asked)
 *     ├ state/change executing_tool, tool/progress …       (when it runs)
 *     └ tool/result | tool/denied
 *   └ steer/applied × n
 * state/change idle
 * agent/end | agent/error
 * ```
 */
export interface AgentEventMap {
  "agent/start": Readonly<Record<string, never>>;
  "agent/end": TurnResult;
  "agent/error": { readonly error: string; readonly code: string };
  "state/change": { readonly state: AgentState };
  "message/delta": { readonly delta: string };
  "reasoning/delta": { readonly delta: string };
  /** `arguments` is the JSON text that the model sent. */
  "tool/call": { readonly id: string; readonly name: string; readonly arguments: string };
  "tool/progress": { readonly id: string; readonly name: string; readonly chunk: string };
  "tool/result": {
    readonly id: string;
    readonly name: string;
    readonly is_error: boolean;
    readonly output: string;
    readonly durationMs: number;
  };
  "tool/denied": { readonly id: string; readonly name: string; readonly reason: string };
  /** `arguments` is the JSON text of exactly what runs once it is approved. */
  "approval/request": {
    readonly id: string;
    readonly tool: string;
    readonly arguments: string;
    readonly risk: ToolRisk;
    readonly preview?: string;
  };
  "usage": IterationUsage;
  /** `discardedChars` characters of streamed text are void. */
  "retry": {
    readonly attempt: number;
    readonly maxAttempts: number;
    readonly delayMs: number;
    readonly error: string;
    readonly discardedChars: number;
  };
  /** Tokens of the whole prompt, estimated. */
  "compaction": {
    readonly mode: "mechanical" | "llm";
    readonly compactedEntries: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
  };
  "steer/applied": { readonly message: string };
  "session/change": {
    readonly sessionId: string;
    /** Empty while the session lives in memory only. */
    readonly path: string;
    readonly cursorId: string;
    readonly leaf: string;
    readonly persisted: boolean;
  };
  /** A line that an extension logged, secrets masked. */
  "extension/log": {
    readonly extension: string;
    readonly level: "error" | "warn" | "info" | "debug";
    readonly message: string;
  };
  "notice": { readonly code: string; readonly level: "info" | "warn"; readonly message: string };
}

/** The name of an event. */
export type AgentEventType = keyof AgentEventMap;

/** One event. */
export type AgentEvent = {
  [Type in AgentEventType]: { readonly type: Type; readonly params: AgentEventMap[Type] };
}[AgentEventType];

/**
 * Takes events in the order in which things happen. A returned promise slows the model's stream
 * until it resolves; it must not reject.
 */
export type AgentEventListener = (event: AgentEvent) => void | Promise<void>;
