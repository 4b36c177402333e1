import type { FromHost, FromWorker, ToHost } from "./messages.ts";
import { WorkerLink } from "./worker_link.ts";
import { workerUrl } from "./worker_text.ts";

/** How often the host looks at its own size, in milliseconds: while something runs, and else. */
const BUSY_TICK_MS = 20;
const IDLE_TICK_MS = 1_000;
/** A change of size that is worth telling, in bytes. */
const TOLD_STEP_BYTES = 2 * 1024 * 1024;

/** The host's side of all workers. It decides nothing: it carries messages and looks at memory. */
export class ExtensionHost {
  readonly #send: (message: FromHost) => void;
  readonly #links = new Map<number, WorkerLink>();
  /** Loads and calls that have no result yet, by generation. */
  readonly #open = new Map<number, number>();
  readonly #url = workerUrl();
  #toldBytes = 0;
  #tick: ReturnType<typeof setTimeout> | undefined;
  #tickMs = IDLE_TICK_MS;

  constructor(send: (message: FromHost) => void) {
    this.#send = send;
    this.#look();
  }

  /** Takes one message of rho. */
  accept(message: ToHost): void {
    if (message.type === "start") return;
    if (message.type === "load") return this.#load(message);
    const link = this.#links.get(message.generation);
    if (link === undefined) return;
    switch (message.type) {
      case "call":
        this.#count(message.generation, 1);
        return link.send(message);
      case "reply":
        return link.reply(message.ok, message.text);
      case "probe":
      case "stop":
        return link.send(message);
    }
  }

  #load(message: ToHost & { readonly type: "load" }): void {
    const { generation } = message;
    try {
      const link = new WorkerLink({
        network: message.network,
        url: this.#url,
        onMessage: (from) => this.#fromWorker(generation, from),
        onCrash: (text) => {
          this.#forget(generation);
          this.#send({ type: "crashed", generation, message: text });
        },
      });
      this.#links.set(generation, link);
      this.#count(generation, 1);
      link.send(message);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#send({ type: "load_failed", generation, message: text, stack: "" });
    }
  }

  #fromWorker(generation: number, message: FromWorker): void {
    if (!this.#links.has(generation)) return;
    switch (message.type) {
      case "loaded":
      case "load_failed":
      case "result":
        this.#count(generation, -1);
        break;
      case "stopped":
        this.#links.get(generation)?.end();
        this.#forget(generation);
        break;
      default:
        break;
    }
    this.#send({ ...message, generation });
  }

  #forget(generation: number): void {
    this.#links.delete(generation);
    this.#open.delete(generation);
  }

  #count(generation: number, step: number): void {
    const count = (this.#open.get(generation) ?? 0) + step;
    if (count > 0) this.#open.set(generation, count);
    else this.#open.delete(generation);
    if (this.#open.size > 0 && this.#tickMs === IDLE_TICK_MS) this.#look();
  }

  /** Tells rho how large the process is, often while something runs. */
  #look(): void {
    clearTimeout(this.#tick);
    const { rss } = Deno.memoryUsage();
    if (Math.abs(rss - this.#toldBytes) >= TOLD_STEP_BYTES) {
      this.#toldBytes = rss;
      this.#send({ type: "memory", rssBytes: rss });
    }
    this.#tickMs = this.#open.size > 0 ? BUSY_TICK_MS : IDLE_TICK_MS;
    this.#tick = setTimeout(() => this.#look(), this.#tickMs);
  }
}
