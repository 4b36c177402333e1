import { type Clock, SYSTEM_CLOCK } from "../core/base/clock.ts";
import { isSafeId, newSessionId } from "../core/base/ids.ts";
import type { Logger } from "../core/base/log.ts";
import { joinPath, parentPath } from "../core/base/paths.ts";
import {
  countSessions,
  findLatestSession,
  listAllSessions,
  listSessions,
} from "./listing/discovery.ts";
import type { SessionHeader } from "./entry.ts";
import { FORMAT_VERSION } from "./format/entry_codec.ts";
import { type FileOps, SYSTEM_FILE_OPS } from "./files/file_ops.ts";
import { findSessionById } from "./listing/find_session.ts";
import {
  fullOutputFolder,
  parseSessionFileName,
  projectFolder,
  sessionFileName,
} from "./files/project_folder.ts";
import { removeSessionFiles } from "./files/remove_session.ts";
import { newFilePrelude } from "./files/new_file_prelude.ts";
import { isFile, isInStore, realPath, resolveLink } from "./files/session_paths.ts";
import { inUse, notWritable, outsideStore } from "./files/session_refusals.ts";
import { type SessionLock, tryLockSession } from "./files/session_lock.ts";
import { takeWriteAccess } from "./files/write_access.ts";
import { FileFullOutputStore } from "./full_output_store.ts";
import { type LogSink, NullSink } from "./log_sink.ts";
import { type ContinuedFrom, Session } from "./session.ts";
import { SessionError } from "./session_error.ts";
import { type LogContent, newLogContent, SessionLog } from "./session_log.ts";
import type { SessionNotice } from "./session_notice.ts";
import { type OpenedFile, openSessionFile } from "./files/session_opener.ts";
import type { OpenChildOptions, SessionStore, SessionSummary } from "./session_store.ts";
import { type FsyncMode, SessionWriter } from "./files/session_writer.ts";

/** Options of {@linkcode FileStore}. */
export interface FileStoreOptions {
  /** `RHO_HOME`: sessions live below its `sessions` folder. */
  readonly home: string;
  /** The project's root, canonical. */
  readonly root: string;
  /** Masks secrets in everything that is written. */
  readonly redact: (text: string) => string;
  /** @default {"turn"} */
  readonly fsync?: FsyncMode;
  /** Told once a session when something does not reach the disk. */
  readonly onNotice?: (notice: SessionNotice) => void;
  /** Told about files that a list has to leave out. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** @default {SYSTEM_FILE_OPS} */
  readonly fileOps?: FileOps;
}

/** Sessions as files: `<home>/sessions/<project>/<seconds>_<id>.jsonl`. */
export class FileStore implements SessionStore {
  readonly #options: FileStoreOptions;
  readonly #clock: Clock;
  /** Sessions of this store by path, so that opening one twice gives the same. */
  readonly #open = new Map<string, Session>();
  #folder: Promise<string> | undefined;

