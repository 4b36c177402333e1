import { unreachable } from "../../core/base/errors.ts";
import type { EntryPayload } from "../entry.ts";
import { isRecord, type JsonRecord, numberField, stringField } from "../json_value.ts";
import { mapStrings } from "./map_strings.ts";
import { decodeContent, decodeMessage, encodeMessage } from "./message_codec.ts";

/** A payload as the file has it: an object with one field named after the variant. */
export function encodePayload(payload: EntryPayload, text: (value: string) => string): unknown {
  switch (payload.type) {
    case "Message":
      return { Message: encodeMessage(payload.message, text) };
    case "Compaction":
      return {
        Compaction: {
          summary: mapStrings(payload.compaction.summary, text),
          first_kept: payload.compaction.first_kept,
          tokens_before: payload.compaction.tokens_before,
        },
      };
    case "BranchSummary":
      return { BranchSummary: { summary: text(payload.summary), from_id: payload.from_id } };
    case "CustomMessage":
      return {
        CustomMessage: {
          kind: text(payload.kind),
          content: [{ Text: { text: text(payload.content) } }],
        },
      };
    case "Custom":
      return { Custom: { kind: text(payload.kind), data: mapStrings(payload.data, text) } };
    case "ModelChange":
      return { ModelChange: { model: text(payload.model) } };
    case "Label":
      return {
        Label: {
          target_id: payload.target_id,
          label: payload.label === null ? null : text(payload.label),
        },
      };
    case "SessionInfo":
      return { SessionInfo: { name: text(payload.name) } };
    case "LeafMoved":
      return { LeafMoved: { from: payload.from, to: payload.to } };
    case "SessionEnded":
      return { SessionEnded: { reason: text(payload.reason) } };
    case "Unknown":
      return mapStrings(payload.raw, text);
    default:
      return unreachable(payload);
  }
}

/** The payload that a file's value means; what this version does not know is kept as `Unknown`. */
export function decodePayload(raw: unknown): EntryPayload {
  if (isRecord(raw)) {
    for (const name of Object.keys(raw)) {
      const value = raw[name];
      const payload = isRecord(value) ? decodeVariant(name, value) : undefined;
      if (payload !== undefined) return payload;
    }
  }
  const name = typeof raw === "string" ? raw : isRecord(raw) ? Object.keys(raw)[0] : undefined;
  return { type: "Unknown", name: name ?? typeof raw, raw };
}

function decodeVariant(name: string, value: JsonRecord): EntryPayload | undefined {
  switch (name) {
    case "Message": {
      const message = decodeMessage(value);
      return message && { type: "Message", message };
    }
    case "Compaction":
      return {
        type: "Compaction",
        compaction: {
          summary: value.summary ?? null,
          first_kept: stringField(value, "first_kept") ?? null,
          tokens_before: numberField(value, "tokens_before"),
        },
      };
    case "BranchSummary":
      return {
        type: "BranchSummary",
        summary: decodeContent(value.summary),
        from_id: stringField(value, "from_id") ?? "",
      };
    case "CustomMessage": {
      const kind = stringField(value, "kind");
      if (kind === undefined) return undefined;
      return { type: "CustomMessage", kind, content: decodeContent(value.content) };
    }
    case "Custom": {
      const kind = stringField(value, "kind");
      return kind === undefined ? undefined : { type: "Custom", kind, data: value.data ?? null };
    }
    case "ModelChange": {
      const model = stringField(value, "model");
      return model === undefined ? undefined : { type: "ModelChange", model };
    }
    case "Label": {
      const target = stringField(value, "target_id");
      if (target === undefined) return undefined;
      return { type: "Label", target_id: target, label: stringField(value, "label") ?? null };
    }
    case "SessionInfo": {
      const title = stringField(value, "name");
      return title === undefined ? undefined : { type: "SessionInfo", name: title };
    }
    case "LeafMoved": {
      const from = stringField(value, "from");
      const to = stringField(value, "to");
      return from === undefined || to === undefined ? undefined : { type: "LeafMoved", from, to };
    }
    case "SessionEnded":
      return { type: "SessionEnded", reason: stringField(value, "reason") ?? "" };
    default:
      return undefined;
  }
}
