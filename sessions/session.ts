import type { AccountTotals } from "./accounting.ts";
import { Cursor } from "./cursor.ts";
import { type Entry, RHO_KINDS, type SessionHeader } from "./entry.ts";
import type { SessionLog } from "./session_log.ts";

/** What opening a damaged file found and mended in memory. */
export interface Recovered {
  /** Lines that are no records; they stay in the file. */
  readonly badLines: number;
  /** Bytes of a half-written last line. */
  readonly tornBytes: number;
  /** Entries whose parent is missing; they hang under the entry before them. */
  readonly reattached: number;
}

/** Why and from where a session goes on in a new file. */
export interface ContinuedFrom {
  readonly path: string;
  readonly id: string;
  /** Another rho writes to it, a newer rho wrote it, or nobody may write there. */
  readonly reason: "locked" | "newer_version" | "read_only";
}

/** One cursor of a session's roster. */
export interface CursorInfo {
  readonly id: string;
  readonly leaf: string | null;
  readonly name?: string;
  readonly active: boolean;
}

/** Data of `rho.opened.v1`: what holds since a session was opened again. */
export interface OpenedData {
  /** rho's version. */
  readonly version: string;
  readonly model: string;
  readonly root: string;
}

/** Options of {@linkcode Session}. */
export interface SessionOptions {
  readonly activeCursor: string;
  readonly recovered?: Recovered;
  readonly continuedFrom?: ContinuedFrom;
  /** Called once, when the session is closed. */
  readonly onClose?: () => void;
}

/** A log and its active cursor: what a caller holds. */
export class Session extends Cursor {
  /** What opening mended, or `undefined` when the file was sound. */
  readonly recovered: Recovered | undefined;
  /** The session that this one continues because it cannot be written to. */
  readonly continuedFrom: ContinuedFrom | undefined;
  readonly #onClose: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(log: SessionLog, options: SessionOptions) {
    super(log, log.requireCursor(options.activeCursor));
    this.recovered = options.recovered;
    this.continuedFrom = options.continuedFrom;
    this.#onClose = options.onClose;
  }

  /** The session's id: 8 hexadecimal digits for ours, any other text for older files. */
  get id(): string {
    return this.log.header.id;
  }

  /** The first line of the file. */
  get header(): SessionHeader {
    return this.log.header;
  }

  /** All entries of all branches, in the order of the file. */
  get entries(): readonly Entry[] {
    return this.log.entries;
  }

  /** The title, or `null` when it has none. */
  get title(): string | null {
    const found = this.log.entries.findLast((entry) => entry.payload.type === "SessionInfo");
    return found?.payload.type === "SessionInfo" ? found.payload.name : null;
  }

  /** Gives the session a title. */
  setTitle(title: string): Entry {
    return this.appendPayload({ type: "SessionInfo", name: title.toWellFormed() });
  }

  /** What the session has cost, rebuilt from its log. */
  get totals(): AccountTotals {
    return this.log.totals;
  }

  /** All cursors, in the order in which they were made. */
  cursors(): CursorInfo[] {
    return [...this.log.cursorStates].map((state) => ({
      id: state.id,
      leaf: state.leaf,
      ...(state.name === null ? {} : { name: state.name }),
      active: state === this.state,
    }));
  }

  /** A cursor beside the active one, for callers that work on several branches. */
  cursor(cursorId: string): Cursor {
    return new Cursor(this.log, this.log.requireCursor(cursorId));
  }

  /** A new cursor at this leaf, made the active one. */
  override fork(name?: string): Cursor {
    const made = super.fork(name);
    this.state = this.log.requireCursor(made.cursorId);
    return made;
  }

  /**
   * Makes another cursor the active one.
   *
   * @throws {SessionError} `cursor_not_found`.
   */
  switchCursor(cursorId: string): void {
    const state = this.log.requireCursor(cursorId);
    if (state === this.state) return;
    this.log.writeCursor(state);
    this.state = state;
  }

  /** Names a cursor, by default the active one, which stays active. */
  override nameCursor(name: string, cursorId: string = this.cursorId): void {
    this.cursor(cursorId).nameCursor(name);
    // The last line of the file decides which cursor is active.
    if (cursorId !== this.cursorId) this.log.writeCursor(this.state);
  }

  /** Moves back to the system message; the branch stays. An empty session stays as it is. */
  clear(): void {
    const root = this.livePath[0];
    if (root !== undefined) this.branchTo(root.id);
  }

  /** Notes what holds since opening; the entry is written with the first append, if there is one. */
  noteOpened(data: OpenedData): void {
    this.log.openedNote = { type: "Custom", kind: RHO_KINDS.opened, data: { ...data } };
  }

  /** The whole text of a bounded result, or the entry's own text when it was not bounded. */
  async fullOutput(entryId: string): Promise<string> {
    const { payload } = this.log.require(entryId);
    const full = await this.log.fullOutputs.read(entryId);
    if (full !== undefined) return full;
    if (payload.type === "Message") return payload.message.content;
    return payload.type === "CustomMessage" ? payload.content : "";
  }

  /**
   * Ends the session: its reason is written if anything was, the disk is synced, file and lock are
   * given back. A second call waits for the first.
   */
  close(reason: string): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: string): Promise<void> {
    if (this.log.appendedCount > 0 && !this.log.closed) {
      this.appendPayload({ type: "SessionEnded", reason });
      this.log.refreshCursor(this.state);
    }
    try {
      await this.log.close();
    } finally {
      this.#onClose?.();
    }
  }
}
