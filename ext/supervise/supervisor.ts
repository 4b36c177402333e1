import { type Clock, SYSTEM_CLOCK } from "../../core/base/clock.ts";
import { errorMessage } from "../../core/base/errors.ts";
import { type Logger, SILENT_LOGGER } from "../../core/base/log.ts";
import { ExtensionError } from "../extension_error.ts";
import type { FromHost, ToHost } from "../host/messages.ts";
import { type CallRequest, ExtensionUnit, type OpenCall, type UnitSpec } from "./extension_unit.ts";
import { HealthWatch } from "./health_watch.ts";
import { ProbeBoard } from "./probe_board.ts";
import { crashed, interrupted, notRunning, overMemory, overTime } from "./supervision_errors.ts";
import { type RunningHost, startHost } from "./running_host.ts";
import type { SupervisorOptions } from "./supervisor_options.ts";
import { SUPERVISOR_LIMITS, type SupervisorLimits } from "./supervisor_limits.ts";

/** The longest that `onLoad` may take after a restart, in milliseconds. */
const ON_LOAD_MS = 5_000;

/**
 * Keeps extensions running and rho unharmed by them: starts the host, carries calls, enforces time
 * and memory, and brings back what a runaway extension took down.
 *
 * A worker that yields can be ended alone. One that does not (a loop, a regular expression) can
 * only be ended with the whole host: it is killed and started again, and the others come back.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #limits: SupervisorLimits;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #units = new Map<string, ExtensionUnit>();
  readonly #byGeneration = new Map<number, ExtensionUnit>();
  readonly #probes = new ProbeBoard();
  readonly #health: HealthWatch;
  readonly #endedHosts = new Set<Promise<void>>();
  #host: RunningHost | undefined;
  #lastNumber = 0;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#limits = { ...SUPERVISOR_LIMITS, ...options.limits };
    this.#logger = options.logger ?? SILENT_LOGGER;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#health = new HealthWatch({
      units: () => this.#units.values(),
      probe: (unit, withinMs) => this.#probe(unit, withinMs),
      recycle: async (unit, error) => {
        if (!this.#isClosed) await this.#recycle(unit, error, { isCrash: true });
      },
      crash: (unit, error) => {
        if (this.#isClosed) return;
        if (unit.loaded !== undefined) this.#failLoad(unit, error);
        this.#crash([unit], error);
      },
    }, this.#limits);
  }

  /** The process id of the host, if one runs. */
  get hostPid(): number | undefined {
    return this.#host?.process.pid;
  }

  /** Where an extension stands, and why, when it does not run. */
  state(name: string): { readonly phase: ExtensionUnit["phase"]; readonly reason: string } {
    const unit = this.#units.get(name);
    return { phase: unit?.phase ?? "gone", reason: unit?.reason ?? "" };
  }

  /**
   * Starts an extension in a worker of its own.
   *
   * @returns its manifest as JSON text.
   * @throws {ExtensionError} when its module throws, or takes too much time or memory.
   */
  load(spec: UnitSpec): Promise<string> {
    const unit = new ExtensionUnit(spec);
    this.#units.set(spec.name, unit);
    this.#bringUp(unit);
    return unit.manifest.promise;
  }

  /** Says that an extension has an `onLoad` hook, which runs again after a restart. */
  noteOnLoad(name: string): void {
    const unit = this.#units.get(name);
    if (unit !== undefined) unit.hasOnLoad = true;
  }

  /** Ends an extension; its calls fail. */
  async unload(name: string): Promise<void> {
    const unit = this.#units.get(name);
    if (unit === undefined) return;
    this.#units.delete(name);
    const isRunning = unit.phase === "ready" || unit.phase === "loading";
    unit.letGo(notRunning(name, "it was unloaded"));
    if (this.#units.size === 0) return await this.#closeHost();
    if (isRunning && !await this.#stopWorker(unit)) {
      this.#restartHost([], `"${name}" did not stop`);
    }
  }

  /**
   * Runs a tool, hook or command of an extension.
   *
   * @returns the result as JSON text.
   * @throws {ExtensionError} with what went wrong; the signal's reason when it is aborted.
   */
  call(name: string, request: CallRequest): Promise<string> {
    const unit = this.#units.get(name);
    if (unit === undefined) return Promise.reject(notRunning(name, "it is not loaded"));
    if (unit.phase === "failed" || unit.phase === "disabled") {
      return Promise.reject(notRunning(name, unit.reason));
    }
    const { signal } = request;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const { call, result } = this.#newCall(unit, request);
    // What comes while a worker is found out about is for the next one.
    if (unit.phase === "ready" && !unit.isUnwedged) this.#dispatch(unit, call);
    else unit.waiting.push(call);
    if (signal === undefined) return result;
    // An abort answers at once; the call itself stays under its limit until it ends.
    const onAbort = () => call.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    return result.finally(() => signal.removeEventListener("abort", onAbort));
  }

  /** Ends everything; calls that run fail. Nothing is left afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [name, unit] of this.#units) unit.letGo(notRunning(name, "rho ends"));
    this.#units.clear();
    await this.#closeHost();
    await Promise.all(this.#endedHosts);
  }

  async #closeHost(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    const host = this.#host;
    this.#host = undefined;
    this.#probes.clear();
    host?.ready.reject(new ExtensionError("extension_gone", "The extension host was closed"));
    await host?.process.close();
  }

  #ensureHost(): RunningHost {
    if (this.#host !== undefined) return this.#host;
    const heapMb = Math.max(...[...this.#units.values()].map(({ spec }) => spec.maxMemoryMb));
    const host: RunningHost = startHost({
      launch: this.#options.launch(heapMb * 2 + 64),
      startMs: this.#limits.hostStartMs,
      onMessage: (message) => {
        if (this.#host === host) this.#accept(message);
      },
      onExit: (end) => this.#onHostExit(host, end),
    });
    this.#host = host;
    this.#health.reset();
    this.#heartbeat ??= setInterval(() => this.#health.beat(), this.#limits.heartbeatMs);
    return host;
  }

  /** Loads an extension, also again: then runs its `onLoad`, and what waits for it. */
  async #bringUp(unit: ExtensionUnit): Promise<void> {
    if (unit.phase !== "ready" && unit.phase !== "loading") return;
    unit.phase = "loading";
    const loaded = Promise.withResolvers<string>();
    unit.loaded = loaded;
    const generation = ++this.#lastNumber;
    unit.generation = generation;
    this.#byGeneration.set(generation, unit);
    const isStale = () => unit.generation !== generation || unit.phase !== "loading";
    const timer = setTimeout(() => this.#onLoadTimeout(unit), this.#loadMs(unit));
    try {
      const host = this.#ensureHost();
      await Promise.race([host.ready.promise, loaded.promise]);
      if (isStale()) return;
      const { network, code } = unit.spec;
      host.process.send({ type: "load", generation, network, code });
      const manifest = await loaded.promise;
      if (isStale()) return;
      unit.loaded = undefined;
      unit.manifest.resolve(manifest);
      if (unit.hasOnLoad) await this.#runOnLoad(unit);
      if (isStale()) return;
      unit.phase = "ready";
      for (const call of unit.waiting.splice(0)) this.#dispatch(unit, call);
    } catch (error) {
      // A newer start has taken over otherwise.
      if (!isStale()) await this.#giveUp(unit, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The module cannot be loaded; what is left of its worker is ended. */
  async #giveUp(unit: ExtensionUnit, error: unknown): Promise<void> {
    this.#failLoad(unit, error);
    const { name } = unit.spec;
    this.#logger.debug(`Extension "${name}" was not loaded: ${errorMessage(error)}`);
    if (this.#host === undefined || await this.#stopWorker(unit) || this.#isClosed) return;
    this.#restartHost([unit], `"${name}" did not stop`);
  }

  #loadMs(unit: ExtensionUnit): number {
    return Math.max(unit.spec.maxExecutionMs, this.#limits.leastLoadMs);
  }

  #onLoadTimeout(unit: ExtensionUnit): void {
    if (unit.loaded === undefined) return;
    const timeoutMs = this.#loadMs(unit);
    const error = overTime(unit.spec.name, { what: "loading", timeoutMs });
    this.#failLoad(unit, error);
    this.#unwedge(unit, error);
  }

  #failLoad(unit: ExtensionUnit, error: unknown): void {
    unit.phase = "failed";
    unit.reason = errorMessage(error);
    unit.manifest.reject(error);
    unit.loaded?.reject(error);
    unit.loaded?.promise.catch(() => {});
    unit.loaded = undefined;
    unit.failAll(notRunning(unit.spec.name, unit.reason));
  }

  async #runOnLoad(unit: ExtensionUnit): Promise<void> {
    const { call, result } = this.#newCall(unit, {
      kind: "hook",
      target: "onLoad",
      payload: "{}",
      timeoutMs: ON_LOAD_MS,
    });
    this.#dispatch(unit, call);
    await result.catch((error) =>
      this.#logger.warn(`Extension "${unit.spec.name}": onLoad failed: ${errorMessage(error)}`)
    );
  }

  #newCall(
    unit: ExtensionUnit,
    request: CallRequest,
  ): { readonly call: OpenCall; readonly result: Promise<string> } {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const call: OpenCall = {
      id: ++this.#lastNumber,
      request,
      timeoutMs: Math.min(request.timeoutMs ?? Infinity, unit.spec.maxExecutionMs),
      resolve,
      reject,
      timer: undefined,
      isTouched: false,
      isRepeated: false,
    };
    // The time of the call itself begins when it is sent; waiting for a worker is bounded, too.
    const waitMs = call.timeoutMs + this.#limits.leastLoadMs;
    call.timer = setTimeout(() => this.#onTimeout(unit, call), waitMs);
    return { call, result: promise };
  }

  #dispatch(unit: ExtensionUnit, call: OpenCall): void {
    const { kind, target, payload } = call.request;
    const { generation } = unit;
    unit.open.set(call.id, call);
    clearTimeout(call.timer);
    call.timer = setTimeout(() => this.#onTimeout(unit, call), call.timeoutMs);
    this.#send({ type: "call", generation, id: call.id, kind, target, payload });
  }

  #send(message: ToHost): void {
    this.#host?.process.send(message);
  }

  #accept(message: FromHost): void {
    if (message.type === "ready") return this.#host?.ready.resolve();
    if (message.type === "memory") return this.#health.weigh(message.rssBytes);
    const unit = this.#byGeneration.get(message.generation);
    if (unit === undefined) {
      return this.#logger.debug(`Dropped "${message.type}" of an ended extension worker`);
    }
    const { name } = unit.spec;
    switch (message.type) {
      case "loaded":
        return unit.loaded?.resolve(message.manifest);
      case "load_failed": {
        const { message: text, stack } = message;
        const error = new ExtensionError("extension_load", text, { data: { stack } });
        return unit.loaded?.reject(error);
      }
      case "result":
        return this.#finish(unit, message);
      case "host_call":
        this.#serve(unit, message);
        return;
      case "log": {
        const { level, message: text } = message;
        return this.#options.onLog({ extension: name, level, message: text });
      }
      case "alive":
        unit.heapBytes = message.heapBytes;
        return this.#probes.answer(`alive ${message.nonce}`);
      case "stopped":
        return this.#probes.answer(`stopped ${message.generation}`);
      case "crashed":
        this.#replace(unit, crashed(name, message.message), { isCrash: true });
        return;
    }
  }

  #finish(unit: ExtensionUnit, result: FromHost & { readonly type: "result" }): void {
    const call = unit.open.get(result.id);
    if (call === undefined) return;
    unit.open.delete(call.id);
    clearTimeout(call.timer);
    if (result.ok) return call.resolve(result.text);
    const { text, stack } = result;
    call.reject(new ExtensionError("extension_failed", text, { data: { stack } }));
  }

  async #serve(
    unit: ExtensionUnit,
    call: FromHost & { readonly type: "host_call" },
  ): Promise<void> {
    const { generation } = call;
    const controller = new AbortController();
    unit.hostCall = controller;
    for (const open of unit.open.values()) open.isTouched = true;
    let ok = true;
    let text = "";
    try {
      const args: unknown = JSON.parse(call.args);
      const value = await this.#options.serve(
        { extension: unit.spec.name, name: call.name, args: Array.isArray(args) ? args : [] },
        { signal: controller.signal },
      );
      text = value === undefined ? "" : JSON.stringify(value);
    } catch (error) {
      ok = false;
      text = errorMessage(error);
    }
    if (unit.generation !== generation || unit.hostCall !== controller) return;
    unit.hostCall = undefined;
    this.#send({ type: "reply", generation, ok, text });
  }

  #onTimeout(unit: ExtensionUnit, call: OpenCall): void {
    const what = `"${call.request.target}"`;
    const error = overTime(unit.spec.name, { what, timeoutMs: call.timeoutMs });
    const isRunning = unit.open.delete(call.id);
    unit.waiting = unit.waiting.filter((one) => one !== call);
    call.reject(error);
    if (isRunning) this.#unwedge(unit, error);
  }

  /** Gets a worker going again in which something takes too long. */
  async #unwedge(unit: ExtensionUnit, error: ExtensionError): Promise<void> {
    if (unit.isUnwedged) return;
    const { generation } = unit;
    unit.isUnwedged = true;
    unit.hostCall?.abort(error);
    const isAlive = await this.#probe(unit, this.#limits.probeMs);
    unit.isUnwedged = false;
    if (this.#isClosed || unit.generation !== generation) return;
    if (isAlive) await this.#recycle(unit, error, { isCrash: false });
    else this.#crash([unit], error);
  }

  /** Ends one worker that yields and starts it again; the others notice nothing. */
  async #recycle(
    unit: ExtensionUnit,
    error: ExtensionError,
    { isCrash }: { readonly isCrash: boolean },
  ): Promise<void> {
    const { generation } = unit;
    const isStopped = await this.#stopWorker(unit);
    if (this.#isClosed || unit.generation !== generation) return;
    if (!isStopped) return this.#crash([unit], error);
    this.#replace(unit, error, { isCrash });
  }

  /** Starts a worker again whose last one is gone. */
  #replace(
    unit: ExtensionUnit,
    error: ExtensionError,
    { isCrash }: { readonly isCrash: boolean },
  ): void {
    this.#setAside(unit, isCrash ? error : undefined);
    if (isCrash) this.#countCrash(unit, error);
    this.#bringUp(unit);
  }

  /** Counts a crash of some extensions and starts a new host. */
  #crash(culprits: readonly ExtensionUnit[], error: ExtensionError): void {
    for (const unit of culprits) {
      this.#setAside(unit, error);
      this.#countCrash(unit, error);
    }
    this.#restartHost(culprits, error.message);
  }

  #countCrash(unit: ExtensionUnit, error: ExtensionError): void {
    this.#logger.warn(error.message);
    if (unit.phase === "failed" || unit.phase === "gone") return;
    if (!unit.addCrash(this.#clock.monotonicMs(), this.#limits)) return;
    unit.phase = "disabled";
    unit.reason = `it crashed ${this.#limits.maxCrashes} times in a short time; the last time: ` +
      error.message;
    unit.failAll(notRunning(unit.spec.name, unit.reason));
    this.#logger.warn(`The extension "${unit.spec.name}" is disabled: ${unit.reason}`);
  }

  #restartHost(culprits: readonly ExtensionUnit[], reason: string): void {
    const old = this.#host;
    this.#host = undefined;
    if (old !== undefined) {
      old.process.kill();
      old.ready.reject(new ExtensionError("extension_interrupted", reason));
      this.#endedHosts.add(old.process.ended);
      old.process.ended.then(() => this.#endedHosts.delete(old.process.ended));
    }
    if (this.#isClosed) return;
    this.#logger.debug(`Restarting the extension host: ${reason}`);
    for (const unit of this.#units.values()) {
      if (!culprits.includes(unit)) this.#setAside(unit, undefined);
      this.#bringUp(unit);
    }
  }

  /** Takes the calls of a worker that is gone: some run again, the rest fails. */
  #setAside(unit: ExtensionUnit, blame: ExtensionError | undefined): void {
    this.#byGeneration.delete(unit.generation);
    unit.generation = 0;
    unit.hostCall?.abort(blame);
    unit.hostCall = undefined;
    unit.loaded?.reject(blame ?? interrupted(unit.spec.name));
    unit.loaded?.promise.catch(() => {});
    unit.loaded = undefined;
    for (const call of unit.open.values()) {
      const mayRepeat = blame === undefined && call.request.isRepeatable === true &&
        !call.isTouched && !call.isRepeated;
      if (mayRepeat) {
        call.isRepeated = true;
        unit.waiting.push(call);
        continue;
      }
      clearTimeout(call.timer);
      call.reject(blame ?? interrupted(unit.spec.name));
    }
    unit.open.clear();
  }

  /** Whether a worker answers within a time: one that does not is busy or gone. */
  #probe(unit: ExtensionUnit, withinMs: number): Promise<boolean> {
    const nonce = ++this.#lastNumber;
    const answer = this.#probes.wait(`alive ${nonce}`, withinMs);
    this.#send({ type: "probe", generation: unit.generation, nonce });
    return answer;
  }

  /** Ends a worker in order; whether it did end. */
  async #stopWorker(unit: ExtensionUnit): Promise<boolean> {
    const { generation } = unit;
    const answer = this.#probes.wait(`stopped ${generation}`, this.#limits.probeMs);
    this.#send({ type: "stop", generation });
    const isStopped = await answer;
    this.#byGeneration.delete(generation);
    return isStopped;
  }

  /** A host that ended by itself: most likely somebody's heap was full. */
  #onHostExit(host: RunningHost, end: { exitCode: number; stderr: string }): void {
    const lastWords = end.stderr.trimEnd().split("\n").at(-1) ?? "";
    host.ready.reject(
      new ExtensionError("extension_load", `The extension host ended: ${lastWords}`),
    );
    if (this.#host !== host || this.#isClosed) return;
    this.#logger.debug(`The extension host ended with ${end.exitCode}: ${end.stderr}`);
    this.#host = undefined;
    const units = [...this.#units.values()];
    const busy = units.filter((unit) => unit.isBusy);
    const largest = units.toSorted((a, b) => b.heapBytes - a.heapBytes).slice(0, 1);
    const culprits = busy.length > 0 ? busy : largest;
    for (const unit of culprits) {
      const error = overMemory(unit.spec.name, unit.spec.maxMemoryMb);
      if (unit.loaded !== undefined) this.#failLoad(unit, error);
      this.#setAside(unit, error);
      this.#countCrash(unit, error);
    }
    this.#restartHost(culprits, "it ended by itself");
  }
}
