import { errorMessage, RhoError, type RhoErrorOptions } from "../base/errors.ts";
import { joinPath, parentPath } from "../base/paths.ts";
import { pathExists, realPathOrUndefined } from "./path_probe.ts";
import { replaceFile } from "./replace_file.ts";
import { sha256Hex } from "./sha256.ts";
import type { TrustedFile } from "./trust_text.ts";

/** A file with what a person has seen of it. */
export interface ReviewedFile {
  /** Absolute. */
  readonly path: string;
  /** Of the very bytes that were shown, in lowercase hex. */
  readonly sha256: string;
}

/** What was reviewed cannot be written down. */
export class TrustStoreError extends RhoError {
  constructor(message: string, options: RhoErrorOptions = {}) {
    super("trust_store", message, options);
  }
}

/** Options of {@linkcode TrustStore}. */
export interface TrustStoreOptions {
  /** rho's home folder; without one nothing is trusted and nothing can be. */
  readonly home: string | undefined;
  /** Takes a line when the store is damaged and nothing of it counts; once for one store. */
  readonly onWarning?: (message: string) => void;
  /** @default {Date.now} */
  readonly now?: () => number;
}

/** The largest trust file that is read, in bytes: some ten thousand entries. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Writers that meet take turns; more of them than this are a mistake. */
const WRITE_ATTEMPTS = 8;

type Known = ReadonlyMap<string, TrustedFile>;

/** The file as it was read; `known` is absent when it is damaged. */
interface Snapshot {
  readonly text: string;
  readonly known?: Known;
}

/**
 * Remembers which files of projects a person has reviewed: `trusted.toml` in rho's home, with path,
 * SHA-256 and date. Any change of a file takes its trust away.
 *
 * Readers never lock. Writers replace the file whole, only when something changes, and look
 * afterwards whether another writer was faster. A store that is damaged, or that others on the
 * machine may write to, trusts nothing.
 */
export class TrustStore {
  /** Where it is, if there is a home folder. */
  readonly file: string | undefined;
  readonly #now: () => number;
  readonly #onWarning: (message: string) => void;
  #hasWarned = false;
  #cached: { readonly stamp: string; readonly snapshot: Snapshot } | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  /** Reads nothing yet. */
  constructor(options: TrustStoreOptions) {
    this.file = options.home === undefined ? undefined : joinPath(options.home, "trusted.toml");
    this.#now = options.now ?? Date.now;
    this.#onWarning = options.onWarning ?? (() => {});
  }

  /** Whether somebody reviewed exactly these bytes at this path. */
  async isTrusted(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const { known } = await this.#read();
    const entry = known?.get(canonicalPath(path));
    return entry !== undefined && entry.sha256 === await sha256Hex(bytes);
  }

  /** Everything that was reviewed; what changed since is still in it. */
  async list(): Promise<readonly TrustedFile[]> {
    return [...(await this.#read()).known?.values() ?? []];
  }

  /**
   * Remembers files as reviewed. Nothing is written when all of them were already.
   *
   * @returns the canonical paths of those that are new.
   * @throws {TrustStoreError} when they cannot be written down.
   */
  trust(files: readonly ReviewedFile[]): Promise<readonly string[]> {
    const result = this.#writing.then(() => this.#trust(files));
    this.#writing = result.catch(() => {});
    return result;
  }

  async #trust(files: readonly ReviewedFile[]): Promise<readonly string[]> {
    const { file } = this;
    if (file === undefined) {
      throw new TrustStoreError("Cannot remember what you reviewed: set HOME or RHO_HOME");
    }
    const date = new Date(this.#now()).toISOString();
    const wanted = files.map(({ path, sha256 }) => ({ path: canonicalPath(path), sha256, date }));
    let added: readonly string[] | undefined;
    try {
      for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
        const { text, known } = await this.#read();
        const missing = wanted.filter((entry) => known?.get(entry.path)?.sha256 !== entry.sha256);
        // The first look decides what is new; later ones only see whether it lasted.
        added ??= missing.map((entry) => entry.path);
        if (missing.length === 0) return added;
        await this.#write(file, { missing, text, known });
      }
    } catch (cause) {
      throw new TrustStoreError(`Cannot write "${file}": ${errorMessage(cause)}`, { cause });
    }
    throw new TrustStoreError(`Cannot write "${file}": others keep changing it; try again`);
  }

  async #write(
    file: string,
    change: {
      readonly missing: readonly TrustedFile[];
      readonly text: string;
      readonly known: Known | undefined;
    },
  ): Promise<void> {
    const { withTrusted } = await import("./trust_text.ts");
    const { missing, text, known } = change;
    Deno.mkdirSync(parentPath(file), { recursive: true, mode: 0o700 });
    if (known === undefined && pathExists(file)) Deno.renameSync(file, `${file}.damaged`);
    await replaceFile(
      file,
      withTrusted(known === undefined ? "" : text, missing, known ?? new Map()),
    );
    this.#cached = undefined;
  }

  async #read(): Promise<Snapshot> {
    const { file } = this;
    const info = file === undefined ? undefined : statOrUndefined(file);
    if (file === undefined || info === undefined) return { text: "", known: new Map() };
    const stamp = [info.ino, info.size, info.mtime?.getTime(), info.mode].join(" ");
    if (this.#cached?.stamp === stamp) return this.#cached.snapshot;
    const snapshot = await this.#load(file, info);
    this.#cached = { stamp, snapshot };
    return snapshot;
  }

  async #load(file: string, info: Deno.FileInfo): Promise<Snapshot> {
    if (!info.isFile || info.size > MAX_BYTES) return this.#damaged(file, "it is no such file");
    if (Deno.build.os !== "windows" && ((info.mode ?? 0) & 0o022) !== 0) {
      return this.#damaged(file, `others may write to it; run chmod 600 "${file}"`);
    }
    let text: string;
    try {
      text = Deno.readTextFileSync(file);
    } catch (error) {
      // Gone since it was looked at: nothing was reviewed.
      if (error instanceof Deno.errors.NotFound) return { text: "", known: new Map() };
      return this.#damaged(file, errorMessage(error));
    }
    const { parseTrustText } = await import("./trust_text.ts");
    const known = parseTrustText(text);
    return known === undefined
      ? this.#damaged(file, "its text is damaged; review again with rho trust")
      : { text, known };
  }

  #damaged(file: string, reason: string): Snapshot {
    if (!this.#hasWarned) this.#onWarning(`Nothing in "${file}" is trusted: ${reason}`);
    this.#hasWarned = true;
    return { text: "" };
  }
}

function canonicalPath(path: string): string {
  return realPathOrUndefined(path) ?? path;
}

function statOrUndefined(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
