import { headUnits, makeVisible } from "../../base/text.ts";

/** The longest text of a server that a message repeats, in UTF-16 units. */
const MAX_TEXT_UNITS = 400;

/** A server's answer in one short line: the message inside its JSON, or its page as plain words. */
export function errorText(body: string): string {
  const json = parsed(body);
  const text = json === undefined ? pageText(body) : messageIn(json) ?? body;
  const line = makeVisible(text.replace(/\s+/g, " ").trim());
  return line.length <= MAX_TEXT_UNITS ? line : `${headUnits(line, MAX_TEXT_UNITS)} …`;
}

/** The message of an error value, wherever servers put it. */
export function messageIn(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (Array.isArray(value)) return messageIn(value[0]);
  if (typeof value !== "object" || value === null) return undefined;
  const record = value as Record<string, unknown>;
  const own = messageIn(record["error"]) ?? messageIn(record["message"]) ??
    messageIn(record["detail"]) ?? messageIn(record["msg"]);
  // OpenRouter keeps the words of the server behind it in here.
  const raw = (record["metadata"] as Record<string, unknown> | null | undefined)?.["raw"];
  return own !== undefined && typeof raw === "string" ? `${own}: ${errorText(raw)}` : own;
}

function pageText(body: string): string {
  if (!/^\s*</.test(body)) return body;
  const title = /<title[^<>]*>([^<]*)</i.exec(body)?.[1]?.trim();
  return title || body.replace(/<(?:style|script)[^<>]*>[^<]*/gi, " ").replace(/<[^<>]*>/g, " ");
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
