const MB = 1024 * 1024;

/** What a host without workers takes, and what each idle worker adds, in MB; generously. */
const HOST_MB = 45;
const WORKER_MB = 16;

/** How much larger the host is than it was while nothing ran in it. */
export class MemoryWatch {
  #rssBytes = 0;
  #idleBytes = 0;

  /** Notes the host's resident size. */
  note(rssBytes: number, now: { readonly isIdle: boolean }): void {
    this.#rssBytes = rssBytes;
    if (now.isIdle) this.#idleBytes = rssBytes;
  }

  /** Starts over with a new host. */
  reset(): void {
    this.#rssBytes = 0;
    this.#idleBytes = 0;
  }

  /** What running code has added, in MB; an estimate, since memory is freed late. */
  grownMb(workers: number): number {
    const idleMb = Math.max(this.#idleBytes / MB, HOST_MB + WORKER_MB * workers);
    return this.#rssBytes / MB - idleMb;
  }
}
