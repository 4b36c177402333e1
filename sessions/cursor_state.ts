import type { CursorRecord, Entry, Resolution } from "./entry.ts";

/** What a log keeps for one cursor: where it stands and how its branch is shown. */
export class CursorState {
  readonly id: string;
  name: string | null;
  /** The stamps of this cursor; an entry without one has the default of its payload. */
  readonly stamps = new Map<string, Resolution>();
  #leaf: string | null;
  #path: Entry[] | undefined;

  constructor(record: CursorRecord) {
    this.id = record.id;
    this.name = record.name;
    this.#leaf = record.leaf;
  }

  /** The entry that the next one hangs under. */
  get leaf(): string | null {
    return this.#leaf;
  }

  /** Moves on to an entry that hangs under the leaf. */
  advance(entry: Entry): void {
    this.#leaf = entry.id;
    this.#path?.push(entry);
  }

  /** Moves to any entry. */
  moveTo(leaf: string | null): void {
    if (leaf === this.#leaf) return;
    this.#leaf = leaf;
    this.#path = undefined;
  }

  /** The entries from the root to the leaf. The array is live: it grows with the next append. */
  path(byId: ReadonlyMap<string, Entry>): readonly Entry[] {
    if (this.#path !== undefined) return this.#path;
    const path: Entry[] = [];
    for (let id = this.#leaf; id !== null;) {
      const entry: Entry | undefined = byId.get(id);
      if (entry === undefined) break;
      path.push(entry);
      id = entry.parentId;
    }
    this.#path = path.reverse();
    return this.#path;
  }

  /** The state as a `Cursor` line has it. */
  toRecord(): CursorRecord {
    return { id: this.id, leaf: this.#leaf, name: this.name };
  }
}
