import type { FromWorker, NetworkGrant, ToHost } from "./messages.ts";

/** Options of {@linkcode WorkerLink}. */
export interface WorkerLinkOptions {
  readonly network: NetworkGrant;
  /** The worker's program. */
  readonly url: string;
  readonly onMessage: (message: FromWorker) => void;
  /** Called when the worker ended by itself, where the runtime tells. */
  readonly onCrash: (message: string) => void;
}

/** Bytes of the area through which answers to host calls reach a blocked worker, at first. */
const FIRST_SHARED_BYTES = 64 * 1024;
/** The most bytes that one answer may have. */
const MAX_SHARED_BYTES = 16 * 1024 * 1024;
/** State, success and length of an answer, in front of its bytes. */
const HEADER_BYTES = 16;
/** Permissions that no worker gets. */
const DENIED = {
  read: false,
  write: false,
  run: false,
  env: false,
  ffi: false,
  sys: false,
  import: false,
} as const;

/** One worker, as the host holds it. */
export class WorkerLink {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #shared = new SharedArrayBuffer(FIRST_SHARED_BYTES, {
    maxByteLength: MAX_SHARED_BYTES,
  });

  /**
   * Starts the worker.
   *
   * @throws when a name among the hosts is none that the runtime accepts.
   */
  constructor(options: WorkerLinkOptions) {
    const net = typeof options.network === "boolean" ? options.network : [...options.network];
    // `deno` is not part of the platform's own type.
    const workerOptions: WorkerOptions & { deno: unknown } = {
      type: "module",
      deno: { permissions: { ...DENIED, net } },
    };
    this.#worker = new Worker(options.url, workerOptions);
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      options.onCrash(event.message);
    });
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = (event: MessageEvent<FromWorker>) => options.onMessage(event.data);
    this.#worker.postMessage({ port: port2, shared: this.#shared }, [port2]);
  }

  /** Passes a message on. */
  send(message: ToHost): void {
    this.#port.postMessage(message);
  }

  /** Wakes the worker with the answer to its host call. */
  reply(ok: boolean, text: string): void {
    let bytes = new TextEncoder().encode(text);
    let isOk = ok;
    if (bytes.length > MAX_SHARED_BYTES - HEADER_BYTES) {
      isOk = false;
      bytes = new TextEncoder().encode("The answer has more than 16 MiB");
    }
    const needed = HEADER_BYTES + bytes.length;
    if (this.#shared.byteLength < needed) this.#shared.grow(needed);
    const header = new Int32Array(this.#shared, 0, 4);
    new Uint8Array(this.#shared, HEADER_BYTES, bytes.length).set(bytes);
    Atomics.store(header, 1, isOk ? 1 : 0);
    Atomics.store(header, 2, bytes.length);
    Atomics.store(header, 0, 1);
    Atomics.notify(header, 0);
  }

  /** Ends the worker, which must not be busy: a busy one goes on burning time. */
  end(): void {
    this.#port.close();
    this.#worker.terminate();
  }
}
