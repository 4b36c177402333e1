import type { SQLOutputValue } from "node:sqlite";

/** A piece of knowledge. */
export interface MemoryDocument {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  /** Milliseconds since the Unix epoch, as the other two. */
  readonly created: number;
  readonly updated: number;
  /** When it was deleted; it can be restored. */
  readonly deleted?: number;
}

/** Reads a row with the columns of a document. */
export function toDocument(row: Record<string, SQLOutputValue>): MemoryDocument {
  const { deleted } = row;
  return {
    id: Number(row["id"]),
    title: String(row["title"]),
    body: String(row["body"]),
    tags: readTags(row["tags"]),
    created: Number(row["created"]),
    updated: Number(row["updated"]),
    ...(typeof deleted === "number" ? { deleted } : {}),
  };
}

function readTags(value: unknown): string[] {
  try {
    const tags: unknown = JSON.parse(String(value));
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
  } catch {
    return [];
  }
}
