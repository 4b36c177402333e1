import { isSafeId } from "../../core/base/ids.ts";

const FOREIGN_REGEXP = /[^A-Za-z0-9_-]/g;

/** The longest id that every server takes. */
const MAX_UNITS = 64;

/**
 * Gives every call of a request an id of its own. Servers number calls from 0 in each turn or use
 * one id twice (B34), and ids of one protocol hold characters that another refuses (B62); a clean
 * id that comes for the first time stays as it is.
 */
export class WireIds {
  /** For every id in use, the number that its next copy gets. */
  readonly #used = new Map<string, number>();

  /** The id for the next call. */
  next(storedId: string): string {
    const clean = isSafeId(storedId) && storedId.length <= MAX_UNITS
      ? storedId
      : storedId.replace(FOREIGN_REGEXP, "_").slice(0, MAX_UNITS) || "call";
    let id = clean;
    let copy = this.#used.get(clean) ?? 1;
    for (; this.#used.has(id); copy++) {
      const suffix = `_${copy + 1}`;
      id = clean.slice(0, MAX_UNITS - suffix.length) + suffix;
    }
    this.#used.set(clean, copy);
    if (id !== clean) this.#used.set(id, 1);
    return id;
  }
}
