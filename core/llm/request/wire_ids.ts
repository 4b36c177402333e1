const WIRE_ID_REGEXP = /^[A-Za-z0-9_-]{1,40}$/;

/**
 * Names tool calls for one request: short, of letters that every server takes, and each its own,
 * also where stored ids repeat or come from another protocol. The same history always gives the
 * same names, and a longer one gives its start the same names.
 */
export class WireIds {
  readonly #used = new Set<string>();
  /** Calls of the latest assistant message that have no result yet, by stored id. */
  #open = new Map<string, string[]>();
  #ordinal = 0;

  /** Begins an assistant message; results that follow belong to its calls. */
  beginMessage(): void {
    this.#open = new Map();
  }

  /** The wire's id for a call. */
  forCall(storedId: string): string {
    this.#ordinal += 1;
    const fits = WIRE_ID_REGEXP.test(storedId) && !this.#used.has(storedId);
    let id = fits ? storedId : `call_${this.#ordinal}`;
    for (let more = 2; this.#used.has(id); more++) id = `call_${this.#ordinal}_${more}`;
    this.#used.add(id);
    const waiting = this.#open.get(storedId);
    if (waiting === undefined) this.#open.set(storedId, [id]);
    else waiting.push(id);
    return id;
  }

  /** The wire's id for a result, or `undefined` when no call waits for it. */
  forResult(storedId: string): string | undefined {
    return this.#open.get(storedId)?.shift();
  }
}
