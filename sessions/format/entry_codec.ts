import { unreachable } from "../../core/base/errors.ts";
import type { CursorRecord, Entry, EntryTimestamp, Resolution, SessionHeader } from "../entry.ts";
import { isRecord, type JsonRecord, numberField, parseJson, stringField } from "../json_value.ts";
import { mapStrings } from "./map_strings.ts";
import { decodePayload, encodePayload } from "./payload_codec.ts";
import { decodeResolution, encodeResolution } from "./resolution_codec.ts";

/**
 * One line of a session file. The shapes are those of the Rust rho, versions 0.84 (a `resolution`
 * on the entry, no `Cursor` lines) and 0.93 and later.
 */
export type LogRecord =
  | { readonly type: "Header"; readonly header: SessionHeader }
  | { readonly type: "Entry"; readonly entry: Entry; readonly resolution?: Resolution }
  | {
    readonly type: "Resolution";
    readonly cursor: string;
    readonly entry: string;
    readonly resolution: Resolution;
  }
  | { readonly type: "Cursor"; readonly cursor: CursorRecord }
  | { readonly type: "Unknown"; readonly name: string };

/** The format's version that this code writes. */
export const FORMAT_VERSION = 1;

/**
 * The record of one line, or `undefined` when the line is no record at all. Whole records of a type
 * that this version does not know come back as `Unknown`. All texts are well-formed (B55).
 */
export function decodeLine(line: string): LogRecord | undefined {
  let value = parseJson(line);
  if (!isRecord(value)) return undefined;
  // Decoded UTF-8 holds no lone surrogate, so only an escaped one can have come in.
  if (line.includes("\\ud") || line.includes("\\uD")) {
    value = mapStrings(value, (text) => text.toWellFormed());
    if (!isRecord(value)) return undefined;
  }
  const type = stringField(value, "type");
  switch (type) {
    case undefined:
      return undefined;
    case "Entry":
      return decodeEntry(value);
    case "Resolution":
      return decodeStamp(value);
    case "Cursor":
      return decodeCursor(value);
    case "Header":
      return decodeHeader(value);
    default:
      return { type: "Unknown", name: type };
  }
}

/**
 * One line for a record, without the newline. `JSON.stringify` escapes every control character, so
 * a line never holds a raw line break (B58).
 *
 * @param redact Every text passes through it; ciphertext of reasoning items does not.
 */
export function encodeRecord(
  record: Exclude<LogRecord, { type: "Unknown" }>,
  redact: (text: string) => string,
): string {
  return JSON.stringify(recordToWire(record, redact));
}

function recordToWire(
  record: Exclude<LogRecord, { type: "Unknown" }>,
  redact: (text: string) => string,
): unknown {
  switch (record.type) {
    case "Header": {
      const { id, version, created_at_secs, cwd, parent_session } = record.header;
      return { type: "Header", id, version, created_at_secs, cwd: redact(cwd), parent_session };
    }
    case "Entry": {
      const { id, parentId, timestamp, payload } = record.entry;
      return {
        type: "Entry",
        id,
        parent_id: parentId,
        timestamp,
        payload: encodePayload(payload, redact),
      };
    }
    case "Resolution":
      return {
        type: "Resolution",
        cursor: record.cursor,
        entry: record.entry,
        resolution: encodeResolution(record.resolution, redact),
      };
    case "Cursor": {
      const { id, leaf, name } = record.cursor;
      return { type: "Cursor", id, leaf, name: name === null ? null : redact(name) };
    }
    default:
      return unreachable(record);
  }
}

/** An entry in the shape of the file, as `getEntries` returns it too. */
export interface WireEntry {
  readonly id: string;
  readonly parent_id: string | null;
  readonly timestamp: EntryTimestamp;
  readonly payload: unknown;
}

/** An entry in the shape of the file. */
export function entryToWire(entry: Entry, redact: (text: string) => string): WireEntry {
  return {
    id: entry.id,
    parent_id: entry.parentId,
    timestamp: entry.timestamp,
    payload: encodePayload(entry.payload, redact),
  };
}

function decodeEntry(value: JsonRecord): LogRecord | undefined {
  const id = stringField(value, "id");
  if (id === undefined || id === "" || value.payload === undefined) return undefined;
  const entry: Entry = {
    id,
    parentId: stringField(value, "parent_id") ?? null,
    timestamp: decodeTimestamp(value.timestamp),
    payload: decodePayload(value.payload),
  };
  const resolution = decodeResolution(value.resolution);
  return resolution === undefined ? { type: "Entry", entry } : { type: "Entry", entry, resolution };
}

function decodeTimestamp(value: unknown): EntryTimestamp {
  if (!isRecord(value)) return { secs_since_epoch: 0, nanos_since_epoch: 0 };
  return {
    secs_since_epoch: numberField(value, "secs_since_epoch"),
    nanos_since_epoch: numberField(value, "nanos_since_epoch"),
  };
}

function decodeStamp(value: JsonRecord): LogRecord | undefined {
  const cursor = stringField(value, "cursor");
  const entry = stringField(value, "entry");
  if (cursor === undefined || entry === undefined) return undefined;
  const resolution = decodeResolution(value.resolution);
  if (resolution === undefined) return { type: "Unknown", name: "Resolution" };
  return { type: "Resolution", cursor, entry, resolution };
}

function decodeCursor(value: JsonRecord): LogRecord | undefined {
  const id = stringField(value, "id");
  if (id === undefined || id === "") return undefined;
  return {
    type: "Cursor",
    cursor: {
      id,
      leaf: stringField(value, "leaf") ?? null,
      name: stringField(value, "name") ?? null,
    },
  };
}

function decodeHeader(value: JsonRecord): LogRecord {
  const { version } = value;
  return {
    type: "Header",
    header: {
      id: stringField(value, "id") ?? "",
      version: typeof version === "number" ? version : FORMAT_VERSION,
      created_at_secs: numberField(value, "created_at_secs"),
      cwd: stringField(value, "cwd") ?? "",
      parent_session: stringField(value, "parent_session") ?? null,
    },
  };
}
