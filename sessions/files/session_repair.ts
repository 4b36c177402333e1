import { defaultResolution } from "../context/render_entry.ts";
import { CursorState } from "../cursor_state.ts";
import type { CursorRecord, Entry, Resolution, SessionHeader } from "../entry.ts";
import type { LogRecord } from "../format/entry_codec.ts";
import { FIRST_CURSOR, type LogContent } from "../session_log.ts";

/** A log put together from a file's records, with what had to be mended. */
export interface RepairedLog {
  /** `undefined` when no line held a readable one. */
  readonly header: SessionHeader | undefined;
  readonly content: Omit<LogContent, "header">;
  readonly badLines: number;
  readonly reattached: number;
}

/** Beyond this many entries that name a later parent, they all stay where they were hung. */
const MAX_LATE_PARENTS = 1000;

/**
 * Puts the records of a file together, whatever state it is in. The result depends on nothing but
 * the lines, so every opening of a file mends it in the same way, and no mending is ever written.
 */
export class SessionRepair {
  #header: SessionHeader | undefined;
  readonly #entries: Entry[] = [];
  readonly #byId = new Map<string, Entry>();
  /** Where entries stand that name a parent not seen before them, with that parent. */
  readonly #orphans = new Map<number, string>();
  readonly #cursors = new Map<string, CursorState>();
  readonly #stamps = new Map<string, Map<string, Resolution>>();
  /** The cursor of the last `Cursor` line. */
  #current: CursorState | undefined;
  /** Where a file without `Cursor` lines stands: at its last entry. */
  #implicitLeaf: string | null = null;
  #badLines = 0;
  #unknownLines = 0;

  /** Notes a line that is no record. */
  addBadLine(): void {
    this.#badLines += 1;
  }

  /** Adds the record of the next line. */
  add(record: LogRecord): void {
    switch (record.type) {
      case "Entry":
        return this.#addEntry(record.entry, record.resolution);
      case "Resolution":
        return this.#addStamp(record.cursor, record.entry, record.resolution);
      case "Cursor":
        return this.#addCursor(record.cursor);
      case "Header":
        if (this.#header === undefined) this.#header = record.header;
        else this.#unknownLines += 1;
        return;
      case "Unknown":
        this.#unknownLines += 1;
    }
  }

  /** The finished log. */
  finish(): RepairedLog {
    const found = this.#placeUnderLateParents();
    if (this.#current === undefined) {
      const leaf = this.#implicitLeaf;
      this.#current = new CursorState({ id: FIRST_CURSOR, leaf, name: null });
      this.#cursors.set(FIRST_CURSOR, this.#current);
    }
    this.#followLateChildren(this.#current, found);
    for (const state of this.#cursors.values()) this.#applyStamps(state);
    return {
      header: this.#header,
      content: {
        entries: this.#entries,
        cursors: [...this.#cursors.values()],
        activeCursor: this.#current.id,
        unknownLines: this.#unknownLines,
      },
      badLines: this.#badLines,
      reattached: this.#orphans.size - found.length,
    };
  }

  #addEntry(read: Entry, resolution: Resolution | undefined): void {
    if (this.#byId.has(read.id)) {
      // Ids are random: a second one is a copied line, and the first is what others hang under.
      this.#badLines += 1;
      return;
    }
    const entry = this.#withKnownParent(read);
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    this.#follow(entry);
    if (resolution !== undefined && resolution.level !== defaultResolution(entry.payload).level) {
      this.#addStamp(FIRST_CURSOR, entry.id, resolution);
    }
  }

  #withKnownParent(read: Entry): Entry {
    if (read.parentId === null) return read;
    const parent = this.#byId.get(read.parentId);
    // The parent's own string instead of an equal one saves memory in long sessions.
    if (parent !== undefined) return withParent(read, parent.id);
    this.#orphans.set(this.#entries.length, read.parentId);
    return withParent(read, this.#nearestKnown());
  }

  /** Where an entry hangs whose parent was lost: at the branch being written, or the last entry. */
  #nearestKnown(): string | null {
    const leaf = this.#current?.leaf;
    if (leaf !== undefined && leaf !== null && this.#byId.has(leaf)) return leaf;
    return this.#entries.at(-1)?.id ?? null;
  }

  /** Moves the current cursor along with an entry of its branch. */
  #follow(entry: Entry): void {
    const { payload } = entry;
    const target = payload.type === "LeafMoved" && this.#byId.has(payload.to) ? payload : undefined;
    if (this.#current === undefined) {
      this.#implicitLeaf = target?.to ?? entry.id;
    } else if (target !== undefined && target.from === this.#current.leaf) {
      // The `Cursor` line behind it is missing when rho was killed in between.
      this.#current.moveTo(target.to);
    } else if (entry.parentId === this.#current.leaf) {
      this.#current.advance(entry);
    }
  }

  #addCursor(record: CursorRecord): void {
    const known = record.leaf === null || this.#byId.has(record.leaf);
    const leaf = known ? record.leaf : this.#entries.at(-1)?.id ?? null;
    const before = this.#cursors.get(record.id);
    const state = before ?? new CursorState({ ...record, leaf });
    if (before === undefined) this.#cursors.set(record.id, state);
    else {
      before.moveTo(leaf);
      before.name = record.name;
    }
    this.#current = state;
  }

  #addStamp(cursor: string, entry: string, resolution: Resolution): void {
    const stamps = this.#stamps.get(cursor);
    if (stamps === undefined) this.#stamps.set(cursor, new Map([[entry, resolution]]));
    else stamps.set(entry, resolution);
  }

  #applyStamps(state: CursorState): void {
    for (const [entry, resolution] of this.#stamps.get(state.id) ?? []) {
      if (this.#byId.has(entry)) state.stamps.set(entry, resolution);
    }
  }

  /** Moves entries under parents that came behind them in the file (B52); returns those moved. */
  #placeUnderLateParents(): Entry[] {
    const moved: Entry[] = [];
    if (this.#orphans.size > MAX_LATE_PARENTS) return moved;
    for (const [index, parentId] of this.#orphans) {
      const entry = this.#entries[index];
      const parent = this.#byId.get(parentId);
      if (entry === undefined || parent === undefined || this.#isBelow(parent, entry)) continue;
      const placed = withParent(entry, parent.id);
      this.#entries[index] = placed;
      this.#byId.set(placed.id, placed);
      moved.push(placed);
    }
    return moved;
  }

  #isBelow(entry: Entry, ancestor: Entry): boolean {
    for (let at: Entry | undefined = entry; at !== undefined;) {
      if (at.id === ancestor.id) return true;
      at = at.parentId === null ? undefined : this.#byId.get(at.parentId);
    }
    return false;
  }

  #followLateChildren(state: CursorState, moved: readonly Entry[]): void {
    for (const entry of moved) if (entry.parentId === state.leaf) state.advance(entry);
  }
}

function withParent(entry: Entry, parentId: string | null): Entry {
  const { id, timestamp, payload } = entry;
  return { id, parentId, timestamp, payload };
}
