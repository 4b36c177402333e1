import type { CallKind, NetworkGrant } from "../host/messages.ts";

/** What the supervisor needs to run an extension. */
export interface UnitSpec {
  readonly name: string;
  /** The linked module in base64. */
  readonly code: string;
  readonly network: NetworkGrant;
  readonly maxMemoryMb: number;
  readonly maxExecutionMs: number;
}

/** Something that an extension is asked to run. */
export interface CallRequest {
  readonly kind: CallKind;
  /** The name of the tool, hook or command. */
  readonly target: string;
  /** JSON text. */
  readonly payload: string;
  /** The most time that it has; the extension's own limit if that is less. */
  readonly timeoutMs?: number;
  /** Whether it may run a second time when another extension took the host down. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal;
}

/** A call that has no answer yet. */
export interface OpenCall {
  readonly id: number;
  readonly request: CallRequest;
  readonly timeoutMs: number;
  readonly resolve: (text: string) => void;
  readonly reject: (error: unknown) => void;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** It has called rho or the network, so running it again would do something twice. */
  isTouched: boolean;
  isRepeated: boolean;
}

/**
 * Where an extension stands: `loading` also after a restart, `failed` when its code cannot be
 * loaded, `disabled` after too many crashes.
 */
export type UnitPhase = "loading" | "ready" | "failed" | "disabled" | "gone";

/** One extension, as the supervisor keeps it over all restarts. */
export class ExtensionUnit {
  readonly spec: UnitSpec;
  phase: UnitPhase = "loading";
  /** Why it failed or was disabled. */
  reason = "";
  generation = 0;
  /** Calls that the worker runs, by id. */
  readonly open = new Map<number, OpenCall>();
  /** Calls that wait until the worker is there. */
  waiting: OpenCall[] = [];
  /** Set while the worker is blocked in a call to rho. */
  hostCall: AbortController | undefined;
  /** The manifest as JSON text, once the module was loaded for the first time. */
  readonly manifest = Promise.withResolvers<string>();
  /** Ends the wait for the module of this generation. */
  loaded: PromiseWithResolvers<string> | undefined;
  /** Whether its `onLoad` hook runs again after a restart. */
  hasOnLoad = false;
  heapBytes = 0;
  /** Somebody is finding out whether it still answers, after a time limit or for its memory. */
  isUnwedged = false;
  isWeighed = false;
  readonly crashesMs: number[] = [];

  constructor(spec: UnitSpec) {
    this.spec = spec;
    // A load that fails while nobody waits for it is told by the phase.
    this.manifest.promise.catch(() => {});
  }

  /** Whether its code may be running at this moment. */
  get isBusy(): boolean {
    return this.hostCall === undefined && (this.open.size > 0 || this.loaded !== undefined);
  }

  /** Fails all calls, those that wait included. */
  failAll(error: Error): void {
    for (const call of [...this.open.values(), ...this.waiting]) {
      clearTimeout(call.timer);
      call.reject(error);
    }
    this.open.clear();
    this.waiting = [];
  }

  /** Fails everything: the extension leaves. */
  letGo(error: Error): void {
    this.phase = "gone";
    this.hostCall?.abort(error);
    this.hostCall = undefined;
    this.manifest.reject(error);
    this.loaded?.reject(error);
    this.loaded?.promise.catch(() => {});
    this.failAll(error);
  }

  /** Notes a crash; whether there were too many. */
  addCrash(nowMs: number, limits: { maxCrashes: number; crashWindowMs: number }): boolean {
    this.crashesMs.push(nowMs);
    return this.crashesMs.filter((at) => nowMs - at <= limits.crashWindowMs).length >=
      limits.maxCrashes;
  }
}
