import { errorMessage } from "../core/base/errors.ts";
import { SessionError } from "./session_error.ts";

/** An object read from JSON; only own fields may be looked up in it. */
export interface JsonRecord {
  readonly [key: string]: unknown;
}

/** Whether a value from outside is a JSON object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text field of an object from outside. */
export function stringField(value: JsonRecord, key: string): string | undefined {
  const field = value[key];
  return typeof field === "string" ? field : undefined;
}

/** A finite number of an object from outside, or 0. */
export function numberField(value: JsonRecord, key: string): number {
  const field = value[key];
  return typeof field === "number" && Number.isFinite(field) ? field : 0;
}

/**
 * A deep copy of plain data as JSON keeps it, so that memory and file hold the same.
 *
 * @throws {SessionError} `custom_not_json` for cycles, big integers and the like.
 */
export function toJsonValue(data: unknown): unknown {
  if (data === undefined || data === null) return null;
  if (typeof data === "string") return data.toWellFormed();
  if (typeof data === "number" || typeof data === "boolean") return data;
  try {
    const text = JSON.stringify(data);
    return text === undefined ? null : JSON.parse(text);
  } catch (error) {
    throw new SessionError(
      "custom_not_json",
      `Cannot store data in the session: it is not plain JSON (${errorMessage(error)})`,
      { cause: error },
    );
  }
}

/** JSON parsed, or `undefined` when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
