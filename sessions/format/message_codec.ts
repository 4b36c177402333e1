import { unreachable } from "../../core/base/errors.ts";
import type { StoredMessage, StoredReasoning, StoredToolCall } from "../entry.ts";
import { isRecord, type JsonRecord, stringField } from "../json_value.ts";
import { mapStrings } from "./map_strings.ts";

/** Fields that hold ciphertext or signatures: they go back byte for byte or not at all. */
const CIPHERTEXT_FIELDS: ReadonlySet<string> = new Set(["encrypted_content", "signature"]);

/** The finish reasons that the format writes as plain words. */
const PLAIN_FINISH_REASONS: ReadonlySet<string> = new Set([
  "stop",
  "tool_calls",
  "length",
  "content_filter",
]);

/** A message as the file has it. */
export function encodeMessage(message: StoredMessage, text: (value: string) => string): unknown {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: text(message.content) };
    case "assistant":
      return encodeAssistant(message, text);
    case "tool":
      return {
        role: "tool",
        tool_call_id: text(message.tool_call_id),
        content: text(message.content),
        is_error: message.is_error,
      };
    default:
      return unreachable(message);
  }
}

type StoredAssistant = Extract<StoredMessage, { role: "assistant" }>;

/** Fields that are `undefined` do not appear in JSON. */
function encodeAssistant(message: StoredAssistant, text: (value: string) => string): unknown {
  const { content, tool_calls: calls, finish_reason: reason, reasoning, partial } = message;
  return {
    role: "assistant",
    content: text(content),
    tool_calls: calls?.map((call) => encodeCall(call, text)),
    finish_reason: reason === undefined ? undefined : encodeFinishReason(reason, text),
    reasoning: reasoning && mapStrings(reasoning, text, { skip: CIPHERTEXT_FIELDS }),
    partial,
  };
}

function encodeCall(call: StoredToolCall, text: (value: string) => string): unknown {
  return {
    id: text(call.id),
    type: "function",
    function: { name: text(call.function.name), arguments: text(call.function.arguments) },
  };
}

function encodeFinishReason(reason: string | null, text: (value: string) => string): unknown {
  if (reason === null || PLAIN_FINISH_REASONS.has(reason)) return reason;
  return { other: text(reason) };
}

/** The message that a file's value means, or `undefined` for a role that this version knows not. */
export function decodeMessage(value: JsonRecord): StoredMessage | undefined {
  const content = decodeContent(value.content);
  switch (value.role) {
    case "system":
      return { role: "system", content };
    case "user":
      return { role: "user", content };
    case "assistant":
      return decodeAssistant(value, content);
    case "tool": {
      const id = stringField(value, "tool_call_id") ?? "";
      if (typeof value.is_error !== "boolean") return { role: "tool", tool_call_id: id, content };
      return { role: "tool", tool_call_id: id, content, is_error: value.is_error };
    }
    default:
      return undefined;
  }
}

/** Text of a message's content: a string, or parts in either of the two shapes in use. */
export function decodeContent(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.map(decodePart).join("");
}

function decodePart(part: unknown): string {
  if (typeof part === "string") return part;
  if (!isRecord(part)) return "";
  const text = stringField(part, "text");
  if (text !== undefined) return text;
  if (isRecord(part.Text)) return stringField(part.Text, "text") ?? "";
  // rho keeps text only; naming what was there beats a silent gap (B56).
  return `[${stringField(part, "type") ?? Object.keys(part)[0] ?? "part"} left out]`;
}

function decodeAssistant(value: JsonRecord, content: string): StoredMessage {
  const calls = Array.isArray(value.tool_calls) ? value.tool_calls.flatMap(decodeCall) : [];
  const reason = decodeFinishReason(value.finish_reason);
  const reasoning = decodeReasoning(value.reasoning);
  const { partial } = value;
  return {
    role: "assistant",
    content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(reason === undefined ? {} : { finish_reason: reason }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(partial === "cancelled" || partial === "interrupted" || partial === "incomplete"
      ? { partial }
      : {}),
  };
}

/** Any JSON counts as arguments: what a model once sent must never block a resume (B43). */
function decodeCall(value: unknown): StoredToolCall[] {
  if (!isRecord(value)) return [];
  const called = isRecord(value.function) ? value.function : {};
  const raw = called.arguments;
  return [{
    id: stringField(value, "id") ?? "",
    type: "function",
    function: {
      name: stringField(called, "name") ?? "",
      arguments: typeof raw === "string" ? raw : JSON.stringify(raw ?? {}),
    },
  }];
}

function decodeFinishReason(value: unknown): string | null | undefined {
  if (typeof value === "string" || value === null) return value;
  return isRecord(value) ? stringField(value, "other") : undefined;
}

function decodeReasoning(value: unknown): StoredReasoning | undefined {
  if (!isRecord(value)) return undefined;
  const field = stringField(value, "field");
  const model = stringField(value, "model");
  return {
    text: stringField(value, "text") ?? "",
    ...(field === undefined ? {} : { field }),
    ...(model === undefined ? {} : { model }),
    ...(Array.isArray(value.items) ? { items: value.items } : {}),
  };
}
