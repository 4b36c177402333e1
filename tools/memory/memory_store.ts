import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { type Clock, SYSTEM_CLOCK } from "../../core/base/clock.ts";
import { encodeUtf8 } from "../../core/base/text.ts";
import { sha256Hex } from "../../core/security/sha256.ts";
import { allWords, anyWord, ftsWords } from "./fts_query.ts";
import { type MemoryDocument, toDocument } from "./memory_document.ts";
import { MemoryError } from "./memory_error.ts";

/** A document that a search found. */
export interface MemoryHit extends MemoryDocument {
  /** A part of the body, the words that matched between `**`. */
  readonly snippet: string;
}

/** What a document is made from. */
export interface MemoryContent {
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
}

/** What became of a document that was added. */
export interface AddedDocument {
  readonly id: number;
  /** `known` when the same body was there already, `restored` when it had been deleted. */
  readonly outcome: "added" | "known" | "restored";
}

/** Counts of a whole memory. */
export interface MemoryStats {
  readonly documents: number;
  readonly deleted: number;
  /** Of the bodies, in characters. */
  readonly characters: number;
  readonly tags: readonly (readonly [tag: string, documents: number])[];
}

const COLUMNS = "d.id, d.title, d.body, d.tags, d.created, d.updated, d.deleted";
const HAS_TAGS = `NOT EXISTS (SELECT 1 FROM json_each(?) AS w WHERE w.value NOT IN
  (SELECT t.value FROM json_each(d.tags) AS t))`;

/**
 * The documents of one database. Every change is a single statement or transaction, so two
 * processes can work on one file.
 */
export class MemoryStore {
  readonly #db: DatabaseSync;
  readonly #clock: Clock;

