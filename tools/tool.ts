import type { GenericSchema } from "valibot";
import type { Logger } from "../core/base/log.ts";
import type { JsonSchema } from "../core/llm/types.ts";
import type { SandboxRoot } from "../core/security/sandbox.ts";
import type { FileTracker } from "../sessions/file_tracker.ts";
import type { HistoryItem } from "../sessions/history.ts";

/** What a tool may do to the world, from harmless to harmful; `network` stands beside the scale. */
export type ToolRisk = "read" | "write" | "destructive" | "network";

/** Facts about a result for clients and hooks; they never reach the model. */
export type ToolResultDetails =
  | {
    readonly type: "FileChange";
    /** Relative to the root. */
    readonly path: string;
    /** The text before, `null` when the file did not exist. */
    readonly before: string | null;
    readonly after: string;
  }
  | { readonly type: "FullOutput"; readonly text: string }
  | { readonly type: "Diagnostics"; readonly diagnostics: readonly unknown[] };

/** The one result of a call: what the model reads. */
export interface ToolResult {
  readonly output: string;
  readonly isError: boolean;
  readonly details?: ToolResultDetails;
}

/** What the agent lends to a running tool. */
export interface ToolContext {
  /** Aborted when the turn is cancelled or rho ends; a tool then stops and still returns. */
  readonly signal: AbortSignal;
  /** The only way from a path of the model to a file. */
  readonly sandbox: SandboxRoot;
  /** What the model has seen of which file. */
  readonly tracker: FileTracker;
  /** Shows live output to the client; rate and size are bounded by the caller. */
  readonly progress: (chunk: string) => void;
  readonly logger: Logger;
  /** The id of the running call. */
  readonly callId: string;
  /** The most text a result should have, in UTF-8 bytes; what is longer is bounded later. */
  readonly maxOutputBytes: number;
  /** What was said and done so far; absent where there is no conversation. */
  readonly record?: ConversationRecord;
}

/** The conversation that a tool runs in, to look at. */
export interface ConversationRecord {
  /**
   * The whole text of a result that was bounded.
   *
   * @param id As the marker in the bounded result gives it.
   * @returns `undefined` when the conversation has no such result.
   */
  fullOutput(id: string): Promise<string | undefined>;
  /** The requests of the active branch and what came of them, oldest first. */
  history(): readonly HistoryItem[];
}

/** What a tool says about one call before anybody is asked. */
export type CallVerdict =
  /** `isApproved`: the user lets exactly this run unasked. */
  | { readonly type: "allowed"; readonly isApproved?: boolean }
  /** It never runs; the rule is named to the model. */
  | { readonly type: "refused"; readonly rule: string; readonly reason: string }
  /** A person has to approve this one call, whatever the policy says. */
  | { readonly type: "ask"; readonly reason: string };

/** What the person at the keyboard is shown before a call runs. */
export interface ToolPreview {
  /** A unified diff for edits, the exact command for shells. */
  readonly text: string;
}

/** Options of a preview. */
export type ToolPreviewContext = Pick<ToolContext, "sandbox" | "tracker" | "signal">;

/**
 * A risk that depends on the arguments. Written as a method so that a tool of any arguments is a
 * `Tool`: arguments only ever come out of the tool's own schema, so forgetting their type is safe.
 */
type RiskOfArguments<Args> = { of(args: Args): ToolRisk }["of"];

/** A tool that the model may call. `Args` is what its schema yields. */
export interface Tool<Args = unknown> {
  /** Unique, `snake_case`. */
  readonly name: string;
  /** Addressed to the model: short, with one example where that helps. */
  readonly description: string;
  /** Checks the arguments after lossless coercion. Its JSON Schema goes to the model. */
  readonly schema: GenericSchema<unknown, Args>;
  /** The JSON Schema as the model sees it, when it is not derived from `schema`. */
  readonly parameters?: JsonSchema;
  /** A fixed risk, or one that depends on the arguments. */
  readonly risk: ToolRisk | RiskOfArguments<Args>;
  /** The highest risk that `risk` may return; for lists. */
  readonly highestRisk: ToolRisk;
  /** Where the tool comes from: `builtin` or an extension's name. */
  readonly source: string;
  /**
   * Why a call needs a person's approval whatever the policy says (protected paths, secrets), or
   * `undefined`. Where nobody can be asked the call is refused.
   */
  guard?(args: Args, context: ToolPreviewContext): Promise<string | undefined>;
  /**
   * Judges a call before the approval policy does: refuses it, has a person asked for this one
   * call, or lets the policy decide. Where nobody can be asked an `ask` is a refusal.
   */
  judge?(args: Args, context: ToolPreviewContext): Promise<CallVerdict>;
  /** What an approval shows; a failure only leaves the preview out. */
  preview?(args: Args, context: ToolPreviewContext): Promise<ToolPreview | undefined>;
  /**
   * Runs one call. Failures that the model can act on come back as a result with `isError`; a
   * thrown error becomes such a result too.
   */
  execute(args: Args, context: ToolContext): Promise<ToolResult>;
}

/** A successful result. */
export function toolSuccess(output: string, details?: ToolResultDetails): ToolResult {
  return { output, isError: false, ...(details === undefined ? {} : { details }) };
}

/** A result that tells the model what went wrong and what to do next. */
export function toolFailure(output: string): ToolResult {
  return { output, isError: true };
}
