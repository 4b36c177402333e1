import type { Logger } from "../base/log.ts";
import { nearestName } from "../base/text.ts";
import { type RpcCall, rpcFailure, type RpcId, type RpcIncoming } from "./json_rpc.ts";
import { type RpcInvalid, type RpcResponse, rpcResult } from "./json_rpc.ts";
import { METHODS, type RpcMethod, type RpcParams } from "./method_table.ts";
import type { RpcContext } from "./rpc_context.ts";
import { RPC_CODES, RpcError } from "./rpc_error.ts";
import { toRpcError } from "./rpc_error_map.ts";

/** The most calls that wait in the queue. */
const MAX_QUEUED = 1_000;

/** Options of {@linkcode Dispatcher}. */
export interface DispatcherOptions {
  readonly context: Omit<RpcContext, "enqueue">;
  readonly logger: Logger;
  /** Sends a response, or the responses of a batch. */
  readonly send: (message: RpcResponse | readonly RpcResponse[]) => void;
}

/** Takes the response of one call; `undefined` when it needs none. */
type Respond = (response: RpcResponse | undefined) => void;

/**
 * Runs calls in the order of the protocol: some act at once, the others one after the other.
 *
 * `accept` resolves when a message is admitted (checked and started or queued), not when it is
 * done; messages are given to it one at a time, so what came first acts first.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #context: RpcContext;
  readonly #idsInFlight = new Set<RpcId>();
  readonly #queue: (() => Promise<void>)[] = [];
  readonly #running = new Set<Promise<void>>();
  #isQueueRunning = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#context = {
      ...options.context,
      enqueue: (work) => this.#enqueue(work),
    };
  }

  /** Admits one message. Never throws. */
  async accept(incoming: RpcIncoming): Promise<void> {
    if (incoming.type !== "batch") {
      await this.#admit(incoming, (response) => {
        if (response !== undefined) this.#options.send(response);
      });
      return;
    }
    const responses: RpcResponse[] = [];
    let open = incoming.members.length;
    for (const member of incoming.members) {
      await this.#admit(member, (response) => {
        if (response !== undefined) responses.push(response);
        open -= 1;
        if (open === 0 && responses.length > 0) this.#options.send(responses);
      });
    }
  }

  /** Resolves when everything admitted so far, and what it started, is done. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #admit(message: RpcCall | RpcInvalid, respond: Respond): Promise<void> {
    if (message.type === "invalid") return respond(rpcFailure(message.id, message.error));
    const { id } = message;
    if (id !== undefined && this.#idsInFlight.has(id)) {
      const error = RpcError.invalidRequest(`A request with the id ${JSON.stringify(id)} runs`);
      return respond(rpcFailure(id, error));
    }
    if (id !== undefined) this.#idsInFlight.add(id);
    const finish = (response: RpcResponse | undefined) => {
      if (id !== undefined) this.#idsInFlight.delete(id);
      respond(id === undefined ? undefined : response);
    };
    try {
      const { method, params } = await resolveCall(message);
      const work = () => this.#run(message, { method, params, finish });
      if (method.isImmediate(params)) this.#track(work());
      else if (this.#queue.length >= MAX_QUEUED) throw RpcError.busy("Too many requests wait");
      else this.#enqueue(work);
    } catch (error) {
      finish(this.#failure(id, error));
    }
  }

  async #run(
    call: RpcCall,
    work: { method: RpcMethod; params: RpcParams; finish: Respond },
  ): Promise<void> {
    try {
      const result = await work.method.run(work.params, this.#context);
      work.finish(call.id === undefined ? undefined : rpcResult(call.id, result));
    } catch (error) {
      work.finish(this.#failure(call.id, error));
    }
  }

  #failure(id: RpcId | undefined, error: unknown): RpcResponse | undefined {
    const rpcError = toRpcError(error);
    if (rpcError.rpcCode === RPC_CODES.internal) {
      const stack = error instanceof Error ? error.stack : String(error);
      this.#options.logger.error(`Internal error: ${stack}`);
    }
    return id === undefined ? undefined : rpcFailure(id, rpcError);
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue.push(work);
    // The first piece starts in this very task, so that an `abort` behind it finds it running.
    if (!this.#isQueueRunning) this.#track(this.#runQueue());
  }

  async #runQueue(): Promise<void> {
    this.#isQueueRunning = true;
    for (let work = this.#queue.shift(); work !== undefined; work = this.#queue.shift()) {
      await work();
    }
    this.#isQueueRunning = false;
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    work.finally(() => this.#running.delete(work));
  }
}

async function resolveCall(call: RpcCall): Promise<{ method: RpcMethod; params: RpcParams }> {
  const method = METHODS.get(call.method);
  if (method === undefined) {
    throw RpcError.methodNotFound(call.method, nearestName(call.method, METHODS.keys()));
  }
  // The schemas cost several milliseconds to load; a call without params does without them.
  if (isEmpty(call.params) && method.needsParams !== true) return { method, params: {} };
  const { checkParams } =
    await (import("./param_check.ts" as string) as Promise<typeof import("./param_check.ts")>);
  return { method, params: checkParams(call.method, call.params) };
}

function isEmpty(params: RpcCall["params"]): boolean {
  return Array.isArray(params) ? params.length === 0 : Object.keys(params).length === 0;
}
