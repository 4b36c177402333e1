import type { DatabaseSync } from "node:sqlite";
import { parentPath } from "../../core/base/paths.ts";
import { MemoryError } from "./memory_error.ts";
import { migrate } from "./memory_schema.ts";

/** Options of {@linkcode openMemoryDatabase}. */
export interface OpenMemoryDatabaseOptions {
  /** An absolute path; its folder is made when it is missing. */
  readonly path: string;
  /** Steps of the schema other than the built-in ones, for tests. */
  readonly migrations?: readonly string[];
}

/** How long another process may hold the file; the event loop stands still meanwhile. */
const BUSY_TIMEOUT_MS = 1000;

/**
 * Opens the file, makes it when it is missing, and brings its schema up to date. Only the user may
 * read it. A link is refused: in a repository of somebody else it could lead anywhere.
 *
 * @throws {MemoryError} when it cannot be used.
 */
export async function openMemoryDatabase(
  options: OpenMemoryDatabaseOptions,
): Promise<DatabaseSync> {
  const { path } = options;
  const folder = parentPath(path);
  await Deno.mkdir(folder, { recursive: true });
  refuseLinks(folder, path);
  createPrivate(path);
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Whatever a file from elsewhere defines must not call functions of its choice.
    db.exec("PRAGMA trusted_schema = OFF");
    // Only errors of prepared statements carry SQLite's code.
    db.prepare("PRAGMA journal_mode = WAL").get();
    db.exec("PRAGMA synchronous = NORMAL");
    migrate(db, options);
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

function refuseLinks(folder: string, path: string): void {
  for (const name of [folder, path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    let info: Deno.FileInfo;
    try {
      info = Deno.lstatSync(name);
    } catch {
      continue;
    }
    const isGood = name === folder ? info.isDirectory : info.isFile;
    if (isGood) continue;
    const kind = info.isSymlink ? "a link" : name === folder ? "no folder" : "no plain file";
    throw new MemoryError(`Cannot use "${path}" as memory: "${name}" is ${kind}; move it away`);
  }
}

function createPrivate(path: string): void {
  using file = Deno.openSync(path, { create: true, write: true, mode: 0o600 });
  // SQLite gives its side files the same mode.
  if (Deno.build.os !== "windows" && ((file.statSync().mode ?? 0) & 0o077) !== 0) {
    Deno.chmodSync(path, 0o600);
  }
}
