import { type Clock, SYSTEM_CLOCK } from "../core/base/clock.ts";
import { newUuid } from "../core/base/ids.ts";
import { Accounting, type AccountTotals } from "./accounting.ts";
import { CursorState } from "./cursor_state.ts";
import type { Entry, EntryPayload, EntryTimestamp, Resolution, SessionHeader } from "./entry.ts";
import { fitPayload } from "./format/fit_payload.ts";
import type { FullOutputStore } from "./full_output_store.ts";
import type { LogSink } from "./log_sink.ts";
import { SessionError } from "./session_error.ts";

/** What a log starts from: nothing, or what an opened file held. */
export interface LogContent {
  readonly header: SessionHeader;
  /** In file order, each one's parent known. */
  readonly entries: Entry[];
  readonly cursors: readonly CursorState[];
  /** The cursor that is active. */
  readonly activeCursor: string;
  /** Lines whose type this version does not know. */
  readonly unknownLines: number;
}

/** Options of {@linkcode SessionLog}. */
export interface SessionLogOptions {
  readonly sink: LogSink;
  readonly fullOutputs: FullOutputStore;
  /**
   * Masks secrets in what is stored outside the sink.
   * @default {identity}
   */
  readonly redact?: (text: string) => string;
  readonly clock?: Clock;
}

/** The id of the first cursor. */
export const FIRST_CURSOR = "c0";

/** A log without entries and with one cursor. */
export function newLogContent(header: SessionHeader): LogContent {
  return {
    header,
    entries: [],
    cursors: [new CursorState({ id: FIRST_CURSOR, leaf: null, name: null })],
    activeCursor: FIRST_CURSOR,
    unknownLines: 0,
  };
}

/**
 * The append-only log that all branches of a session share. Entries never change and never go
 * away; cursors are positions in it.
 */
export class SessionLog {
  readonly header: SessionHeader;
  readonly unknownLines: number;
  readonly sink: LogSink;
  readonly fullOutputs: FullOutputStore;
  readonly redact: (text: string) => string;
  /** Written as an entry of its own just before the first append; see `Session.noteOpened`. */
  openedNote: EntryPayload | undefined;
  readonly #entries: Entry[];
  readonly #byId = new Map<string, Entry>();
  readonly #cursors = new Map<string, CursorState>();
  readonly #clock: Clock;
  #children: Map<string | null, Entry[]> | undefined;
  #accounting: Accounting | undefined;
  /** The cursor that a reader of the file would move on with the next entry. */
  #lineCursor: string;
  /** The cursors that got a line since the log was made or opened. */
  readonly #withLine = new Set<string>();
  /** Whether entries followed the last `Cursor` line. */
  #cursorLineStale = false;
  #appended = 0;
  #closed = false;

  constructor(content: LogContent, options: SessionLogOptions) {
    this.header = content.header;
    this.unknownLines = content.unknownLines;
    this.sink = options.sink;
    this.fullOutputs = options.fullOutputs;
    this.redact = options.redact ?? ((text) => text);
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#entries = content.entries;
    for (const entry of content.entries) this.#byId.set(entry.id, entry);
    for (const state of content.cursors) this.#cursors.set(state.id, state);
    this.#lineCursor = content.activeCursor;
  }

  /** All entries, in the order of the file. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** How many entries were appended since the log was made or opened. */
  get appendedCount(): number {
    return this.#appended;
  }

  /** Whether the log takes no more entries. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The cursors in the order in which they were made. */
  get cursorStates(): IterableIterator<CursorState> {
    return this.#cursors.values();
  }

  /** The totals of everything that the session has cost. */
  get totals(): AccountTotals {
    this.#accounting ??= Accounting.of(this.#entries);
    return this.#accounting.totals();
  }

  /** An entry, or `undefined`. */
  get(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  /**
   * An entry that must exist.
   *
   * @throws {SessionError} `entry_not_found`.
   */
  require(id: string): Entry {
    const entry = this.#byId.get(id);
    if (entry !== undefined) return entry;
    throw new SessionError(
      "entry_not_found",
      `Cannot find entry "${id}": the session has no such entry; getEntries lists them`,
      { data: { entryId: id } },
    );
  }

  /** The entries that hang under an entry, or the roots for `null`, in file order. */
  children(id: string | null): readonly Entry[] {
    if (this.#children === undefined) {
      this.#children = new Map();
      for (const entry of this.#entries) this.#addChild(this.#children, entry);
    }
    return this.#children.get(id) ?? [];
  }

  /** An entry and everything below it, in file order. */
  subtree(id: string): Entry[] {
    const below = new Set([this.require(id).id]);
    return this.#entries.filter((entry) => {
      if (entry.parentId !== null && below.has(entry.parentId)) below.add(entry.id);
      return below.has(entry.id);
    });
  }

