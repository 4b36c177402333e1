import type { LlmMessage, LlmToolCall } from "../core/llm/types.ts";
import type { Branch } from "./context/branch.ts";
import { replayedArguments } from "./context/replayed_arguments.ts";
import { lastingReasoning } from "./context/lasting_reasoning.ts";
import type { PathMessage } from "./context/path_messages.ts";
import { WireIds } from "./context/wire_ids.ts";
import type { StoredMessage } from "./entry.ts";
import type { SessionLog } from "./session_log.ts";

/** What a view had to mend; every number counts messages or calls. */
export interface ViewMends {
  /** Calls without a result, which got an error result. */
  readonly missingResults: number;
  /** Results without a call, which were left out. */
  readonly orphanResults: number;
  /** Calls without a name, which were left out with their results. */
  readonly namelessCalls: number;
  /** Entries whose payload this version does not know, which were left out. */
  readonly unknownPayloads: number;
}

/** Options of {@linkcode buildView}. */
export interface BuildViewOptions {
  /** Today's system message; without it the stored one is used. */
  readonly system?: string;
  /** Messages to build from, when they are not simply those of the path (chapter 40). */
  readonly messages?: readonly PathMessage[];
  /** Called when there is more to mend than was reported for this session before. */
  readonly onMend?: (mends: ViewMends) => void;
}

/** What an empty tool result says instead; some servers refuse empty ones (B22). */
export const EMPTY_RESULT = "(no output)";

/** What the result of a call says that never got one. */
export const MISSING_RESULT = "no result: the call was interrupted; check before retrying";

/**
 * The checked and repaired messages of a branch, ready to be sent. Whatever the log holds:
 *
 * - the system message comes first, and later ones are read as user messages;
 * - every call has exactly one result right behind its message, every result a call, and no id
 *   occurs twice (B34, B52); calls without a name are left out;
 * - nothing is empty, and no user or plain assistant message follows one of its own role: the two
 *   are merged, since strict servers refuse them;
 * - arguments are a JSON object; the text of reasoning goes along in the current turn only, its
 *   opaque items as long as they are in the log (the transport leaves another model's out).
 *
 * The same branch always gives the same messages, and appending to it changes none but the last.
 */
export function buildView(cursor: Branch, options: BuildViewOptions = {}): LlmMessage[] {
  const messages = options.messages ?? cursor.pathMessages();
  const builder = new ViewBuilder(lastUserIndex(cursor, messages));
  const system = options.system ?? storedSystem(messages);
  if (system !== undefined) builder.addSystem(system.toWellFormed());
  messages.forEach(({ message }, index) => builder.add(message, index));
  const view = builder.finish();
  if (options.onMend !== undefined) {
    reportMends(cursor, { ...builder.mends, unknownPayloads: unknownPayloads(cursor) }, options);
  }
  return view;
}

interface OpenCall {
  readonly storedId: string;
  readonly nameless: boolean;
  readonly wireId: string;
  result: string | undefined;
}

class ViewBuilder {
  readonly mends = { missingResults: 0, orphanResults: 0, namelessCalls: 0 };
  readonly #turnStart: number;
  readonly #view: LlmMessage[] = [];
  readonly #ids = new WireIds();
  /** The calls of the latest assistant message. */
  #calls: OpenCall[] = [];
  /** User messages that came before the last result of those calls; they go behind it. */
  #waiting: string[] = [];

  constructor(turnStart: number) {
    this.#turnStart = turnStart;
  }

  addSystem(content: string): void {
    this.#view.push({ role: "system", content });
  }

  add(message: StoredMessage, index: number): void {
    switch (message.role) {
      case "tool":
        return this.#addResult(message.tool_call_id, message.content);
      case "assistant":
        return this.#addAssistant(message, index > this.#turnStart);
      case "user":
        return this.#addUser(message.content);
      case "system":
        // The first one was taken before; a later one can only be read as what a user said.
        if (index > 0) this.#addUser(message.content);
    }
  }

