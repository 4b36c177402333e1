import type { DatabaseSync } from "node:sqlite";
import { MemoryError } from "./memory_error.ts";

/** "rhom": tells our files from others of that name. */
const APPLICATION_ID = 0x72686f6d;

/**
 * One step of the schema each; a file's `user_version` says how many were taken. Steps are only
 * ever added.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE documents (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     title TEXT NOT NULL,
     body TEXT NOT NULL,
     tags TEXT NOT NULL,
     hash TEXT NOT NULL,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL,
     deleted INTEGER
   );
   CREATE UNIQUE INDEX documents_hash ON documents (hash) WHERE deleted IS NULL;
   CREATE VIRTUAL TABLE documents_fts USING fts5 (
     title, body, tags,
     content = 'documents', content_rowid = 'id', tokenize = 'porter unicode61'
   );
   CREATE TRIGGER documents_ai AFTER INSERT ON documents BEGIN
     INSERT INTO documents_fts (rowid, title, body, tags)
       VALUES (new.id, new.title, new.body, new.tags);
   END;
   CREATE TRIGGER documents_au AFTER UPDATE OF title, body, tags ON documents BEGIN
     INSERT INTO documents_fts (documents_fts, rowid, title, body, tags)
       VALUES ('delete', old.id, old.title, old.body, old.tags);
     INSERT INTO documents_fts (rowid, title, body, tags)
       VALUES (new.id, new.title, new.body, new.tags);
   END;
   CREATE TRIGGER documents_ad AFTER DELETE ON documents BEGIN
     INSERT INTO documents_fts (documents_fts, rowid, title, body, tags)
       VALUES ('delete', old.id, old.title, old.body, old.tags);
   END;`,
];

/**
 * Brings a database to the newest schema, in one transaction; two processes may try at once.
 *
 * @param migrations Other than {@linkcode MIGRATIONS} only in tests.
 * @throws {MemoryError} for files of a newer rho, or of another program.
 */
export function migrate(
  db: DatabaseSync,
  options: { readonly path: string; readonly migrations?: readonly string[] },
): void {
  const { path, migrations = MIGRATIONS } = options;
  if (checkedVersion(db, path, migrations.length) === migrations.length) return;
  db.prepare("BEGIN IMMEDIATE").run();
  try {
    // The other process may have been faster.
    const version = checkedVersion(db, path, migrations.length);
    for (const step of migrations.slice(version)) db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    db.exec("COMMIT");
  } catch (thrown) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw thrown;
  }
}

function checkedVersion(db: DatabaseSync, path: string, newest: number): number {
  const version = pragma(db, "user_version");
  const isOurs = pragma(db, "application_id") === APPLICATION_ID;
  const tables = db.prepare("SELECT count(*) AS many FROM sqlite_schema").get()?.["many"];
  if (!isOurs && (version !== 0 || tables !== 0)) {
    throw new MemoryError(
      `Cannot use "${path}" as memory: another program made it; move it away to start anew`,
    );
  }
  if (version > newest) {
    throw new MemoryError(
      `Cannot use "${path}" as memory: a newer rho made it (schema ${version}, here ${newest}); ` +
        "update rho",
    );
  }
  return version;
}

function pragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