  constructor(db: DatabaseSync, options: { readonly clock?: Clock } = {}) {
    this.#db = db;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  /** Adds a document, unless one with the same body is there; a deleted one comes back. */
  async add(content: MemoryContent): Promise<AddedDocument> {
    const hash = await bodyHash(content.body);
    const { title, body } = content;
    const tags = JSON.stringify(content.tags);
    const now = this.#clock.epochMs();
    return this.#transaction((): AddedDocument => {
      const known = this.#get("SELECT id FROM documents WHERE hash = ? AND deleted IS NULL", hash);
      if (known !== undefined) return { id: Number(known["id"]), outcome: "known" };
      const deleted = this.#get(
        "SELECT id FROM documents WHERE hash = ? ORDER BY deleted DESC LIMIT 1",
        hash,
      );
      if (deleted !== undefined) {
        const id = Number(deleted["id"]);
        this.#run(
          "UPDATE documents SET title = ?, tags = ?, updated = ?, deleted = NULL WHERE id = ?",
          title,
          tags,
          now,
          id,
        );
        return { id, outcome: "restored" };
      }
      const { lastInsertRowid } = this.#run(
        `INSERT INTO documents (title, body, tags, hash, created, updated)
         VALUES (?, ?, ?, ?, ?, ?)`,
        title,
        body,
        tags,
        hash,
        now,
        now,
      );
      return { id: Number(lastInsertRowid), outcome: "added" };
    });
  }

  /** A document, also a deleted one. */
  get(id: number): MemoryDocument | undefined {
    const row = this.#get(`SELECT ${COLUMNS} FROM documents AS d WHERE d.id = ?`, id);
    return row === undefined ? undefined : toDocument(row);
  }

  /**
   * Documents that hold all words of a query, best first by bm25; when there are none, those that
   * hold any.
   *
   * @throws {MemoryError} when the query has no word.
   */
  search(
    query: string,
    options: { readonly tags: readonly string[]; readonly limit: number },
  ): MemoryHit[] {
    const words = ftsWords(query);
    if (words.length === 0) {
      throw new MemoryError(
        'Cannot search for nothing: "query" needs a word; or use action "list"',
      );
    }
    const strict = this.#match(allWords(words), options);
    return strict.length > 0 || words.length === 1 ? strict : this.#match(anyWord(words), options);
  }

  /** The documents changed last. */
  list(options: { readonly tags: readonly string[]; readonly limit: number }): MemoryDocument[] {
    return this.#all(
      `SELECT ${COLUMNS} FROM documents AS d WHERE d.deleted IS NULL AND ${HAS_TAGS}
       ORDER BY d.updated DESC, d.id DESC LIMIT ?`,
      JSON.stringify(options.tags),
      options.limit,
    ).map(toDocument);
  }

  /**
   * Changes parts of a document.
   *
   * @throws {MemoryError} when it is missing, deleted, or another one has that body.
   */
  async update(id: number, change: Partial<MemoryContent>): Promise<void> {
    const hash = change.body === undefined ? null : await bodyHash(change.body);
    this.#transaction(() => {
      this.#checkUnique(id, hash);
      this.#run(
        `UPDATE documents SET title = coalesce(?, title), body = coalesce(?, body),
         tags = coalesce(?, tags), hash = coalesce(?, hash), updated = ? WHERE id = ?`,
        change.title ?? null,
        change.body ?? null,
        change.tags === undefined ? null : JSON.stringify(change.tags),
        hash,
        this.#clock.epochMs(),
        id,
      );
    });
  }

  /** Hides a document; `false` when there is none to hide. */
  delete(id: number): boolean {
    const { changes } = this.#run(
      "UPDATE documents SET deleted = ? WHERE id = ? AND deleted IS NULL",
      this.#clock.epochMs(),
      id,
    );
    return Number(changes) > 0;
  }

  /**
   * Brings a deleted document back.
   *
   * @throws {MemoryError} when it is missing, not deleted, or its body was added again meanwhile.
   */
  restore(id: number): void {
    this.#transaction(() => {
      const row = this.#get("SELECT hash, deleted FROM documents WHERE id = ?", id);
      if (row === undefined) throw missing(id);
      if (row["deleted"] === null) {
        throw new MemoryError(`Cannot restore document ${id}: it is not deleted`);
      }
      this.#refuseTwin(id, String(row["hash"]));
      this.#run(
        "UPDATE documents SET deleted = NULL, updated = ? WHERE id = ?",
        this.#clock.epochMs(),
        id,
      );
    });
  }

  /** Counts of the whole memory. */
  stats(): MemoryStats {
    const row = this.#get(
      `SELECT count(*) FILTER (WHERE deleted IS NULL) AS documents,
       count(*) FILTER (WHERE deleted IS NOT NULL) AS deleted,
       coalesce(sum(length(body)) FILTER (WHERE deleted IS NULL), 0) AS characters FROM documents`,
    );
    const tags = this.#all(
      `SELECT t.value AS tag, count(*) AS many FROM documents AS d, json_each(d.tags) AS t
       WHERE d.deleted IS NULL GROUP BY t.value ORDER BY many DESC, tag LIMIT 50`,
    );
    return {
      documents: Number(row?.["documents"]),
      deleted: Number(row?.["deleted"]),
      characters: Number(row?.["characters"]),
      tags: tags.map((row) => [String(row["tag"]), Number(row["many"])]),
    };
  }

  #match(
    query: string,
    options: { readonly tags: readonly string[]; readonly limit: number },
  ): MemoryHit[] {
    return this.#all(
      `SELECT ${COLUMNS}, snippet(documents_fts, 1, '**', '**', '…', 24) AS snippet
       FROM documents_fts JOIN documents AS d ON d.id = documents_fts.rowid
       WHERE documents_fts MATCH ? AND d.deleted IS NULL AND ${HAS_TAGS}
       ORDER BY bm25(documents_fts, 4.0, 1.0, 2.0), d.id LIMIT ?`,
      query,
      JSON.stringify(options.tags),
      options.limit,
    ).map((row) => ({ ...toDocument(row), snippet: String(row["snippet"]) }));
  }

  #checkUnique(id: number, hash: string | null): void {
    const row = this.#get("SELECT deleted FROM documents WHERE id = ?", id);
    if (row === undefined) throw missing(id);
    if (row["deleted"] !== null) {
      throw new MemoryError(`Cannot change document ${id}: it is deleted; restore it first`);
    }
    if (hash !== null) this.#refuseTwin(id, hash);
  }

  #refuseTwin(id: number, hash: string): void {
    const twin = this.#get(
      "SELECT id FROM documents WHERE hash = ? AND deleted IS NULL AND id <> ?",
      hash,
      id,
    );
    if (twin === undefined) return;
    throw new MemoryError(`Document ${Number(twin["id"])} has the same text; use that one`);
  }

  #transaction<T>(body: () => T): T {
    // Only errors of prepared statements carry SQLite's code.
    this.#db.prepare("BEGIN IMMEDIATE").run();
    try {
      const value = body();
      this.#db.prepare("COMMIT").run();
      return value;
    } catch (thrown) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw thrown;
    }
  }

  #get(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined {
    return this.#db.prepare(sql).get(...values);
  }

  #all(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue>[] {
    return this.#db.prepare(sql).all(...values);
  }

  #run(
    sql: string,
    ...values: SQLInputValue[]
  ): ReturnType<ReturnType<DatabaseSync["prepare"]>["run"]> {
    return this.#db.prepare(sql).run(...values);
  }
}

/** Two bodies are the same when only white space or Unicode composition differs. */
async function bodyHash(body: string): Promise<string> {
  return await sha256Hex(encodeUtf8(body.normalize("NFC").replace(/\s+/gu, " ").trim()));
}

function missing(id: number): MemoryError {
  return new MemoryError(`There is no document ${id}; find it with action "search" or "list"`);
}
