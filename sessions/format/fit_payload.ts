import { utf8Length } from "../../core/base/text.ts";
import { boundOutput } from "../bound_output.ts";
import type { EntryPayload, StoredMessage, StoredToolCall } from "../entry.ts";
import { SessionError } from "../session_error.ts";

/** The longest line of a session file, in bytes. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** What a text is bounded to when its entry would not fit on a line, in bytes. */
const BOUNDED_TEXT_BYTES = 256 * 1024;

/** JSON makes at most six bytes of a UTF-16 unit, so shorter texts need no measuring. */
const SURELY_FITTING_UNITS = MAX_LINE_BYTES / 8;

/** Room for ids, field names and the like, in bytes. */
const LINE_OVERHEAD_BYTES = 4096;

/** Options of {@linkcode fitPayload}. */
export interface FitPayloadOptions {
  readonly entryId: string;
  /** Masks secrets; runs before a bound can cut one in two. */
  readonly redact: (text: string) => string;
  /** Keeps the full text of what had to be bounded. */
  readonly saveFull: (text: string) => void;
}

/**
 * A payload that fits on one line: long texts of a message are bounded and their full text moves
 * to the full-output store.
 *
 * @throws {SessionError} `entry_too_large` for a payload whose data cannot be bounded.
 */
export function fitPayload(payload: EntryPayload, options: FitPayloadOptions): EntryPayload {
  if (surelyFits(payload) || lineBytes(payload) <= MAX_LINE_BYTES) return payload;
  switch (payload.type) {
    case "Message":
      return { ...payload, message: boundMessage(payload.message, options) };
    case "CustomMessage":
      return { ...payload, content: boundText(payload.content, options) };
    case "BranchSummary":
      return { ...payload, summary: boundText(payload.summary, options) };
    default:
      throw new SessionError(
        "entry_too_large",
        `Cannot store a "${payload.type}" entry: it is larger than ${MAX_LINE_BYTES} bytes; ` +
          "store less, or keep the data in a file",
      );
  }
}

function surelyFits(payload: EntryPayload): boolean {
  switch (payload.type) {
    case "Message":
      return messageUnits(payload.message) < SURELY_FITTING_UNITS;
    case "CustomMessage":
      return payload.content.length < SURELY_FITTING_UNITS;
    case "BranchSummary":
      return payload.summary.length < SURELY_FITTING_UNITS;
    case "Custom":
    case "Compaction":
    case "Unknown":
      return false;
    default:
      return true;
  }
}

function messageUnits(message: StoredMessage): number {
  let units = message.content.length;
  if (message.role !== "assistant") return units;
  for (const call of message.tool_calls ?? []) units += call.function.arguments.length;
  if (message.reasoning === undefined) return units;
  return message.reasoning.items === undefined
    ? units + message.reasoning.text.length
    : Number.POSITIVE_INFINITY;
}

function lineBytes(payload: EntryPayload): number {
  return utf8Length(JSON.stringify(payload)) + LINE_OVERHEAD_BYTES;
}

function boundMessage(message: StoredMessage, options: FitPayloadOptions): StoredMessage {
  if (message.role !== "assistant") {
    return { ...message, content: boundText(message.content, options) };
  }
  // Reasoning is a courtesy to the model; it is the first thing to go.
  const { reasoning: _reasoning, tool_calls: calls, ...rest } = message;
  return {
    ...rest,
    content: boundText(message.content, options),
    ...(calls === undefined ? {} : { tool_calls: calls.map((call) => boundCall(call, options)) }),
  };
}

function boundCall(call: StoredToolCall, options: FitPayloadOptions): StoredToolCall {
  const { name, arguments: text } = call.function;
  if (text.length <= BOUNDED_TEXT_BYTES) return call;
  // The bounded arguments stay JSON, since some servers parse what is replayed to them.
  const bounded = JSON.stringify({ arguments_left_out: boundText(text, options) });
  return { ...call, function: { name, arguments: bounded } };
}

function boundText(text: string, options: FitPayloadOptions): string {
  if (utf8Length(text) <= BOUNDED_TEXT_BYTES) return text;
  const redacted = options.redact(text);
  options.saveFull(redacted);
  return boundOutput(redacted, {
    maxBytes: BOUNDED_TEXT_BYTES,
    howToRead: (row) =>
      `call read_output with id "${options.entryId}" and offset ${row} to read on`,
  }).text;
}
