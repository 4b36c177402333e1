import { delay } from "../../core/base/abort.ts";
import { type Clock, SYSTEM_CLOCK } from "../../core/base/clock.ts";
import { posixControl } from "./posix_control.ts";
import type { ProcessControl } from "./process_control.ts";
import { windowsControl } from "./windows_control.ts";

/** A call that runs, as its registry sees it. */
export interface RunningCommand {
  /** Ends it as an abort would; later causes change nothing. */
  readonly stop: () => void;
  /** Settles when it has ended; never rejects. */
  readonly ended: Promise<void>;
}

/** What goes on living after its call has ended. */
export interface BackgroundGroup {
  readonly leader: number;
  /** Ends the watcher of the group, and what is left of the group with it. */
  readonly release: () => Promise<void>;
}

/** Options of a {@linkcode CommandRegistry}. */
export interface CommandRegistryOptions {
  /** How processes are ended here. */
  readonly control?: ProcessControl;
  /**
   * Time between asking a group to end and ending it, in milliseconds.
   * @default {2000}
   */
  readonly graceMs?: number;
  /** Where durations come from. */
  readonly clock?: Clock;
}

const DEFAULT_GRACE_MS = 2000;
/** How long to wait for a killed group; only processes stuck in the kernel take longer. */
const KILLED_WITHIN_MS = 1000;
const PRUNE_EVERY_MS = 10_000;
const LONGEST_POLL_MS = 50;

/**
 * Owns every process that rho starts: running calls, and what their commands left in the
 * background, which lives as long as rho does.
 *
 * rho awaits {@linkcode killAll} before it exits. Should it not come to that (a crash, `kill -9`),
 * the watchers of the groups do the same.
 */
export class CommandRegistry {
  readonly control: ProcessControl;
  readonly clock: Clock;
  readonly #graceMs: number;
  readonly #running = new Set<RunningCommand>();
  readonly #background = new Set<BackgroundGroup>();
  #isClosed = false;
  #prunedMs = -Infinity;

  constructor(options: CommandRegistryOptions = {}) {
    this.control = options.control ??
      (Deno.build.os === "windows" ? windowsControl() : posixControl());
    this.clock = options.clock ?? SYSTEM_CLOCK;
    this.#graceMs = options.graceMs ?? DEFAULT_GRACE_MS;
  }

  /** Whether {@linkcode killAll} was called; nothing is started from then on. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Calls that run and groups that go on in the background. */
  get counts(): { readonly running: number; readonly background: number } {
    return { running: this.#running.size, background: this.#background.size };
  }

  /** Takes a call in; it leaves by itself when it has ended. */
  add(call: RunningCommand): void {
    this.#running.add(call);
    call.ended.then(() => this.#running.delete(call));
    if (this.#isClosed) call.stop();
  }

  /** Takes over what a finished call left in the background. */
  keep(group: BackgroundGroup): void {
    this.#background.add(group);
  }

  /** Lets go of background groups that have ended meanwhile; looks at most every 10 seconds. */
  async prune(): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    if (this.#background.size === 0 || nowMs < this.#prunedMs + PRUNE_EVERY_MS) return;
    this.#prunedMs = nowMs;
    for (const group of this.#background) {
      if ((await this.control.members(group.leader)).length > 0) continue;
      if (this.#background.delete(group)) await group.release();
    }
  }

  /** Ends a group: asks, waits, kills, and waits until nothing of it is left. Never rejects. */
  async endGroup(leader: number): Promise<void> {
    await this.control.terminate(leader);
    await this.#waitUntilGone(leader, this.#graceMs);
    // Also when nothing is left: the group's watcher ends only this way.
    await this.control.kill(leader);
    await this.#waitUntilGone(leader, KILLED_WITHIN_MS);
  }

  /** Ends everything and starts nothing from then on. Call it before rho exits. Never rejects. */
  async killAll(): Promise<void> {
    this.#isClosed = true;
    const calls = [...this.#running];
    for (const call of calls) call.stop();
    await Promise.all(calls.map((call) => call.ended));
    const groups = [...this.#background];
    this.#background.clear();
    await Promise.all(groups.map(async (group) => {
      await this.endGroup(group.leader);
      await group.release();
    }));
  }

  async #waitUntilGone(leader: number, withinMs: number): Promise<void> {
    const deadlineMs = this.clock.monotonicMs() + withinMs;
    for (let waitMs = 2;; waitMs = Math.min(waitMs * 2, LONGEST_POLL_MS)) {
      if ((await this.control.members(leader)).length === 0) return;
      const leftMs = deadlineMs - this.clock.monotonicMs();
      if (leftMs <= 0) return;
      await delay(Math.min(waitMs, leftMs));
    }
  }
}
