import { type Clock, SYSTEM_CLOCK } from "../core/base/clock.ts";
import { isSafeId, newSessionId } from "../core/base/ids.ts";
import type { SessionHeader } from "./entry.ts";
import { FORMAT_VERSION } from "./format/entry_codec.ts";
import { matchId, notFound } from "./listing/find_session.ts";
import { firstLine } from "./listing/scan_session.ts";
import { type FullOutputStore, MemoryFullOutputStore } from "./full_output_store.ts";
import { NullSink } from "./log_sink.ts";
import { Session } from "./session.ts";
import { SessionError } from "./session_error.ts";
import { FIRST_CURSOR, newLogContent, SessionLog } from "./session_log.ts";
import type { OpenChildOptions, SessionStore, SessionSummary } from "./session_store.ts";

/** Options of {@linkcode MemoryStore}. */
export interface MemoryStoreOptions {
  /** The project's root, for the header. */
  readonly root: string;
  /**
   * Masks secrets in results before they are bounded.
   * @default {identity}
   */
  readonly redact?: (text: string) => string;
  readonly clock?: Clock;
}

interface KeptSession {
  readonly id: string;
  readonly isChild: boolean;
  readonly fullOutputs: FullOutputStore;
  /** The latest one; it stays here when it is closed. */
  session: Session;
  open: boolean;
  changedAtMs: number;
  /** Decides between changes in one millisecond. */
  order: number;
}

/** Sessions that leave nothing on the disk, not even a folder. */
export class MemoryStore implements SessionStore {
  readonly #options: MemoryStoreOptions;
  readonly #clock: Clock;
  readonly #kept = new Map<string, KeptSession>();
  #order = 0;

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  create(): Promise<Session> {
    return Promise.resolve(this.#create(newSessionId(), null));
  }

  open(pathOrId: string): Promise<Session> {
    return Promise.try(() => this.#reopen(this.#find(pathOrId)));
  }

  openChild(parent: Session, options: OpenChildOptions = {}): Promise<Session> {
    return Promise.try(() => {
      const id = options.id ?? newSessionId();
      if (!isSafeId(id)) {
        throw new SessionError(
          "session_bad_id",
          `Cannot open child session "${id}": an id has letters, digits, "_" and "-" only`,
        );
      }
      const known = this.#kept.get(`${parent.id}/${id}`);
      return known === undefined ? this.#create(id, parent.id) : this.#reopen(known);
    });
  }

  list(): Promise<SessionSummary[]> {
    return Promise.resolve(this.#listed().map(summaryOf));
  }

  latest(): Promise<string | undefined> {
    return Promise.resolve(this.#listed()[0]?.id);
  }

  setTitle(pathOrId: string, title: string): Promise<void> {
    return Promise.try(() => {
      const kept = this.#closedOne(pathOrId);
      const { changedAtMs, order } = kept;
      this.#reopen(kept).setTitle(title);
      Object.assign(kept, { open: false, changedAtMs, order });
    });
  }

  remove(pathOrId: string): Promise<void> {
    return Promise.try(() => {
      const { id } = this.#closedOne(pathOrId);
      for (const key of this.#kept.keys()) {
        if (key === id || key.startsWith(`${id}/`)) this.#kept.delete(key);
      }
    });
  }

  #create(id: string, parent: string | null): Session {
    const header: SessionHeader = {
      id,
      version: FORMAT_VERSION,
      created_at_secs: Math.floor(this.#clock.epochMs() / 1000),
      cwd: this.#options.root,
      parent_session: parent,
    };
    const fullOutputs = new MemoryFullOutputStore();
    const log = new SessionLog(newLogContent(header), this.#logOptions(fullOutputs));
    const kept: KeptSession = {
      id,
      isChild: parent !== null,
      fullOutputs,
      session: this.#sessionOf(log, () => kept),
      open: true,
      changedAtMs: this.#clock.epochMs(),
      order: this.#order++,
    };
    this.#kept.set(parent === null ? id : `${parent}/${id}`, kept);
    return kept.session;
  }

  #reopen(kept: KeptSession): Session {
    if (kept.open) return kept.session;
    const { log } = kept.session;
    const active = kept.session.cursorId;
    const reopened = new SessionLog({
      header: log.header,
      entries: [...log.entries],
      cursors: [...log.cursorStates],
      activeCursor: active,
      unknownLines: 0,
    }, this.#logOptions(kept.fullOutputs));
    kept.session = this.#sessionOf(reopened, () => kept, active);
    kept.open = true;
    return kept.session;
  }

  #sessionOf(log: SessionLog, kept: () => KeptSession, activeCursor = FIRST_CURSOR): Session {
    const onClose = () => {
      const { changedAtMs, order } = log.appendedCount === 0
        ? kept()
        : { changedAtMs: this.#clock.epochMs(), order: this.#order++ };
      Object.assign(kept(), { open: false, changedAtMs, order });
    };
    return new Session(log, { activeCursor, onClose });
  }

  #logOptions(fullOutputs: FullOutputStore): ConstructorParameters<typeof SessionLog>[1] {
    const { redact = (text: string) => text } = this.#options;
    return { sink: new NullSink(), fullOutputs, redact, clock: this.#clock };
  }

  /** Sessions with a prompt, newest first, as a folder would list them. */
  #listed(): KeptSession[] {
    return [...this.#kept.values()]
      .filter(({ isChild, session }) => !isChild && hasPrompt(session))
      .sort((a, b) => lastChangeMs(b) - lastChangeMs(a) || b.order - a.order);
  }

  #find(id: string): KeptSession {
    const top = [...this.#kept.values()].filter(({ isChild }) => !isChild);
    const found = matchId(id, top);
    if (found === undefined) throw notFound(id, top.map((kept) => kept.id));
    return found;
  }

  #closedOne(id: string): KeptSession {
    const kept = this.#find(id);
    if (!kept.open) return kept;
    throw new SessionError(
      "session_in_use",
      `Cannot change session "${id}": it is open; close it first`,
      { data: { id } },
    );
  }
}

function hasPrompt(session: Session): boolean {
  return session.entries.some(({ payload }) =>
    payload.type === "Message" && payload.message.role !== "system"
  );
}

function lastChangeMs({ open, session, changedAtMs }: KeptSession): number {
  const last = open ? session.entries.at(-1) : undefined;
  if (last === undefined) return changedAtMs;
  return last.timestamp.secs_since_epoch * 1000 + last.timestamp.nanos_since_epoch / 1e6;
}

function summaryOf(kept: KeptSession): SessionSummary {
  const { session, id } = kept;
  const prompt = session.entries.find(({ payload }) =>
    payload.type === "Message" && payload.message.role === "user"
  )?.payload;
  return {
    path: id,
    id,
    mtimeSecs: Math.floor(lastChangeMs(kept) / 1000),
    sizeKb: Math.ceil(JSON.stringify(session.entries).length / 1024),
    entryCount: session.entries.length,
    title: session.title,
    firstPrompt: prompt?.type === "Message" ? firstLine(prompt.message.content) : null,
    cwd: session.header.cwd,
  };
}
