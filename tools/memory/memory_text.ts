import { headUnits } from "../../core/base/text.ts";
import type { MemoryDocument } from "./memory_document.ts";
import type { MemoryHit, MemoryStats } from "./memory_store.ts";

const PREVIEW_UNITS = 160;

/** A whole document. */
export function documentText(document: MemoryDocument): string {
  const state = document.deleted === undefined ? "" : `, deleted ${day(document.deleted)}`;
  return `${headLine(document)}\n(created ${day(document.created)}${state})\n\n${document.body}`;
}

/** Documents, each with the beginning of its body. */
export function listText(documents: readonly MemoryDocument[]): string {
  return documents.map((document) => entry(document, document.body)).join("\n");
}

/** Search results, each with the part that matched. */
export function hitsText(hits: readonly MemoryHit[]): string {
  return hits.map((hit) => entry(hit, hit.snippet)).join("\n");
}

/** The counts of a memory. */
export function statsText(stats: MemoryStats): string {
  const tags = stats.tags.map(([tag, many]) => `${tag} (${many})`).join(", ");
  return `${stats.documents} documents, ${stats.characters} characters; ` +
    `${stats.deleted} deleted ones can be restored\ntags: ${tags === "" ? "none" : tags}`;
}

function entry(document: MemoryDocument, body: string): string {
  const folded = body.replace(/\s+/g, () => " ").trim();
  const shown = headUnits(folded, PREVIEW_UNITS);
  return `${headLine(document)}\n  ${shown}${shown.length < folded.length ? "…" : ""}`;
}

function headLine({ id, title, tags, updated }: MemoryDocument): string {
  const marks = tags.length === 0 ? "" : ` [${tags.join(", ")}]`;
  return `#${id} ${title}${marks}, ${day(updated)}`;
}

function day(epochMs: number): string {
  const date = new Date(epochMs);
  // A file from elsewhere may hold any number.
  return Number.isNaN(date.getTime()) ? "?" : date.toISOString().slice(0, 10);
}
