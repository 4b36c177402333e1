import { newUuid } from "../core/base/ids.ts";
import { utf8Length } from "../core/base/text.ts";
import { boundOutput, MAX_RESULT_BYTES } from "./bound_output.ts";
import { type PathMessage, renderPath } from "./context/path_messages.ts";
import {
  compactBranch,
  type CompactionResult,
  type CompactOptions,
} from "./context/compaction/compact_branch.ts";
import {
  type ContextStats,
  contextStats,
  type ContextStatsOptions,
} from "./context/context_stats.ts";
import {
  prepareContext,
  type PrepareContextOptions,
  type PreparedContext,
} from "./context/prepare_context.ts";
import { defaultResolution } from "./context/render_entry.ts";
import type { CursorState } from "./cursor_state.ts";
import {
  type Entry,
  type EntryPayload,
  type Resolution,
  RHO_KINDS,
  type StoredMessage,
  type StoredReasoning,
  type StoredToolCall,
} from "./entry.ts";
import { toJsonValue } from "./json_value.ts";
import { INTERRUPTED_RESULT, openCallsOf } from "./open_calls.ts";
import type { SessionLog } from "./session_log.ts";

/** An assistant's reply, whole or not. */
export interface AssistantMessageInput {
  readonly content: string;
  readonly toolCalls?: readonly { id: string; name: string; arguments: string }[];
  /** The wire's value; `null` when the stream ended without one. */
  readonly finishReason?: string | null;
  readonly reasoning?: StoredReasoning;
  readonly partial?: "cancelled" | "interrupted" | "incomplete";
}

/** The one result of a tool call. */
export interface ToolResultInput {
  readonly toolCallId: string;
  /** The whole text; what exceeds `maxBytes` is cut here. */
  readonly content: string;
  readonly isError: boolean;
  /**
   * The most bytes of the result that stay in the conversation.
   * @default {262144}
   */
  readonly maxBytes?: number;
  /** The full text, when the tool itself gives only a part of it as `content`. */
  readonly fullText?: string;
}

/**
 * A named position in a log. Appends are synchronous: when one returns, its line is with the
 * operating system, or noted as missing when the disk fails.
 */
export class Cursor {
  readonly log: SessionLog;
  /** The position; a session swaps it to switch cursors. */
  protected state: CursorState;

  constructor(log: SessionLog, state: CursorState) {
    this.log = log;
    this.state = state;
  }

  /** `c0`, `c1`, … */
  get cursorId(): string {
    return this.state.id;
  }

  /** The branch's name, or `null`. */
  get cursorName(): string | null {
    return this.state.name;
  }

  /** The id of the entry that the next one hangs under; `null` in an empty log. */
  get leaf(): string | null {
    return this.state.leaf;
  }

  /** The session's file, known before it exists; `undefined` when nothing is kept. */
  get savePath(): string | undefined {
    return this.log.sink.path;
  }

  /** Whether everything that belongs in the file is in it. */
  get persisted(): boolean {
    return this.log.sink.persisted;
  }

  /** The stamps of this cursor by entry id. */
  get stamps(): ReadonlyMap<string, Resolution> {
    return this.state.stamps;
  }

  /** The entries from the root to the leaf, oldest first. */
  pathToRoot(): Entry[] {
    return [...this.log.path(this.state)];
  }

  /** Like {@linkcode pathToRoot} without the copy: it grows with the next append. */
  get livePath(): readonly Entry[] {
    return this.log.path(this.state);
  }

  /** The entries that hang under an entry, by default under the leaf. */
  children(entryId: string | null = this.leaf): readonly Entry[] {
    return this.log.children(entryId);
  }

  /** The messages of the path as the model reads them, unchecked; requests use `buildView`. */
  pathMessages(): PathMessage[] {
    return renderPath(this.livePath, this.state.stamps);
  }

  /** The messages of the next request, fitted into the budget; see `prepare_context.ts`. */
  prepareContext(options: PrepareContextOptions): PreparedContext {
    return prepareContext(this, options);
  }

  /** What the branch's context holds now. */
  contextStats(options: ContextStatsOptions): ContextStats {
    return contextStats(this, options);
  }

