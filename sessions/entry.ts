/** What a session consists of: immutable entries, linked by `parentId` into a tree. */

/** A time stamp in the shape of the file format (serde's `SystemTime`). */
export interface EntryTimestamp {
  readonly secs_since_epoch: number;
  readonly nanos_since_epoch: number;
}

/** A tool call inside an assistant message, in the shape of Chat Completions. */
export interface StoredToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Reasoning kept with an assistant message: an extra field of ours. */
export interface StoredReasoning {
  readonly text: string;
  /** The wire's name of the field that it came in. */
  readonly field?: string;
  /** The model that produced it. */
  readonly model?: string;
  /** Opaque reasoning items; `encrypted_content` in them is never redacted. */
  readonly items?: readonly unknown[];
}

/** A message of the conversation, text already joined. */
export type StoredMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string }
  | {
    readonly role: "assistant";
    readonly content: string;
    readonly tool_calls?: readonly StoredToolCall[];
    /** The wire's value; `null` when the stream ended without one. */
    readonly finish_reason?: string | null;
    readonly reasoning?: StoredReasoning;
    /** Set when the reply is not whole: it was cancelled, cut or failed. */
    readonly partial?: "cancelled" | "interrupted" | "incomplete";
  }
  | {
    readonly role: "tool";
    readonly tool_call_id: string;
    readonly content: string;
    readonly is_error?: boolean;
  };

/** A summary that stands for the entries it compacted (chapter 40). */
export interface StoredCompaction {
  readonly summary: unknown;
  readonly first_kept: string | null;
  readonly tokens_before: number;
}

/** What an entry holds. */
export type EntryPayload =
  | { readonly type: "Message"; readonly message: StoredMessage }
  | { readonly type: "Compaction"; readonly compaction: StoredCompaction }
  | { readonly type: "BranchSummary"; readonly summary: string; readonly from_id: string }
  | { readonly type: "CustomMessage"; readonly kind: string; readonly content: string }
  | { readonly type: "Custom"; readonly kind: string; readonly data: unknown }
  | { readonly type: "ModelChange"; readonly model: string }
  | { readonly type: "Label"; readonly target_id: string; readonly label: string | null }
  | { readonly type: "SessionInfo"; readonly name: string }
  | { readonly type: "LeafMoved"; readonly from: string; readonly to: string }
  | { readonly type: "SessionEnded"; readonly reason: string }
  | { readonly type: "Unknown"; readonly name: string; readonly raw: unknown };

/** One node of the log. */
export interface Entry {
  /** A UUID; older files may hold any other text. */
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: EntryTimestamp;
  readonly payload: EntryPayload;
}

/** How much of an entry the model is shown; the stamp belongs to a cursor (chapter 40). */
export type Resolution =
  | { readonly level: "Full" }
  | { readonly level: "Pinned" }
  | { readonly level: "Attached" }
  | { readonly level: "Compacted"; readonly into: string }
  | { readonly level: "Outlined"; readonly outline: string }
  | { readonly level: "Summarized"; readonly summary: string };

/** The first line of a session file. */
export interface SessionHeader {
  readonly id: string;
  /** The format's version: 1. A higher one is opened for reading only. */
  readonly version: number;
  readonly created_at_secs: number;
  readonly cwd: string;
  /** The session that this one goes on from, when it is a continuation or a child. */
  readonly parent_session: string | null;
}

/** A named position in the log. */
export interface CursorRecord {
  /** `c0`, `c1`, … */
  readonly id: string;
  readonly leaf: string | null;
  readonly name: string | null;
}

/** The kinds of `Custom` entries that rho itself writes. */
export const RHO_KINDS = {
  turnError: "rho.turn_error.v1",
  usage: "rho.usage.v1",
  unreported: "rho.unreported.v1",
  sideUsage: "rho.side_usage.v1",
  childDebit: "rho.child_debit.v1",
  fullOutput: "rho.full_output.v1",
  continued: "rho.continue.v1",
  reasoningEffort: "rho.reasoning_effort.v1",
  opened: "rho.opened.v1",
} as const;
