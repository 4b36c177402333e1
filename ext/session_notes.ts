import { openCallsOf } from "../sessions/open_calls.ts";
import type { Session } from "../sessions/session.ts";
import { ExtensionError } from "./extension_error.ts";

/** `<author>.<feature>.v<n>` */
const KIND_REGEXP = /^[a-z0-9_-]{1,64}\.[a-z0-9_-]{1,64}\.v[1-9][0-9]{0,4}$/i;
const MAX_TEXT_UNITS = 256 * 1024;
const MAX_STATE_UNITS = 1024 * 1024;
/** The most entries that one extension may add while nothing new happens in the session. */
const MAX_PENDING = 100;
/** The window of {@linkcode MAX_PENDING}, in milliseconds. */
const WINDOW_MS = 10_000;

/** State and messages of extensions in the session in use. */
export class SessionNotes {
  readonly #session: () => Promise<Session>;
  #waiting: { readonly kind: string; readonly text: string }[] = [];
  readonly #used = new Map<string, { startMs: number; count: number }>();

  constructor(session: () => Promise<Session>) {
    this.#session = session;
  }

  /** `rho.getState(kind)`: the latest data of a kind on this branch, or `undefined`. */
  async getState(kind: string): Promise<unknown> {
    checkKind(kind);
    return (await this.#session()).readCustomState(kind);
  }

  /** `rho.setState(kind, data)` */
  async setState(extension: string, kind: string, data: unknown): Promise<void> {
    checkKind(kind);
    this.#spend(extension);
    if (JSON.stringify(data).length > MAX_STATE_UNITS) {
      throw refused(`Cannot store state "${kind}": it has more than 1 MiB`);
    }
    (await this.#session()).writeCustomState(kind, data);
  }

  /**
   * `rho.addMessage(kind, text)`: enters the model's context; between a call and its result it
   * waits for the result, since no server accepts anything there.
   */
  async addMessage(extension: string, kind: string, text: string): Promise<void> {
    checkKind(kind);
    this.#spend(extension);
    if (text.length > MAX_TEXT_UNITS) {
      throw refused(`Cannot add a message "${kind}": it has more than 256 KiB`);
    }
    this.#waiting.push({ kind, text });
    await this.flush();
  }

  /** Appends what waits, unless a call is still open. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const session = await this.#session();
    if (openCallsOf(session.livePath).length > 0) return;
    for (const { kind, text } of this.#waiting.splice(0)) session.writeCustomMessage(kind, text);
  }

  #spend(extension: string): void {
    const nowMs = performance.now();
    const used = this.#used.get(extension);
    if (used === undefined || nowMs - used.startMs > WINDOW_MS) {
      this.#used.set(extension, { startMs: nowMs, count: 1 });
      return;
    }
    used.count += 1;
    if (used.count <= MAX_PENDING) return;
    throw refused(
      `Too many entries: at most ${MAX_PENDING} in ${WINDOW_MS / 1000} s go into a session`,
    );
  }
}

function checkKind(kind: string): void {
  if (KIND_REGEXP.test(kind) && !kind.toLowerCase().startsWith("rho.")) return;
  throw refused(
    `Cannot use the kind "${kind}": it must be <author>.<feature>.v<n>, as "ann.notes.v1", ` +
      'and "rho" is taken',
  );
}

function refused(message: string): ExtensionError {
  return new ExtensionError("extension_refused", message);
}
