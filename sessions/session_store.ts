import type { Session } from "./session.ts";

/** One session as a list shows it. */
export interface SessionSummary {
  /** What `open` takes: the file, or the id of a session in memory. */
  readonly path: string;
  readonly id: string;
  /** The last change, in seconds since the Unix epoch. */
  readonly mtimeSecs: number;
  /** The size in units of 1,024 bytes, rounded up. */
  readonly sizeKb: number;
  readonly entryCount: number;
  readonly title: string | null;
  /** The first line of the first prompt, bounded. */
  readonly firstPrompt: string | null;
  /** The folder that the session worked in. */
  readonly cwd: string;
}

/** Options of {@linkcode SessionStore.openChild}. */
export interface OpenChildOptions {
  /** The child's id; letters, digits, `_` and `-` only. A random one by default. */
  readonly id?: string;
}

/** Where sessions live. */
export interface SessionStore {
  /** A new session. Touches no disk: its file appears with the first prompt. */
  create(): Promise<Session>;
  /**
   * An existing session, ready to be continued. Writes nothing to it yet. A session that cannot be
   * written to goes on in a new one, and `continuedFrom` says so.
   *
   * @param pathOrId A path as `list` gives it, an id, or the start of one.
   * @throws {SessionError} `session_not_found`, `session_ambiguous` with the candidates in its
   * data, or why the session cannot be read.
   */
  open(pathOrId: string): Promise<Session>;
  /** The session of a child run, kept beside its parent's; never in lists. */
  openChild(parent: Session, options?: OpenChildOptions): Promise<Session>;
  /** The project's sessions, newest first. */
  list(): Promise<SessionSummary[]>;
  /** What `open` takes for the newest session, or `undefined` when there is none. */
  latest(): Promise<string | undefined>;
  /**
   * Titles a session that nobody has open; its time stays.
   *
   * @throws {SessionError} `session_in_use`, and what `open` throws.
   */
  setTitle(pathOrId: string, title: string): Promise<void>;
  /**
   * Removes a session that nobody has open, with everything that belongs to it.
   *
   * @throws {SessionError} `session_in_use`, and what `open` throws.
   */
  remove(pathOrId: string): Promise<void>;
}