  /** The entries from the root to a cursor's leaf; the array is live. */
  path(state: CursorState): readonly Entry[] {
    return state.path(this.#byId);
  }

  /**
   * A cursor's state.
   *
   * @throws {SessionError} `cursor_not_found`.
   */
  requireCursor(id: string): CursorState {
    const state = this.#cursors.get(id);
    if (state !== undefined) return state;
    throw new SessionError(
      "cursor_not_found",
      `Cannot find cursor "${id}": the session has ${[...this.#cursors.keys()].join(", ")}`,
      { data: { cursorId: id } },
    );
  }

  /**
   * Hangs a new entry under a cursor's leaf and hands it to the sink at once.
   *
   * @throws {SessionError} `session_closed`, or `entry_too_large` for data that fits on no line.
   */
  append(state: CursorState, payload: EntryPayload, id: string = newUuid()): Entry {
    this.#assertOpen();
    const fitting = fitPayload(payload, {
      entryId: id,
      redact: this.redact,
      saveFull: (text) => this.fullOutputs.save(id, text),
    });
    this.#writeOpenedNote(state);
    return this.#appendUnder(state, state.leaf, fitting, id);
  }

  /** Moves a cursor to another entry, with the records that a reader needs to follow. */
  move(state: CursorState, to: string): void {
    if (state.leaf === to) return;
    this.#assertOpen();
    this.#writeOpenedNote(state);
    const from = state.leaf;
    if (from !== null && !this.#areAdjacent(from, to)) {
      // It hangs under its target, so that readers which take the last entry for the leaf agree.
      this.#appendUnder(state, to, { type: "LeafMoved", from, to }, newUuid());
    }
    state.moveTo(to);
    this.writeCursor(state);
  }

  /** Makes a cursor at another one's leaf, showing everything as that one does. */
  fork(source: CursorState, name: string | null): CursorState {
    this.#assertOpen();
    let number = this.#cursors.size;
    while (this.#cursors.has(`c${number}`)) number += 1;
    // Without a line of its own the source would be unknown to a reader once another has one.
    if (this.#cursorLineStale || !this.#withLine.has(source.id)) this.writeCursor(source);
    const state = new CursorState({ id: `c${number}`, leaf: source.leaf, name });
    this.#cursors.set(state.id, state);
    this.writeCursor(state);
    for (const [entry, resolution] of source.stamps) this.stamp(state, entry, resolution);
    return state;
  }

  /** Stamps an entry for one cursor. */
  stamp(state: CursorState, entry: string, resolution: Resolution): void {
    this.#assertOpen();
    this.require(entry);
    state.stamps.set(entry, resolution);
    this.sink.append({ type: "Resolution", cursor: state.id, entry, resolution });
  }

  /** Writes a cursor's line, which makes it the active one for readers. */
  writeCursor(state: CursorState): void {
    this.#assertOpen();
    this.sink.append({ type: "Cursor", cursor: state.toRecord() });
    this.#lineCursor = state.id;
    this.#withLine.add(state.id);
    this.#cursorLineStale = false;
  }

  /** Writes a cursor's line if entries followed the last one. */
  refreshCursor(state: CursorState): void {
    if (this.#cursorLineStale && !this.#closed) this.writeCursor(state);
  }

  /** Ends writing; reading stays possible. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.sink.close();
  }

  #appendUnder(
    state: CursorState,
    parentId: string | null,
    payload: EntryPayload,
    id: string,
  ): Entry {
    if (this.#lineCursor !== state.id) this.writeCursor(state);
    const entry: Entry = { id, parentId, timestamp: this.#timestamp(), payload };
    this.#entries.push(entry);
    this.#byId.set(id, entry);
    if (this.#children !== undefined) this.#addChild(this.#children, entry);
    this.#accounting?.add(entry);
    this.#appended += 1;
    this.#cursorLineStale = true;
    if (parentId === state.leaf) state.advance(entry);
    this.sink.append({ type: "Entry", entry });
    return entry;
  }

  #addChild(children: Map<string | null, Entry[]>, entry: Entry): void {
    const siblings = children.get(entry.parentId);
    if (siblings === undefined) children.set(entry.parentId, [entry]);
    else siblings.push(entry);
  }

  #writeOpenedNote(state: CursorState): void {
    const note = this.openedNote;
    if (note === undefined) return;
    this.openedNote = undefined;
    this.#appendUnder(state, state.leaf, note, newUuid());
  }

  #areAdjacent(a: string, b: string): boolean {
    return this.#byId.get(a)?.parentId === b || this.#byId.get(b)?.parentId === a;
  }

  #timestamp(): EntryTimestamp {
    const ms = Math.max(Math.trunc(this.#clock.epochMs()), 0);
    return {
      secs_since_epoch: Math.floor(ms / 1000),
      nanos_since_epoch: (ms % 1000) * 1_000_000,
    };
  }

  #assertOpen(): void {
    if (!this.#closed) return;
    throw new SessionError(
      "session_closed",
      `Cannot write to session "${this.header.id}": it is closed; open it again`,
    );
  }
}
