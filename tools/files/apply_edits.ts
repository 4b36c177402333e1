import type { EditableText } from "./editable_text.ts";
import type { PlacedEdit } from "./resolve_edits.ts";

/** A text with all edits applied, and where they are in it. */
export interface AppliedEdits {
  readonly text: string;
  /** What each edit has become, in UTF-16 units of the new text, in order. */
  readonly changes: readonly { readonly start: number; readonly end: number }[];
}

/** Builds the new text from slices of the old one and what the edits insert. */
export function applyEdits(text: EditableText, edits: readonly PlacedEdit[]): AppliedEdits {
  const parts: string[] = [];
  const changes: { readonly start: number; readonly end: number }[] = [];
  let length = 0;
  let at = 0;
  for (const { splice } of edits) {
    parts.push(text.text.slice(at, splice.start), splice.insert);
    length += splice.start - at;
    changes.push({ start: length, end: length + splice.insert.length });
    length += splice.insert.length;
    at = splice.end;
  }
  parts.push(text.text.slice(at));
  return { text: parts.join(""), changes };
}
