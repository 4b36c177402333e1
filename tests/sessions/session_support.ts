import { FileStore, type FileStoreOptions } from "../../sessions/file_store.ts";
import type { Session } from "../../sessions/session.ts";
import type { SessionNotice } from "../../sessions/session_notice.ts";

/** A store in a folder of its own that goes away with it. */
export interface TemporaryStore extends AsyncDisposable {
  readonly home: string;
  readonly store: FileStore;
  readonly notices: SessionNotice[];
  /** Another rho on the same home. */
  another(options?: Partial<FileStoreOptions>): FileStore;
}

/** Makes a store below a temporary folder. */
export async function temporaryStore(
  options: Partial<FileStoreOptions> = {},
): Promise<TemporaryStore> {
  const home = await Deno.makeTempDir({ prefix: "rho-sessions-" });
  const notices: SessionNotice[] = [];
  const another = (more: Partial<FileStoreOptions> = {}) =>
    new FileStore({
      home,
      root: "/project",
      redact: (text) => text,
      onNotice: (notice) => notices.push(notice),
      ...options,
      ...more,
    });
  return {
    home,
    store: another(),
    notices,
    another,
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

/** What a session looks like from outside, for comparing memory with disk. */
export function stateOf(session: Session): unknown {
  return {
    entries: session.entries,
    cursors: session.cursors(),
    leaf: session.leaf,
    messages: session.pathMessages(),
    stamps: session.cursors().map(({ id }) => [...session.cursor(id).stamps].sort(byKey)),
    title: session.title,
    totals: session.totals,
  };
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** The file of a session that has one. */
export function fileOf(session: Session): string {
  if (session.savePath === undefined) throw new TypeError("the session has no file");
  return session.savePath;
}

/** Writes lines to a file and returns its path. */
export async function fileWith(home: string, content: string | Uint8Array): Promise<string> {
  const path = `${home}/1700000000_${crypto.randomUUID().slice(0, 8)}.jsonl`;
  if (typeof content === "string") await Deno.writeTextFile(path, content);
  else await Deno.writeFile(path, content);
  return path;
}

/** A header line. */
export function headerLine(fields: Record<string, unknown> = {}): string {
  const header = {
    type: "Header",
    id: "abcd1234",
    version: 1,
    created_at_secs: 1700000000,
    cwd: "/project",
    parent_session: null,
    ...fields,
  };
  return `${JSON.stringify(header)}\n`;
}

/** An entry line with a user message. */
export function userLine(id: string, parent: string | null, content = id): string {
  return entryLine(id, parent, { Message: { role: "user", content } });
}

/** An entry line with any payload. */
export function entryLine(id: string, parent: string | null, payload: unknown): string {
  const timestamp = { secs_since_epoch: 1700000000, nanos_since_epoch: 0 };
  return `${JSON.stringify({ type: "Entry", id, parent_id: parent, timestamp, payload })}\n`;
}
