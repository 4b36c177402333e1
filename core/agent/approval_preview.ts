import { encodeUtf8, headUnits, makeVisible, tailUnits, utf8Length } from "../base/text.ts";

const MAX_PREVIEW_BYTES = 16 * 1024;
const SHOWN_UNITS = 6 * 1024;

/**
 * Makes a preview fit for a person's eye: invisible characters are shown, and what is over 16 KiB
 * is cut to its head and tail, with its size and SHA-256 so that it cannot be mistaken.
 */
export async function approvalPreview(text: string): Promise<string> {
  const bytes = utf8Length(text);
  if (bytes <= MAX_PREVIEW_BYTES) return makeVisible(text);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encodeUtf8(text)));
  const note = `[… ${bytes} bytes in all, SHA-256 ${digest.toHex()} …]`;
  const head = makeVisible(headUnits(text, SHOWN_UNITS));
  const tail = makeVisible(tailUnits(text, SHOWN_UNITS));
  return `${head}\n${note}\n${tail}`;
}

/** Invisible characters inside JSON text as `\uXXXX` escapes: the same value, visible to the eye. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value);
  const visible = makeVisible(text);
  if (visible === text) return text;
  // Outside of strings JSON.stringify writes visible ASCII only, so every hit is inside a string.
  return text.replace(
    /[^\x20-\x7e]/gu,
    (char) => makeVisible(char) === char ? char : [...unitsOf(char)].map(jsonEscape).join(""),
  );
}

function* unitsOf(char: string): Generator<number> {
  for (let i = 0; i < char.length; i++) yield char.charCodeAt(i);
}

function jsonEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
