import type { Diagnostic } from "./diagnostic.ts";

const MAX_KEPT = 500;
const RANK = { error: 0, warning: 1, note: 2 } as const;

/** Collects the findings of one run: each once, however many targets repeat it. */
export class DiagnosticList {
  readonly #byKey = new Map<string, Diagnostic>();
  readonly #counts = { error: 0, warning: 0, note: 0 };

  /** Takes a finding in, or counts it once more. */
  add(diagnostic: Diagnostic): void {
    const key = keyOf(diagnostic);
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      this.#byKey.set(key, { ...known, count: known.count + 1 });
      return;
    }
    this.#counts[diagnostic.level] += 1;
    if (this.#byKey.size < MAX_KEPT || diagnostic.level === "error" && this.#makeRoom()) {
      this.#byKey.set(key, diagnostic);
    }
  }

  /** How many different findings there were, also those that were not kept. */
  get counts(): Readonly<Record<Diagnostic["level"], number>> {
    return this.#counts;
  }

  /** At most 500 findings: errors first, then warnings, each in the order of arrival. */
  sorted(): Diagnostic[] {
    return [...this.#byKey.values()].sort((a, b) => RANK[a.level] - RANK[b.level]);
  }

  /** Drops something that is no error. */
  #makeRoom(): boolean {
    for (const [key, { level }] of this.#byKey) {
      if (level !== "error") return this.#byKey.delete(key);
    }
    return false;
  }
}

function keyOf(diagnostic: Diagnostic): string {
  const { level, code, message, file, line, column } = diagnostic;
  return JSON.stringify([level, code, message, file, line, column]);
}
