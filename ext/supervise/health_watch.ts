import type { ExtensionError } from "../extension_error.ts";
import type { ExtensionUnit } from "./extension_unit.ts";
import { MemoryWatch } from "./memory_watch.ts";
import { crashed, overMemory } from "./supervision_errors.ts";
import type { SupervisorLimits } from "./supervisor_limits.ts";

/** What a {@linkcode HealthWatch} can do to extensions. */
export interface HealthActions {
  readonly units: () => Iterable<ExtensionUnit>;
  /** Whether a worker answers within a time. */
  readonly probe: (unit: ExtensionUnit, withinMs: number) => Promise<boolean>;
  /** Replaces a worker that yields. */
  readonly recycle: (unit: ExtensionUnit, error: ExtensionError) => Promise<void>;
  /** Ends the host for a worker that does not. */
  readonly crash: (unit: ExtensionUnit, error: ExtensionError) => void;
}

const MB = 1024 * 1024;

/** Looks after workers that nobody waits for: whether they live, and what memory they hold. */
export class HealthWatch {
  readonly #actions: HealthActions;
  readonly #limits: SupervisorLimits;
  readonly #memory = new MemoryWatch();

  constructor(actions: HealthActions, limits: SupervisorLimits) {
    this.#actions = actions;
    this.#limits = limits;
  }

  /** Starts over with a new host. */
  reset(): void {
    this.#memory.reset();
  }

  /** Looks whether a worker that runs something holds more than it may. */
  weigh(rssBytes: number): void {
    const busy = [...this.#actions.units()].filter((unit) => unit.isBusy);
    this.#memory.note(rssBytes, { isIdle: busy.length === 0 });
    for (const unit of busy) {
      if (!unit.isWeighed && this.#excessMb(unit) > 0) this.#weighUnit(unit);
    }
  }

  /** Asks idle workers whether they live, and all whether they have grown too large. */
  beat(): void {
    for (const unit of this.#actions.units()) {
      if (unit.phase === "ready" && unit.hostCall === undefined) this.#beatUnit(unit);
    }
  }

  #excessMb(unit: ExtensionUnit): number {
    return this.#memory.grownMb([...this.#actions.units()].length) - unit.spec.maxMemoryMb;
  }

  async #weighUnit(unit: ExtensionUnit): Promise<void> {
    unit.isWeighed = true;
    while (await this.#isStillToWeigh(unit));
    unit.isWeighed = false;
  }

  async #isStillToWeigh(unit: ExtensionUnit): Promise<boolean> {
    const { generation, spec } = unit;
    const isAlive = await this.#actions.probe(unit, this.#limits.memoryProbeMs);
    if (unit.generation !== generation || unit.phase === "gone") return false;
    const error = overMemory(spec.name, spec.maxMemoryMb);
    if (isAlive) {
      // While it yields, its own figure counts; the host's may be somebody else's.
      if (unit.heapBytes > spec.maxMemoryMb * MB) await this.#actions.recycle(unit, error);
      return false;
    }
    const excessMb = this.#excessMb(unit);
    if (!unit.isBusy || excessMb <= 0) return false;
    if (excessMb <= this.#limits.memorySlackMb) return true;
    this.#actions.crash(unit, error);
    return false;
  }

  async #beatUnit(unit: ExtensionUnit): Promise<void> {
    const { generation, spec } = unit;
    const isAlive = await this.#actions.probe(unit, this.#limits.heartbeatProbeMs);
    if (unit.generation !== generation || unit.phase !== "ready") return;
    if (isAlive && unit.heapBytes > spec.maxMemoryMb * MB) {
      await this.#actions.recycle(unit, overMemory(spec.name, spec.maxMemoryMb));
    } else if (!isAlive && unit.open.size === 0 && unit.hostCall === undefined) {
      const reason = "it did not answer although nothing was asked of it";
      this.#actions.crash(unit, crashed(spec.name, reason));
    }
  }
}
