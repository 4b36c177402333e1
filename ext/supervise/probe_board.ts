/** Questions to workers that wait for an answer, each with a time by which it must come. */
export class ProbeBoard {
  readonly #open = new Map<string, (isAnswered: boolean) => void>();

  /** Waits for an answer; `false` when none comes in time. */
  wait(key: string, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isAnswered: boolean) => {
        clearTimeout(timer);
        this.#open.delete(key);
        resolve(isAnswered);
      };
      const timer = setTimeout(() => settle(false), withinMs);
      this.#open.set(key, settle);
    });
  }

  /** Notes an answer. */
  answer(key: string): void {
    this.#open.get(key)?.(true);
  }

  /** Gives up every question. */
  clear(): void {
    for (const settle of [...this.#open.values()]) settle(false);
  }
}
