import type { Logger } from "../base/log.ts";
import { beginSession } from "../agent/begin_session.ts";
import { openingNotices } from "../agent/opening_notices.ts";
import type { Settings } from "../config/settings.ts";
import type { Redactor } from "../security/redactor.ts";
import type { Session } from "../../sessions/session.ts";
import type { SessionNotice } from "../../sessions/session_notice.ts";
import type { SessionStore } from "../../sessions/session_store.ts";
import type { CliOptions } from "./cli_options.ts";

/** What choosing a session needs. */
export interface SessionChoiceDeps {
  readonly root: string;
  readonly systemPrompt: string;
  readonly model: string;
  readonly version: string;
  readonly logger: Logger;
  /** Takes what a person should hear about the session that is opened. */
  readonly onNotice: (notice: SessionNotice) => void;
}

/** Options of {@linkcode openStore}. */
export interface OpenStoreOptions {
  readonly ephemeral: boolean;
  /** rho's home folder; without one nothing can be kept. */
  readonly home: string | undefined;
  /** The canonical project root. */
  readonly root: string;
  readonly redactor: Redactor;
  readonly fsync: Settings["fsync"];
  readonly onNotice: (notice: SessionNotice) => void;
}

/** The store that sessions are kept in: files below rho's home, or memory. */
export async function openStore(options: OpenStoreOptions): Promise<SessionStore> {
  const { home, root, redactor, fsync, onNotice } = options;
  const redact = (text: string) => redactor.redact(text);
  if (options.ephemeral || home === undefined) {
    const { MemoryStore } = await import("../../sessions/memory_store.ts");
    return new MemoryStore({ root, redact });
  }
  const { FileStore } = await import("../../sessions/file_store.ts");
  return new FileStore({ home, root, redact, fsync, onNotice });
}

/** The session to begin with: the latest, a named one, or a new one. */
export async function chooseSession(
  store: SessionStore,
  options: CliOptions,
  deps: SessionChoiceDeps,
): Promise<Session> {
  const { root, systemPrompt, model, version, logger, onNotice } = deps;
  const reference = options.session ??
    (options.continueLatest ? await store.latest() : undefined);
  if (options.continueLatest && reference === undefined) {
    logger.warn("No session of this project to continue; a new one begins");
  }
  if (reference === undefined) return await beginSession(store, systemPrompt);
  const session = await store.open(reference);
  for (const notice of openingNotices(session)) onNotice(notice);
  session.noteOpened({ version, model, root });
  return session;
}
