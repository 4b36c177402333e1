import type * as v from "valibot";
import { RhoError } from "../base/errors.ts";
import { LineSplitter } from "../base/json_lines.ts";
import { encodeUtf8 } from "../base/text.ts";
import type { RpcErrorObject } from "./rpc_error.ts";
import type { METHOD_SCHEMAS, MethodName } from "./schema/method_schemas.ts";
import type { SESSION_NOTIFICATIONS } from "./schema/session_notifications.ts";
import type { TURN_NOTIFICATIONS } from "./schema/turn_notifications.ts";

type Notifications = typeof SESSION_NOTIFICATIONS & typeof TURN_NOTIFICATIONS;

/** The params of a method. */
export type MethodParams<Name extends MethodName> = v.InferInput<
  (typeof METHOD_SCHEMAS)[Name]["params"]
>;

/** The result of a method. */
export type MethodResult<Name extends MethodName> = v.InferOutput<
  (typeof METHOD_SCHEMAS)[Name]["result"]
>;

/** The params of every notification by its name. */
export type NotificationMap = {
  readonly [Name in keyof Notifications]: v.InferOutput<Notifications[Name]>;
};

/** The name of a notification. */
export type NotificationName = keyof NotificationMap;

/** One notification from rho, a union on `method`. */
export type RpcNotification = {
  [Name in NotificationName]: { readonly method: Name; readonly params: NotificationMap[Name] };
}[NotificationName];

/** A request that rho answered with an error. */
export class RpcCallError extends RhoError {
  /** The JSON-RPC code. */
  readonly rpcCode: number;
  /** The error's `data`. */
  readonly rpcData: unknown;

  constructor(error: RpcErrorObject) {
    super("rpc_call_failed", error.message);
    this.rpcCode = error.code;
    this.rpcData = error.data;
  }
}

/** rho's output ended while something was awaited. */
export class RpcClosedError extends RhoError {
  constructor() {
    super("rpc_closed", "The connection to rho is closed");
  }
}

/** The two ends of a connection to rho. */
export interface RpcStreams {
  /** What rho writes. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What rho reads. */
  readonly writable: WritableStream<Uint8Array>;
}

/** What a client is told besides the answers to its requests. */
export interface RpcListeners {
  /** Gets every notification, in order. */
  readonly onNotification?: (notification: RpcNotification) => void;
  /** Gets every line as it came. */
  readonly onLine?: (line: string) => void;
}

/** How to start rho as a child process. */
export interface SpawnRhoOptions extends RpcListeners {
  /** The program, such as `rho` or `deno`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether `env` is the whole environment. */
  readonly clearEnv?: boolean;
  /** @default {"inherit"} */
  readonly stderr?: "inherit" | "null" | "piped";
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A typed client of rho for TypeScript programs, over a child process or any pair of streams. */
export class RpcClient {
  /** The child process, when the client started one. */
  readonly process: Deno.ChildProcess | undefined;
  /** Settles when rho's output has ended. */
  readonly closed: Promise<void>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners: RpcListeners;
  #isClosed = false;
  #nextId = 1;

  constructor(
    streams: RpcStreams,
    options: RpcListeners & { readonly process?: Deno.ChildProcess } = {},
  ) {
    this.process = options.process;
    this.#listeners = options;
    this.#writer = streams.writable.getWriter();
    this.closed = this.#read(streams.readable);
  }

  /** Starts rho and connects to it. */
  static spawn(options: SpawnRhoOptions): RpcClient {
    const child = new Deno.Command(options.command, {
      args: [...options.args],
      stdin: "piped",
      stdout: "piped",
      stderr: options.stderr ?? "inherit",
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: { ...options.env } }),
      ...(options.clearEnv === undefined ? {} : { clearEnv: options.clearEnv }),
    }).spawn();
    const streams = { readable: child.stdout, writable: child.stdin };
    return new RpcClient(streams, { ...options, process: child });
  }

  /**
   * Sends a request and waits for its result.
   *
   * @throws {RpcCallError} when rho answers with an error.
   * @throws {RpcClosedError} when rho ends before it answers.
   */
  async request<Name extends MethodName>(
    method: Name,
    params: MethodParams<Name>,
  ): Promise<MethodResult<Name>> {
    const id = this.#nextId++;
    const answer = this.#expect<MethodResult<Name>>((pending) => this.#pending.set(id, pending));
    await this.sendLine(JSON.stringify({ jsonrpc: "2.0", method, params, id }));
    return await answer;
  }

  /** Sends one line as it is. A rho that is gone is noticed by what waits for its answer. */
  async sendLine(line: string): Promise<void> {
    await this.sendBytes(encodeUtf8(`${line}\n`));
  }

  /** Sends bytes as they are. */
  async sendBytes(bytes: Uint8Array): Promise<void> {
    try {
      await this.#writer.write(bytes);
    } catch {
      // The reading side tells everybody who waits.
    }
  }

  /** Ends rho's input; rho serves what it has received, then ends. */
  async endInput(): Promise<void> {
    try {
      await this.#writer.close();
    } catch {
      // It has ended already.
    }
  }

  /** Ends the input and waits for the end of the output, and of the process if there is one. */
  async close(): Promise<Deno.CommandStatus | undefined> {
    await this.endInput();
    await this.closed;
    return await this.process?.status;
  }

  #expect<Value>(register: (pending: Pending) => void): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (this.#isClosed) return reject(new RpcClosedError());
      register({ resolve: (result) => resolve(result as Value), reject });
    });
  }

  async #read(readable: ReadableStream<Uint8Array>): Promise<void> {
    const splitter = new LineSplitter({ maxBytes: Number.MAX_SAFE_INTEGER });
    try {
      for await (const chunk of readable) this.#take(splitter.push(chunk));
      this.#take(splitter.end());
    } finally {
      this.#isClosed = true;
      for (const { reject } of this.#pending.values()) reject(new RpcClosedError());
      this.#pending.clear();
    }
  }

  #take(lines: ReturnType<LineSplitter["push"]>): void {
    for (const line of lines) {
      if (line.type !== "line" || line.text === "") continue;
      this.#listeners.onLine?.(line.text);
      const value: unknown = JSON.parse(line.text);
      for (const message of Array.isArray(value) ? value : [value]) this.#dispatch(message);
    }
  }

  #dispatch(message: Record<string, unknown>): void {
    if (typeof message.method === "string") {
      const { method, params } = message;
      this.#listeners.onNotification?.({ method, params } as RpcNotification);
      return;
    }
    const pending = this.#pending.get(Number(message.id));
    if (pending === undefined) return;
    this.#pending.delete(Number(message.id));
    if (message.error === undefined) pending.resolve(message.result);
    else pending.reject(new RpcCallError(message.error as RpcErrorObject));
  }
}
