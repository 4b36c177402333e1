/** How a file on disk relates to what the model has seen of it. */
export type FileStatus = "unread" | "changed" | "current";

/** One read, as {@linkcode FileTracker.noteRead} compares it. */
export interface ReadRange {
  /** The content of the whole file, or always the text of the range: the same for every call. */
  readonly content: string;
  /** The first line asked for. */
  readonly offset: number;
  /** How many lines were asked for. */
  readonly limit: number;
}

/** Options of {@linkcode FileTracker}. */
export interface FileTrackerOptions {
  /**
   * The most text kept for {@linkcode FileTracker.lastSeen}, in UTF-16 units over all files. The
   * text seen longest ago is dropped first; its digest stays, so `status` keeps its answer.
   * @default {8388608}
   */
  readonly maxKeptUnits?: number;
}

interface Sighting {
  readonly digest: string;
  /** `undefined` once it was dropped to bound memory. */
  text: string | undefined;
}

const DEFAULT_MAX_KEPT_UNITS = 8 * 1024 * 1024;

/**
 * Knows what the model has seen of which file. Paths are compared as they are, so callers pass
 * canonical ones. One tracker lives as long as an opened session and starts empty.
 */
export class FileTracker {
  readonly #sightings = new Map<string, Sighting>();
  readonly #reads = new Map<string, string>();
  readonly #maxKeptUnits: number;
  #keptUnits = 0;

  constructor(options: FileTrackerOptions = {}) {
    this.#maxKeptUnits = options.maxKeptUnits ?? DEFAULT_MAX_KEPT_UNITS;
  }

  /** Notes that the model has seen this content of a file: it read, wrote or edited it. */
  record(path: string, content: string): void {
    const before = this.#sightings.get(path);
    if (before?.text !== undefined) this.#keptUnits -= before.text.length;
    // Deleting first moves the path to the end, so that the map's order is the order of sightings.
    this.#sightings.delete(path);
    const text = content.length <= this.#maxKeptUnits ? content : undefined;
    this.#sightings.set(path, { digest: digestOf(content), text });
    this.#keptUnits += text?.length ?? 0;
    if (this.#keptUnits > this.#maxKeptUnits) this.#dropOldTexts();
  }

  /** Whether the model has seen a file at all, and whether this is still the content it saw. */
  status(path: string, content: string): FileStatus {
    const seen = this.#sightings.get(path);
    if (seen === undefined) return "unread";
    const same = seen.text === undefined
      ? seen.digest === digestOf(content)
      : seen.text === content;
    return same ? "current" : "changed";
  }

  /**
   * The text of a file as the model last saw it, for showing what has changed since; `undefined`
   * when it never saw the file or the text was dropped to bound memory.
   */
  lastSeen(path: string): string | undefined {
    return this.#sightings.get(path)?.text;
  }

  /**
   * Notes a read and tells whether the same range of the same content was already read since
   * {@linkcode forgetReads}, so that a one-line reference can stand for the text.
   */
  noteRead(path: string, read: ReadRange): boolean {
    const key = `${read.offset}:${read.limit}:${path}`;
    const digest = digestOf(read.content);
    const repeated = this.#reads.get(key) === digest;
    if (!repeated) this.#reads.set(key, digest);
    return repeated;
  }

  /**
   * Forgets which ranges were read, since the earlier results may have left the model's context.
   * What `status` and `lastSeen` answer stays.
   */
  forgetReads(): void {
    this.#reads.clear();
  }

  #dropOldTexts(): void {
    for (const sighting of this.#sightings.values()) {
      if (this.#keptUnits <= this.#maxKeptUnits) return;
      this.#keptUnits -= sighting.text?.length ?? 0;
      sighting.text = undefined;
    }
  }
}

/**
 * The length and 64 bits of a text: two multiplicative 32-bit hashes over its UTF-16 units, mixed
 * like cyrb53 (public domain). Not cryptographic, and nothing here needs it to be.
 */
function digestOf(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return `${text.length}:${(a >>> 0).toString(36)}:${(b >>> 0).toString(36)}`;
}
