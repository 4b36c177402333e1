import { errorMessage, RhoError, type RhoErrorOptions } from "../base/errors.ts";
import { joinPath, parentPath } from "../base/paths.ts";
import { isMissingError, pathExists, realPathOrUndefined } from "./path_probe.ts";
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

type Known = ReadonlyMap<string, TrustedFile>;

/** The file as it was read; `known` is absent when it is damaged. */
interface Snapshot {
  readonly text: string;
  readonly known?: Known;
}

const NOTHING: Snapshot = { text: "", known: new Map() };

/**
 * Remembers which files of projects a person has reviewed: `trusted.toml` in rho's home, with path,
 * SHA-256 and date. Any change of a file takes its trust away.
 *
 * Readers never lock. Writers take turns and replace the file whole, only when something changes. A
 * store that is damaged, or that others on the
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
    try {
      if (missingFrom((await this.#read()).known, wanted).length === 0) return [];
      Deno.mkdirSync(parentPath(file), { recursive: true, mode: 0o700 });
      using _turn = await writersTurn(`${file}.lock`);
      return await this.#write(file, wanted);
    } catch (cause) {
      throw new TrustStoreError(`Cannot write "${file}": ${errorMessage(cause)}`, { cause });
    }
  }

  async #write(file: string, wanted: readonly TrustedFile[]): Promise<readonly string[]> {
    const { withTrusted } =
      await (import("./trust_text.ts" as string) as Promise<typeof import("./trust_text.ts")>);
    const { text, known } = await this.#read();
    const missing = missingFrom(known, wanted);
    if (missing.length === 0) return [];
    if (known === undefined && pathExists(file)) Deno.renameSync(file, `${file}.damaged`);
    // The target of a link, so that the link stays.
    const target = realPathOrUndefined(file) ?? file;
    await replaceFile(
      target,
      known === undefined ? withTrusted("", missing, new Map()) : withTrusted(text, missing, known),
    );
    this.#cached = undefined;
    return missing.map(({ path }) => path);
  }

  async #read(): Promise<Snapshot> {
    const { file } = this;
    if (file === undefined) return NOTHING;
    let info: Deno.FileInfo;
    try {
      info = Deno.statSync(file);
    } catch (error) {
      return isMissingError(error) ? NOTHING : this.#damaged(file, errorMessage(error));
    }
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
      if (isMissingError(error)) return NOTHING;
      return this.#damaged(file, errorMessage(error));
    }
    const { parseTrustText } =
      await (import("./trust_text.ts" as string) as Promise<typeof import("./trust_text.ts")>);
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

function missingFrom(
  known: Known | undefined,
  wanted: readonly TrustedFile[],
): readonly TrustedFile[] {
  return wanted.filter(({ path, sha256 }) => known?.get(path)?.sha256 !== sha256);
}

/** Waits until no other process writes; the lock dies with its process. */
async function writersTurn(path: string): Promise<Disposable> {
  const file = Deno.openSync(path, { write: true, create: true, mode: 0o600 });
  try {
    await file.lock(true);
  } catch {
    // A file system without locks: the last writer wins, and who lost is asked again.
  }
  return file;
}
