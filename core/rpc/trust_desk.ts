import { isAbsolutePath, joinPath } from "../base/paths.ts";
import { ConfigError } from "../config/config_error.ts";
import { loadSettings } from "../config/load_settings.ts";
import type { Settings } from "../config/settings.ts";
import { realPathOrUndefined } from "../security/path_probe.ts";
import type { PendingFile } from "../security/pending_trust.ts";
import { type TrustStore, TrustStoreError } from "../security/trust_store.ts";
import { RpcError } from "./rpc_error.ts";

/** What a {@linkcode TrustDesk} looks at. */
export interface TrustDeskOptions {
  /** The canonical project root. */
  readonly root: string;
  /** rho's home folder, if there is one. */
  readonly home: string | undefined;
  /** In force since the start; used where the files cannot be read any more. */
  readonly settings: Settings;
  readonly store: TrustStore;
}

/** A reviewed configuration can name further files, and those are the end of it. */
const MAX_ROUNDS = 8;

/**
 * Where a client reviews what waits for trust.
 *
 * Once the client has listed what waits, only what it was shown can be trusted, byte for byte: a
 * file that has changed since is refused. A client that never asked has decided without looking, as
 * `rho trust --all` does; the files are then taken as they are.
 */
export class TrustDesk {
  readonly #options: TrustDeskOptions;
  /** What was shown, by path: its hash. */
  #shown: Map<string, string> | undefined;

  constructor(options: TrustDeskOptions) {
    this.#options = options;
  }

  /** The files that wait, remembered as shown. */
  async list(): Promise<readonly PendingFile[]> {
    const pending = await this.#pending();
    this.#shown ??= new Map();
    for (const { path, sha256 } of pending) this.#shown.set(path, sha256);
    return pending;
  }

  /**
   * Trusts single files, all or none of them.
   *
   * @param paths As listed, or relative to the root.
   * @returns the files that count from now on.
   * @throws {RpcError} "invalid params" for a file that does not wait, "refused" for one that is not
   *   as it was shown, or when trust cannot be stored.
   */
  async trust(paths: readonly string[]): Promise<readonly PendingFile[]> {
    const waiting = new Map((await this.#pending()).map((file) => [canonical(file.path), file]));
    const wanted = paths.map((path, index) => {
      const absolute = isAbsolutePath(path) ? path : joinPath(this.#options.root, path);
      const file = waiting.get(canonical(absolute));
      if (file !== undefined) return file;
      const expected = "a file that waits for a review, as listTrust lists it";
      const message = `Cannot trust "${path}": it does not wait for a review; see listTrust`;
      throw RpcError.invalidParams(message, [{ path: `paths.${index}`, expected, message }]);
    });
    const changed = wanted.filter((file) => !this.#isAsShown(file));
    if (changed.length > 0) throw notAsShown(changed);
    return await this.#store(wanted);
  }

  /**
   * Trusts everything that was listed; without a list before, everything that waits, also what a
   * configuration names that is trusted with it.
   *
   * @throws {RpcError} as {@linkcode TrustDesk.trust}.
   */
  async trustAll(): Promise<readonly PendingFile[]> {
    const shown = this.#shown;
    if (shown !== undefined) {
      const listed = (await this.#pending()).filter(({ path }) => shown.has(path));
      const changed = listed.filter((file) => !this.#isAsShown(file));
      if (changed.length > 0) throw notAsShown(changed);
      return await this.#store(listed);
    }
    const trusted: PendingFile[] = [];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const files = await this.#pending();
      if (files.length === 0) break;
      trusted.push(...await this.#store(files));
    }
    return trusted;
  }

  #isAsShown({ path, sha256 }: PendingFile): boolean {
    return this.#shown === undefined || this.#shown.get(path) === sha256;
  }

  async #store(files: readonly PendingFile[]): Promise<readonly PendingFile[]> {
    try {
      await this.#options.store.trust(files);
      return files;
    } catch (error) {
      if (error instanceof TrustStoreError) {
        throw RpcError.refused(error.message, { ...error.data });
      }
      throw error;
    }
  }

  /** With the settings as they are now: a reviewed configuration can name further files. */
  async #pending(): Promise<readonly PendingFile[]> {
    const { root, store } = this.#options;
    const { pendingTrust } = await (import("../security/pending_trust.ts" as string) as Promise<
      typeof import("../security/pending_trust.ts")
    >);
    return await pendingTrust({ root, store, settings: await this.#settings() });
  }

  async #settings(): Promise<Settings> {
    const { root, home, store, settings } = this.#options;
    try {
      return (await loadSettings({ home, root, store })).settings;
    } catch (error) {
      // A file that became unusable still waits for its review.
      if (error instanceof ConfigError) return settings;
      throw error;
    }
  }
}

function canonical(path: string): string {
  return realPathOrUndefined(path) ?? path;
}

function notAsShown(files: readonly PendingFile[]): RpcError {
  const names = files.map(({ path }) => `"${path}"`).join(", ");
  const message = `Cannot trust ${names}: not as listTrust has shown it; call listTrust again`;
  return RpcError.refused(message, { paths: files.map(({ path }) => path) });
}
