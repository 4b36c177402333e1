import type { ToolRisk } from "../../tools/tool.ts";

/** A tool call that waits for a decision. */
export interface ApprovalCall {
  /** The id of the call. */
  readonly id: string;
  readonly tool: string;
  /** The JSON text of exactly what runs. */
  readonly arguments: string;
  /** What a person should look at, invisible characters shown. */
  readonly preview?: string;
}

/**
 * The answer to an approval: yes, yes to this and its like until the process ends, no (with a
 * reason for the model), or something else to do instead.
 */
export type ApprovalDecision =
  | "approved"
  | "approved_for_session"
  | "denied"
  | { readonly denied: string }
  | { readonly redirect: string };

/** Options of an {@linkcode ApprovalGate}. */
export interface ApprovalGateOptions {
  /** Aborted when the turn is cancelled; the answer is not awaited any longer then. */
  readonly signal: AbortSignal;
}

/**
 * Decides about one tool call. It binds to the exact bytes it was shown. A gate that throws
 * denies.
 */
export type ApprovalGate = (
  call: ApprovalCall,
  risk: ToolRisk,
  options: ApprovalGateOptions,
) => Promise<ApprovalDecision> | ApprovalDecision;

/** The gate of an agent that nobody watches. */
export function denyAll(): ApprovalDecision {
  return { denied: "nobody is there to approve it" };
}
