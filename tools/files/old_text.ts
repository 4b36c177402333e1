import { isInformative, startsWithAnchor } from "./anchors.ts";
import type { EditableText } from "./editable_text.ts";

const MAX_SHOWN_MATCHES = 5;
const MAX_NEAR_MATCHES = 3;

/** Where a text stands, or why it is not to be used. */
export type TextSearch =
  | { readonly type: "found"; readonly start: number }
  | { readonly type: "failed"; readonly message: string; readonly around: readonly number[] };

/**
 * Finds a text that must stand exactly once. When it does not stand there literally, places that
 * differ in white space only are shown, never used.
 *
 * @param wanted With line feeds only.
 */
export function findOnce(text: EditableText, wanted: string): TextSearch {
  const start = text.view.indexOf(wanted);
  if (start < 0) return missing(text, wanted);
  const starts = [start];
  for (let at = start; starts.length <= MAX_SHOWN_MATCHES;) {
    at = text.view.indexOf(wanted, at + 1);
    if (at < 0) break;
    starts.push(at);
  }
  if (starts.length === 1) return { type: "found", start };
  const many = starts.length > MAX_SHOWN_MATCHES;
  const lines = starts.slice(0, MAX_SHOWN_MATCHES).map((at) => text.lineAt(at) + 1);
  return {
    type: "failed",
    message: `old_text stands ${many ? `more than ${MAX_SHOWN_MATCHES}` : starts.length} times, ` +
      `at lines ${lines.join(", ")}; add lines around it until it is unique, or use anchors`,
    around: [],
  };
}

function missing(text: EditableText, wanted: string): TextSearch {
  const lines = wanted.split("\n");
  if (lines.some(startsWithAnchor)) {
    return failed("old_text carries anchors such as 12#KTXJ:; send it without them");
  }
  if (wanted.includes("[REDACTED]")) {
    return failed(
      "old_text holds [REDACTED], a mask that does not stand in the file; use anchors, or a part " +
        "without it",
    );
  }
  const near = nearMatches(text, lines);
  if (near.length > 0) {
    const places = near.map((index) => index + 1).join(", ");
    const message =
      `old_text does not stand in the file; differing in white space only it does at ` +
      `line ${places}`;
    return failed(message, near);
  }
  return failed("old_text does not stand in the file", likelyLines(text, lines));
}

function failed(message: string, around: readonly number[] = []): TextSearch {
  return { type: "failed", message, around };
}

/** The first lines of places that equal the wanted lines once white space is dropped. */
function nearMatches(text: EditableText, lines: readonly string[]): number[] {
  const wanted = trimBlank(lines.map(withoutSpace));
  const [first] = wanted;
  if (first === undefined) return [];
  const keys = text.lines.map((_, index) => withoutSpace(text.line(index) ?? ""));
  const found: number[] = [];
  for (let at = keys.indexOf(first); at >= 0; at = keys.indexOf(first, at + 1)) {
    if (wanted.every((key, offset) => keys[at + offset] === key)) found.push(at);
    if (found.length === MAX_NEAR_MATCHES) break;
  }
  return found;
}

/** Lines that equal one of the wanted lines but for white space: where the model may have meant. */
function likelyLines(text: EditableText, lines: readonly string[]): number[] {
  const wanted = new Set(lines.filter(isInformative).map(withoutSpace));
  if (wanted.size === 0) return [];
  const found: number[] = [];
  for (const index of text.lines.keys()) {
    if (!wanted.has(withoutSpace(text.line(index) ?? ""))) continue;
    found.push(index);
    if (found.length === MAX_NEAR_MATCHES) break;
  }
  return found;
}

function withoutSpace(line: string): string {
  return line.replace(/\s+/g, "");
}

function trimBlank(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}