  finish(): LlmMessage[] {
    this.#closeCalls();
    return this.#view;
  }

  #addUser(content: string): void {
    if (isBlank(content)) return;
    if (this.#calls.length > 0) this.#waiting.push(content);
    else this.#pushUser(content);
  }

  #pushUser(content: string): void {
    const last = this.#view.at(-1);
    if (last?.role !== "user") this.#view.push({ role: "user", content });
    else {
      const joined = joinTexts(last.content, content);
      this.#view[this.#view.length - 1] = { role: "user", content: joined };
    }
  }

  #addAssistant(message: Extract<StoredMessage, { role: "assistant" }>, inTurn: boolean): void {
    this.#closeCalls();
    const toolCalls: LlmToolCall[] = [];
    for (const call of message.tool_calls ?? []) {
      const { name } = call.function;
      const nameless = name.trim() === "";
      const wireId = nameless ? "" : this.#ids.next(call.id);
      this.#calls.push({ storedId: call.id, nameless, wireId, result: undefined });
      if (nameless) this.mends.namelessCalls += 1;
      else toolCalls.push({ id: wireId, name, arguments: replayedArguments(call) });
    }
    if (isBlank(message.content) && toolCalls.length === 0) return;
    const last = this.#view.at(-1);
    const goesOn = last?.role === "assistant" && last.toolCalls.length === 0;
    const content = goesOn ? joinTexts(last.content, message.content) : message.content;
    if (goesOn) this.#view.pop();
    const reasoning = inTurn ? message.reasoning : lastingReasoning(message.reasoning);
    this.#view.push(
      reasoning === undefined
        ? { role: "assistant", content, toolCalls }
        : { role: "assistant", content, toolCalls, reasoning },
    );
  }

  #addResult(storedId: string, content: string): void {
    const call = this.#calls.find((open) =>
      open.storedId === storedId && open.result === undefined
    );
    if (call === undefined) this.mends.orphanResults += 1;
    else call.result = isBlank(content) ? EMPTY_RESULT : content;
    // All answered: what follows is in its place, and nothing has to wait.
    if (call !== undefined && this.#calls.every((open) => open.result !== undefined)) {
      this.#closeCalls();
    }
  }

  #closeCalls(): void {
    for (const { nameless, wireId, result } of this.#calls) {
      if (nameless) continue;
      if (result === undefined) this.mends.missingResults += 1;
      this.#view.push({ role: "tool", toolCallId: wireId, content: result ?? MISSING_RESULT });
    }
    this.#calls = [];
    for (const content of this.#waiting) this.#pushUser(content);
    this.#waiting = [];
  }
}

function joinTexts(before: string, after: string): string {
  return isBlank(after) ? before : `${before}\n\n${after}`;
}

const VISIBLE_REGEXP = /\S/;

function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text starts with a plain character.
  return !(first > 0x20 && first < 0x7f) && !VISIBLE_REGEXP.test(text);
}

function storedSystem(messages: readonly PathMessage[]): string | undefined {
  const first = messages[0]?.message;
  return first?.role === "system" ? first.content : undefined;
}

/** Where the current turn begins: at what a person said, not at a summary or a note of rho. */
function lastUserIndex(cursor: Branch, messages: readonly PathMessage[]): number {
  return messages.findLastIndex(({ entryId, message }) =>
    message.role === "user" && cursor.log.get(entryId)?.payload.type === "Message"
  );
}

function unknownPayloads(cursor: Branch): number {
  let count = 0;
  for (const { payload } of cursor.livePath) if (payload.type === "Unknown") count += 1;
  return count;
}

/** How much was reported for a log already. */
const REPORTED = new WeakMap<SessionLog, number>();

function reportMends(cursor: Branch, mends: ViewMends, options: BuildViewOptions): void {
  const total = mends.missingResults + mends.orphanResults + mends.namelessCalls +
    mends.unknownPayloads;
  if (total <= (REPORTED.get(cursor.log) ?? 0)) return;
  REPORTED.set(cursor.log, total);
  options.onMend?.(mends);
}
