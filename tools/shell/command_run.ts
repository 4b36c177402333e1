import { delay } from "../../core/base/abort.ts";
import type { CommandEnd, CommandOutcome } from "./command_outcome.ts";
import type { CommandOutput } from "./command_output.ts";
import type { CommandRegistry, RunningCommand } from "./command_registry.ts";

/** Options of a {@linkcode CommandRun}. */
export interface CommandRunOptions {
  readonly commands: CommandRegistry;
  readonly stdout: CommandOutput;
  /** Absent when stderr joins stdout. */
  readonly stderr?: CommandOutput;
  /** The most time the command has, in milliseconds; no limit when absent. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** What a run finds out; the spawner adds time and output. */
export type CommandRunResult = Pick<CommandOutcome, "end" | "backgroundPids" | "isOutputHeld">;

/** How long output may stay open after the command itself has ended. */
const DRAIN_MS = 300;
/** One more turn for bytes that came while the event loop was busy. */
const LAST_CHANCE_MS = 15;
/** Time for what was printing to end by the closed pipe, so that it is not reported as running. */
const CLOSED_PIPE_MS = 20;
/** How long to wait for the exit status of a killed process. */
const STATUS_WITHIN_MS = 1000;
/** Within this time process ids do not wrap around twice. */
const RECENT_MS = 5000;
const READ_BYTES = 65_536;

/** Watches over one started command until it has ended, whatever ends it. */
export class CommandRun implements RunningCommand {
  readonly ended: Promise<void>;
  readonly #child: Deno.ChildProcess;
  readonly #options: CommandRunOptions;
  readonly #stopped = Promise.withResolvers<void>();
  readonly #finished = Promise.withResolvers<void>();
  /** The first cause; it never changes once it is set. */
  #end: CommandEnd | undefined;
  readonly #startMs: number;

  constructor(child: Deno.ChildProcess, options: CommandRunOptions) {
    this.#child = child;
    this.#options = options;
    this.ended = this.#finished.promise;
    this.#startMs = options.commands.clock.monotonicMs();
    options.commands.add(this);
  }

  /** Ends the command as aborted, unless it is ending already. */
  stop(): void {
    this.#stop({ reason: "aborted" });
  }

  /** Waits for the end. Call it once. */
  async result(): Promise<CommandRunResult> {
    const { signal, timeoutMs } = this.#options;
    const onAbort = () => this.stop();
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = timeoutMs === undefined
      ? undefined
      : setTimeout(() => this.#stop({ reason: "timeout", timeoutMs }), timeoutMs);
    const readers = this.#readers();
    const drained = Promise.all(readers.map(({ pump }) => pump));
    try {
      if (signal?.aborted) this.stop();
      const end = await this.#untilEnd();
      const isOutputHeld = !(await settlesWithin(drained, DRAIN_MS));
      if (isOutputHeld) {
        await Promise.all(readers.map(({ reader }) => reader.cancel()));
        await delay(CLOSED_PIPE_MS);
      }
      await drained;
      return { end, isOutputHeld, backgroundPids: await this.#settle() };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#finished.resolve();
    }
  }

  #stop(end: CommandEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#options.commands.endGroup(this.#child.pid).then(this.#stopped.resolve);
  }

  async #untilEnd(): Promise<CommandEnd> {
    const status = await Promise.race([this.#child.status, this.#stopped.promise]);
    if (this.#end === undefined && status) this.#end = naturalEnd(status);
    const end = this.#end ?? { reason: "aborted" };
    if (end.reason !== "exit" && end.reason !== "signal") {
      await this.#stopped.promise;
      await settlesWithin(this.#child.status, STATUS_WITHIN_MS);
    }
    return end;
  }

  /** Leaves what goes on in the background to the registry, or ends the watcher. */
  async #settle(): Promise<number[]> {
    const { commands } = this.#options;
    const leader = this.#child.pid;
    const release = () => this.#release();
    const isRecent = commands.clock.monotonicMs() - this.#startMs < RECENT_MS;
    const pids = await commands.control.members(leader, { isRecent });
    if (pids.length > 0) commands.keep({ leader, release });
    else await release();
    await commands.prune();
    return pids;
  }

  async #release(): Promise<void> {
    if (!this.#options.commands.control.isWatched) return;
    const writer = this.#child.stdin.getWriter();
    try {
      await writer.write(new Uint8Array([0x71, 0x0a]));
      await writer.close();
    } catch {
      // The watcher is gone already; the pipe is closed all the same.
    }
  }

  #readers() {
    const { stdout, stderr } = this.#options;
    const readers = [startReading(this.#child.stdout, stdout)];
    if (stderr !== undefined) readers.push(startReading(this.#child.stderr, stderr));
    return readers;
  }
}

function naturalEnd(status: Deno.CommandStatus): CommandEnd {
  return status.signal === null
    ? { reason: "exit", exitCode: status.code }
    : { reason: "signal", signal: status.signal, exitCode: status.code };
}

function startReading(stream: ReadableStream<Uint8Array<ArrayBuffer>>, output: CommandOutput) {
  const reader = stream.getReader({ mode: "byob" });
  return { reader, pump: pump(reader, output) };
}

// One buffer for the whole stream: a flood would otherwise leave one behind for every read.
async function pump(reader: ReadableStreamBYOBReader, output: CommandOutput): Promise<void> {
  let buffer = new ArrayBuffer(READ_BYTES);
  try {
    for (;;) {
      const { value, done } = await reader.read(new Uint8Array(buffer));
      if (done || value === undefined) return;
      output.push(value);
      buffer = value.buffer;
    }
  } catch {
    // A read error means what the end means: nothing more comes.
  }
}

async function settlesWithin(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => {
      timer = setTimeout(() => resolve(false), LAST_CHANCE_MS);
    }, withinMs - LAST_CHANCE_MS);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
