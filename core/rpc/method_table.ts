import { discover, listTools } from "./methods/catalog_methods.ts";
import { clear, getMessages, getState, newSession } from "./methods/session_methods.ts";
import { abort, approvalResponse, prompt } from "./methods/turn_methods.ts";
import type { RpcContext } from "./rpc_context.ts";
import type { MethodName } from "./schema/method_schemas.ts";

/** Params after validation: an object by name. */
export type RpcParams = Readonly<Record<string, unknown>>;

/** How a method is run. */
export interface RpcMethod {
  /** Whether a call acts at once, also while a turn runs; the others queue. */
  readonly isImmediate: (params: RpcParams) => boolean;
  /** Gets checked params, returns the result. */
  // deno-lint-ignore no-explicit-any -- each handler has its own params type, checked by its schema
  readonly run: (params: any, context: RpcContext) => unknown;
}

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}

function isSteering(params: RpcParams): boolean {
  return params.steer === true;
}

const TABLE: Readonly<Record<MethodName, RpcMethod>> = {
  "prompt": { isImmediate: isSteering, run: prompt },
  "abort": { isImmediate: always, run: abort },
  "approvalResponse": { isImmediate: always, run: approvalResponse },
  "clear": { isImmediate: never, run: clear },
  "newSession": { isImmediate: never, run: newSession },
  "getState": { isImmediate: always, run: getState },
  "getMessages": { isImmediate: never, run: getMessages },
  "listTools": { isImmediate: never, run: listTools },
  "rpc.discover": { isImmediate: never, run: discover },
};

/** Every method by its name. */
export const METHODS: ReadonlyMap<string, RpcMethod> = new Map(Object.entries(TABLE));
