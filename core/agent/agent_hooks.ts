import type { LlmMessage } from "../llm/types.ts";
import type { Session } from "../../sessions/session.ts";
import type { TurnResult } from "./events.ts";

/** Where a turn goes to. */
export interface TurnPlace {
  readonly sessionId: string;
  readonly cursorId: string;
}

/** Where a turn of this session goes to. */
export function placeOf(session: Session): TurnPlace {
  return { sessionId: session.id, cursorId: session.cursorId };
}

/** A call before anybody is asked about it. */
export interface HookedCall {
  readonly toolName: string;
  /** JSON text, checked. */
  readonly arguments: string;
  readonly callId: string;
}

/** What becomes of a call. */
export type CallIntervention =
  | { readonly type: "continue" }
  | { readonly type: "block"; readonly reason: string }
  /** JSON text that is checked again like the model's own. */
  | { readonly type: "modify"; readonly arguments: string };

/** A result before it is framed, bounded and stored. */
export interface HookedResult {
  readonly toolName: string;
  readonly callId: string;
  /** Redacted. */
  readonly output: string;
  readonly isError: boolean;
}

/** Options of every hook. */
export interface HookOptions {
  readonly signal: AbortSignal;
}

/**
 * What may look at and change a turn from outside. Whoever implements it bounds the time of each
 * and never throws: a hook that fails is its implementer's to handle.
 */
export interface AgentHooks {
  /** A session is used for the first time. */
  onSessionStart(place: TurnPlace, options: HookOptions): Promise<void>;
  /** Before anything of a turn, also before its tools are chosen. */
  onTurnStart(place: TurnPlace, options: HookOptions): Promise<void>;
  /** After a turn, with its result or its error. */
  onTurnEnd(end: TurnPlace & { result?: TurnResult; error?: string }): Promise<void>;
  /** Before each request is put together, while no call is open. */
  onIteration(): Promise<void>;
  /** Returns a note for this request only. */
  onBeforeModel(
    messages: readonly LlmMessage[],
    options: HookOptions,
  ): Promise<string | undefined>;
  onToolCall(call: HookedCall, options: HookOptions): Promise<CallIntervention>;
  /** Returns what replaces the result, `undefined` to leave it. */
  onToolResult(
    result: HookedResult,
    options: HookOptions,
  ): Promise<{ readonly output: string; readonly isError: boolean } | undefined>;
}
