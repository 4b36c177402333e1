import { errorMessage } from "../core/base/errors.ts";
import type { Logger } from "../core/base/log.ts";
import { extensionFolders } from "./discovery.ts";

/** Options of {@linkcode watchExtensions}. */
export interface WatchExtensionsOptions {
  /** rho's home. */
  readonly home: string | undefined;
  readonly root: string;
  readonly isTurnRunning: () => boolean;
  readonly reload: () => Promise<unknown>;
  readonly logger: Logger;
  /**
   * How long it must be quiet before a reload, in milliseconds.
   * @default {100}
   */
  readonly quietMs?: number;
}

const QUIET_MS = 100;

/**
 * Reloads extensions when their files change, between turns only. Folders are watched, since a
 * watched file is lost with the first atomic save; what really changed is decided by content.
 */
export function watchExtensions(options: WatchExtensionsOptions): { close(): void } {
  const { quietMs = QUIET_MS, logger } = options;
  const paths = extensionFolders(options).map(({ path }) => path).filter(exists);
  if (paths.length === 0) return { close: () => {} };
  // One watcher for all: closing a second one blinds the first.
  const watcher = Deno.watchFs(paths);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (options.isTurnRunning()) return later();
      options.reload().catch((error) => logger.warn(`Cannot reload: ${errorMessage(error)}`));
    }, quietMs);
  };
  const watch = async () => {
    for await (const { kind } of watcher) {
      if (isClosed) return;
      if (kind !== "access") later();
    }
  };
  watch().catch((error) => logger.warn(`Cannot watch extensions: ${errorMessage(error)}`));
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      watcher.close();
    },
  };
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