  /**
   * Puts a summary in place of everything between the first request and the latest turns, if that
   * saves enough.
   *
   * @param turns How many of the latest turns stay.
   */
  compactOlderThan(turns: number, options: Omit<CompactOptions, "keepTurns">): CompactionResult {
    return compactBranch(this, { ...options, keepTurns: turns });
  }

  /** How many messages the path has, the system message included. */
  get messageCount(): number {
    let count = 0;
    for (const { payload } of this.livePath) if (payload.type === "Message") count += 1;
    return count;
  }

  /** Appends the system message: the first entry of a session. */
  appendSystemMessage(text: string): Entry {
    return this.#appendMessage({ role: "system", content: text.toWellFormed() });
  }

  /** Appends a user message; calls that are still open get their results first. */
  appendUserMessage(text: string): Entry {
    this.closeOpenCalls();
    return this.#appendMessage({ role: "user", content: text.toWellFormed() });
  }

  /** Appends an assistant's reply. */
  appendAssistantMessage(input: AssistantMessageInput): Entry {
    const { toolCalls = [], finishReason, reasoning, partial } = input;
    return this.#appendMessage({
      role: "assistant",
      content: input.content.toWellFormed(),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(storedCall) }),
      ...(finishReason === undefined ? {} : { finish_reason: finishReason }),
      ...(reasoning === undefined ? {} : { reasoning: storedReasoning(reasoning) }),
      ...(partial === undefined ? {} : { partial }),
    });
  }

  /**
   * Appends a tool's result. A longer one than `maxBytes` is redacted, kept in full beside the
   * session, and cut in the middle; a `rho.full_output.v1` entry then says where the rest is.
   */
  appendToolResult(input: ToolResultInput): Entry {
    const { toolCallId, isError, maxBytes = MAX_RESULT_BYTES } = input;
    const id = newUuid();
    let content = input.content.toWellFormed();
    let full = input.fullText?.toWellFormed();
    if (content.length > maxBytes || utf8Length(content) > maxBytes) {
      // A secret must be found before a cut can split it.
      full ??= content;
      content = boundOutput(this.log.redact(content), {
        maxBytes,
        howToRead: (row) => `call read_output with id "${id}" and offset ${row} to read on`,
      }).text;
    }
    const message: StoredMessage = {
      role: "tool",
      tool_call_id: toolCallId.toWellFormed(),
      content,
      is_error: isError,
    };
    const entry = this.log.append(this.state, { type: "Message", message }, id);
    if (full !== undefined) this.#keepFullOutput(id, full);
    return entry;
  }

  /** Appends data that the model never sees. */
  appendCustom(kind: string, data: unknown): Entry {
    return this.#append({ type: "Custom", kind: kind.toWellFormed(), data: toJsonValue(data) });
  }

  /** Appends a message that the model reads like a user's. */
  appendCustomMessage(kind: string, content: string): Entry {
    return this.#append({
      type: "CustomMessage",
      kind: kind.toWellFormed(),
      content: content.toWellFormed(),
    });
  }

  /** Notes that another model answers from here on. */
  appendModelChange(model: string): Entry {
    return this.#append({ type: "ModelChange", model: model.toWellFormed() });
  }

  /** Appends any other payload: compactions (chapter 40), labels, titles. */
  appendPayload(payload: EntryPayload): Entry {
    return this.#append(payload);
  }

  /**
   * Gives every call that has no result an error result.
   *
   * @returns the results that were appended.
   */
  closeOpenCalls(reason: string = INTERRUPTED_RESULT): Entry[] {
    return openCallsOf(this.livePath).map((call) =>
      this.appendToolResult({ toolCallId: call.id, content: reason, isError: true })
    );
  }

  /**
   * Moves to any entry of the log; what was there stays.
   *
   * @throws {SessionError} `entry_not_found`.
   */
  branchTo(entryId: string): void {
    this.log.move(this.state, this.log.require(entryId).id);
  }

  /** Moves to an entry and appends a summary of the branch that was left. */
  branchWithSummary(entryId: string, summary: string): Entry {
    const from = this.leaf;
    this.branchTo(entryId);
    return this.#append({
      type: "BranchSummary",
      summary: summary.toWellFormed(),
      from_id: from ?? entryId,
    });
  }

  /** A new cursor at this leaf that shows every entry as this one does. */
  fork(name?: string): Cursor {
    return new Cursor(this.log, this.log.fork(this.state, name?.toWellFormed() ?? null));
  }

  /** Names the branch. */
  nameCursor(name: string): void {
    this.state.name = name.toWellFormed();
    this.log.writeCursor(this.state);
  }

  /** How an entry is shown on this branch. */
  resolutionOf(entry: Entry): Resolution {
    return this.state.stamps.get(entry.id) ?? defaultResolution(entry.payload);
  }

  /**
   * Stamps an entry for this branch.
   *
   * @throws {SessionError} `entry_not_found`.
   */
  setResolution(entryId: string, resolution: Resolution): void {
    this.log.stamp(this.state, entryId, wellFormedResolution(resolution));
  }

  /** Protects an entry from downgrading and eviction. */
  pinEntry(entryId: string): void {
    this.setResolution(entryId, { level: "Pinned" });
  }

  /** Takes the protection back; an entry that is not pinned stays as it is. */
  unpinEntry(entryId: string): void {
    const entry = this.log.require(entryId);
    if (this.state.stamps.get(entryId)?.level !== "Pinned") return;
    this.setResolution(entryId, defaultResolution(entry.payload));
  }

  /** Stores state of an extension on this branch. */
  writeCustomState(kind: string, data: unknown): Entry {
    return this.appendCustom(kind, data);
  }

  /** The latest state of a kind on this branch, or `undefined`. */
  readCustomState(kind: string): unknown {
    const payload = this.#latest((found) => found.type === "Custom" && found.kind === kind);
    return payload?.type === "Custom" ? payload.data : undefined;
  }

  /** Stores a message of an extension that the model reads. */
  writeCustomMessage(kind: string, content: string): Entry {
    return this.appendCustomMessage(kind, content);
  }

  /** The latest message of a kind on this branch, or `undefined`. */
  readCustomMessage(kind: string): string | undefined {
    const payload = this.#latest((found) => found.type === "CustomMessage" && found.kind === kind);
    return payload?.type === "CustomMessage" ? payload.content : undefined;
  }

  /** Ends a turn: writes the cursor's line and asks the system to put everything on the disk. */
  async endTurn(): Promise<void> {
    this.log.refreshCursor(this.state);
    await this.log.sink.sync();
  }

  /** Tries again what a failing disk did not take, and syncs. */
  async flush(): Promise<void> {
    await this.log.sink.sync();
  }

  #append(payload: EntryPayload): Entry {
    return this.log.append(this.state, payload);
  }

  #appendMessage(message: StoredMessage): Entry {
    return this.log.append(this.state, { type: "Message", message });
  }

  #keepFullOutput(entryId: string, text: string): void {
    this.log.fullOutputs.save(entryId, text);
    this.appendCustom(RHO_KINDS.fullOutput, { entryId, bytes: utf8Length(text) });
  }

  #latest(matches: (payload: EntryPayload) => boolean): EntryPayload | undefined {
    return this.livePath.findLast((entry) => matches(entry.payload))?.payload;
  }
}

function storedCall(call: { id: string; name: string; arguments: string }): StoredToolCall {
  return {
    id: call.id.toWellFormed(),
    type: "function",
    function: { name: call.name.toWellFormed(), arguments: call.arguments.toWellFormed() },
  };
}

function storedReasoning(reasoning: StoredReasoning): StoredReasoning {
  return { ...reasoning, text: reasoning.text.toWellFormed() };
}

function wellFormedResolution(resolution: Resolution): Resolution {
  switch (resolution.level) {
    case "Outlined":
      return { level: "Outlined", outline: resolution.outline.toWellFormed() };
    case "Summarized":
      return { level: "Summarized", summary: resolution.summary.toWellFormed() };
    default:
      return resolution;
  }
}
