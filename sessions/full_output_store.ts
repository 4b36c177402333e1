import { isSafeId } from "../core/base/ids.ts";
import { joinPath } from "../core/base/paths.ts";
import { encodeUtf8 } from "../core/base/text.ts";
import type { SessionNotice } from "./session_notice.ts";

/** Keeps the whole text of results that a session holds in bounded form. */
export interface FullOutputStore {
  /** Keeps the text of an entry; a failing disk leaves it in memory. */
  save(entryId: string, text: string): void;
  /** The text of an entry, or `undefined` when none was kept. */
  read(entryId: string): Promise<string | undefined>;
}

/** Full outputs of a session that leaves nothing on the disk. */
export class MemoryFullOutputStore implements FullOutputStore {
  readonly #texts = new Map<string, string>();

  save(entryId: string, text: string): void {
    this.#texts.set(entryId, text);
  }

  read(entryId: string): Promise<string | undefined> {
    return Promise.resolve(this.#texts.get(entryId));
  }
}

/** Options of {@linkcode FileFullOutputStore}. */
export interface FileFullOutputStoreOptions {
  /** Masks secrets before anything reaches the disk. */
  readonly redact: (text: string) => string;
  readonly onNotice: (notice: SessionNotice) => void;
  /** A folder to look in for entries that were copied from another session. */
  readonly fallbackFolder?: string | undefined;
}

/** Full outputs as `<session>.full/<entry id>.txt`, 0600 in a folder 0700. */
export class FileFullOutputStore implements FullOutputStore {
  readonly #folder: string;
  readonly #options: FileFullOutputStoreOptions;
  readonly #unsaved = new MemoryFullOutputStore();
  #failed = false;

  constructor(folder: string, options: FileFullOutputStoreOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  save(entryId: string, text: string): void {
    const redacted = this.#options.redact(text);
    try {
      if (!isSafeId(entryId)) throw new TypeError("the id is not a file name");
      Deno.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      Deno.writeFileSync(this.#fileOf(this.#folder, entryId), encodeUtf8(redacted), {
        mode: 0o600,
      });
    } catch (error) {
      this.#unsaved.save(entryId, redacted);
      this.#reportOnce(error);
    }
  }

  async read(entryId: string): Promise<string | undefined> {
    const unsaved = await this.#unsaved.read(entryId);
    if (unsaved !== undefined || !isSafeId(entryId)) return unsaved;
    for (const folder of [this.#folder, this.#options.fallbackFolder]) {
      if (folder === undefined) continue;
      try {
        return await Deno.readTextFile(this.#fileOf(folder, entryId));
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    return undefined;
  }

  #fileOf(folder: string, entryId: string): string {
    return joinPath(folder, `${entryId}.txt`);
  }

  #reportOnce(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#options.onNotice({
      code: "full_output_not_saved",
      level: "warn",
      message: `Cannot save a full tool output in "${this.#folder}": ${String(error)}; ` +
        "it is kept in memory until rho ends",
    });
  }
}