  constructor(options: FileStoreOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  async create(): Promise<Session> {
    const header = this.#newHeader(null);
    const folder = await this.#projectFolder();
    return this.#newSession(joinPath(folder, sessionFileName(header.created_at_secs, header.id)), {
      content: newLogContent(header),
    });
  }

  async open(pathOrId: string): Promise<Session> {
    const path = await this.#pathOf(pathOrId);
    return this.#openSession(path) ?? await this.#openPath(path);
  }

  /**
   * A session to look at, without taking the right to write to it: what is appended to it is kept
   * nowhere. A session that this store has open comes back as it is.
   *
   * @throws what `open` throws.
   */
  async read(pathOrId: string): Promise<Session> {
    const path = await this.#pathOf(pathOrId);
    const open = this.#openSession(path);
    if (open !== undefined) return open;
    const { content, recovered } = openSessionFile(path);
    const log = new SessionLog(content, this.#logOptions(path, new NullSink()));
    return new Session(log, {
      activeCursor: content.activeCursor,
      ...(recovered === undefined ? {} : { recovered }),
    });
  }

  /** Where a session's file is, by path, id or the start of an id. */
  pathOf(pathOrId: string): Promise<string> {
    return this.#pathOf(pathOrId);
  }

  async openChild(parent: Session, options: OpenChildOptions = {}): Promise<Session> {
    const id = options.id ?? newSessionId();
    if (!isSafeId(id)) {
      throw new SessionError(
        "session_bad_id",
        `Cannot open child session "${id}": an id has letters, digits, "_" and "-" only`,
      );
    }
    const folder = parent.savePath === undefined
      ? await this.#projectFolder()
      : parentPath(parent.savePath);
    const path = joinPath(folder, parent.id, `${id}.jsonl`);
    if (this.#open.has(path) || isFile(path)) return await this.open(path);
    return this.#newSession(path, { content: newLogContent(this.#newHeader(parent.id, id)) });
  }

  list(): Promise<SessionSummary[]> {
    return listSessions(this.#options.root, this.#options);
  }

  /** The sessions of all projects, newest first. */
  listAll(): SessionSummary[] {
    return listAllSessions(this.#options);
  }

  /** How many sessions the project has; reads no file. */
  count(): Promise<number> {
    return countSessions(this.#options.root, this.#options);
  }

  latest(): Promise<string | undefined> {
    return findLatestSession(this.#options.root, this.#options);
  }

  async setTitle(pathOrId: string, title: string): Promise<void> {
    const path = await this.#pathOf(pathOrId);
    this.#assertNotOpen(path);
    const session = await this.#openPath(path);
    try {
      // A continuation has written nothing yet: its file would appear with the first entry.
      if (session.continuedFrom !== undefined) throw notWritable(path, session.continuedFrom);
      const { atime, mtime } = Deno.statSync(path);
      session.setTitle(title);
      await session.flush();
      if (!session.persisted) throw notWritable(path);
      Deno.utimeSync(path, atime ?? new Date(), mtime ?? new Date());
    } finally {
      this.#open.delete(path);
      await session.log.close();
    }
  }

  async remove(pathOrId: string): Promise<void> {
    const path = await this.#pathOf(pathOrId);
    this.#assertNotOpen(path);
    // Reading it first makes sure that only sessions are ever removed.
    const { content } = openSessionFile(path);
    const named = parseSessionFileName(path);
    // What lies beside a file goes with it, so nothing is removed but from a folder of sessions.
    if (named === undefined || !isInStore(path, this.#options.home)) throw outsideStore(path);
    const lock = tryLockSession(path);
    if (lock === undefined) throw inUse(path);
    try {
      const hasChildren = content.header.id === named.id;
      removeSessionFiles(path, hasChildren ? named.id : undefined);
    } finally {
      lock.release();
    }
  }

  #projectFolder(): Promise<string> {
    this.#folder ??= projectFolder(this.#options.home, this.#options.root);
    return this.#folder;
  }

  async #pathOf(pathOrId: string): Promise<string> {
    if (!isSafeId(pathOrId)) return resolveLink(pathOrId);
    const project = await this.#projectFolder();
    return findSessionById(pathOrId, { home: this.#options.home, project });
  }

  async #openPath(path: string): Promise<Session> {
    let opened = openSessionFile(path);
    if (opened.content.header.version > FORMAT_VERSION) {
      return await this.#continue(path, opened, "newer_version");
    }
    const lock = takeWriteAccess(path);
    if (lock === "read_only" || lock === "locked") return await this.#continue(path, opened, lock);
    // Whoever held the lock before may have written between reading and locking.
    if (Deno.statSync(path).size !== opened.tail.size) opened = openSessionFile(path);
    return this.#existingSession(path, opened, lock);
  }

  #newSession(
    path: string,
    start: { readonly content: LogContent; readonly source?: ContinuedFrom } & Partial<OpenedFile>,
  ): Session {
    const { content, source, recovered } = start;
    const writer = this.#writer(path, { type: "new", prelude: newFilePrelude(content) });
    const log = new SessionLog(content, this.#logOptions(path, writer, source?.path));
    return this.#register(path, log, {
      activeCursor: content.activeCursor,
      ...(source === undefined ? {} : { continuedFrom: source }),
      ...(recovered === undefined ? {} : { recovered }),
    });
  }

  #existingSession(path: string, opened: OpenedFile, lock: SessionLock): Session {
    const { content, recovered, tail } = opened;
    const writer = this.#writer(path, { type: "existing", tail, lock });
    const log = new SessionLog(content, this.#logOptions(path, writer));
    return this.#register(path, log, {
      activeCursor: content.activeCursor,
      ...(recovered === undefined ? {} : { recovered }),
    });
  }

  /** Goes on in a new file with everything that the other one holds. */
  async #continue(
    path: string,
    opened: OpenedFile,
    reason: ContinuedFrom["reason"],
  ): Promise<Session> {
    const { id } = opened.content.header;
    const header = this.#newHeader(id);
    const folder = await this.#projectFolder();
    const newPath = joinPath(folder, sessionFileName(header.created_at_secs, header.id));
    return this.#newSession(newPath, {
      ...opened,
      content: { ...opened.content, header },
      source: { path, id, reason },
    });
  }

  #writer(
    path: string,
    start: ConstructorParameters<typeof SessionWriter>[0]["start"],
  ): SessionWriter {
    const { redact, fsync = "turn", fileOps = SYSTEM_FILE_OPS } = this.#options;
    return new SessionWriter({ path, fileOps, redact, fsync, onNotice: this.#notify, start });
  }

  #logOptions(
    path: string,
    sink: LogSink,
    sourcePath?: string,
  ): ConstructorParameters<typeof SessionLog>[1] {
    const { redact } = this.#options;
    const fullOutputs = new FileFullOutputStore(fullOutputFolder(path), {
      redact,
      onNotice: this.#notify,
      fallbackFolder: sourcePath === undefined ? undefined : fullOutputFolder(sourcePath),
    });
    return { sink, fullOutputs, redact, clock: this.#clock };
  }

  #register(
    path: string,
    log: SessionLog,
    options: ConstructorParameters<typeof Session>[1],
  ): Session {
    const session = new Session(log, { ...options, onClose: () => this.#open.delete(path) });
    this.#open.set(path, session);
    return session;
  }

  readonly #notify = (notice: SessionNotice): void => this.#options.onNotice?.(notice);

  #newHeader(parent: string | null, id: string = newSessionId()): SessionHeader {
    return {
      id,
      version: FORMAT_VERSION,
      created_at_secs: Math.floor(this.#clock.epochMs() / 1000),
      cwd: this.#options.root,
      parent_session: parent,
    };
  }

  /** The session of this store that has a file open, by whatever path it was asked for. */
  #openSession(path: string): Session | undefined {
    const known = this.#open.get(path);
    if (known !== undefined || this.#open.size === 0) return known;
    const real = realPath(path);
    if (real === undefined) return undefined;
    for (const [other, session] of this.#open) if (realPath(other) === real) return session;
    return undefined;
  }

  #assertNotOpen(path: string): void {
    if (this.#openSession(path) !== undefined) throw inUse(path);
  }
}
