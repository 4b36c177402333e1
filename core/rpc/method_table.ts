import { discover, listTools } from "./methods/catalog_methods.ts";
import { compact, getSessionStats } from "./methods/context_methods.ts";
import { branchTo, fork, listCursors, nameCursor, switchCursor } from "./methods/branch_methods.ts";
import {
  getEntries,
  getFullOutput,
  pinEntry,
  setResolution,
  unpinEntry,
} from "./methods/entry_methods.ts";
import {
  listModels,
  listProviders,
  setModel,
  setReasoningEffort,
} from "./methods/model_methods.ts";
import {
  listCommands,
  listExtensions,
  reloadExtensions,
  runCommand,
} from "./methods/extension_methods.ts";
import { clear, getMessages, getState, newSession } from "./methods/session_methods.ts";
import {
  deleteSession,
  exportSession,
  listSessions,
  renameSession,
  resumeSession,
} from "./methods/session_store_methods.ts";
import { listTrust, trust } from "./methods/trust_methods.ts";
import { abort, approvalResponse, prompt } from "./methods/turn_methods.ts";
import type { RpcContext } from "./rpc_context.ts";
import type { MethodName } from "./schema/method_schemas.ts";

/** Params after validation: an object by name. */
export type RpcParams = Readonly<Record<string, unknown>>;

/** How a method is run. */
export interface RpcMethod {
  /** Whether a call acts at once, also while a turn runs; the others queue. */
  readonly isImmediate: (params: RpcParams) => boolean;
  /** Whether a call without params is wrong; other calls without params need no check. */
  readonly needsParams?: true;
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
  "prompt": { isImmediate: isSteering, run: prompt, needsParams: true },
  "abort": { isImmediate: always, run: abort },
  "approvalResponse": { isImmediate: always, run: approvalResponse, needsParams: true },
  "clear": { isImmediate: never, run: clear },
  "newSession": { isImmediate: never, run: newSession },
  "getState": { isImmediate: always, run: getState },
  "compact": { isImmediate: never, run: compact },
  "getSessionStats": { isImmediate: never, run: getSessionStats },
  "getMessages": { isImmediate: never, run: getMessages },
  "getEntries": { isImmediate: never, run: getEntries },
  "listSessions": { isImmediate: never, run: listSessions },
  "resumeSession": { isImmediate: never, run: resumeSession, needsParams: true },
  "renameSession": { isImmediate: never, run: renameSession, needsParams: true },
  "deleteSession": { isImmediate: never, run: deleteSession, needsParams: true },
  "exportSession": { isImmediate: never, run: exportSession, needsParams: true },
  "listCursors": { isImmediate: never, run: listCursors },
  "fork": { isImmediate: never, run: fork },
  "switchCursor": { isImmediate: never, run: switchCursor, needsParams: true },
  "branchTo": { isImmediate: never, run: branchTo, needsParams: true },
  "nameCursor": { isImmediate: never, run: nameCursor, needsParams: true },
  "setResolution": { isImmediate: never, run: setResolution, needsParams: true },
  "pinEntry": { isImmediate: never, run: pinEntry, needsParams: true },
  "unpinEntry": { isImmediate: never, run: unpinEntry, needsParams: true },
  "getFullOutput": { isImmediate: never, run: getFullOutput, needsParams: true },
  "setModel": { isImmediate: never, run: setModel, needsParams: true },
  "setReasoningEffort": { isImmediate: never, run: setReasoningEffort, needsParams: true },
  "listModels": { isImmediate: never, run: listModels },
  "listProviders": { isImmediate: never, run: listProviders },
  "listTools": { isImmediate: never, run: listTools },
  "listCommands": { isImmediate: never, run: listCommands },
  "runCommand": { isImmediate: never, run: runCommand, needsParams: true },
  "listExtensions": { isImmediate: never, run: listExtensions },
  "reloadExtensions": { isImmediate: never, run: reloadExtensions },
  "listTrust": { isImmediate: never, run: listTrust },
  "trust": { isImmediate: never, run: trust, needsParams: true },
  "rpc.discover": { isImmediate: never, run: discover },
};

/** Every method by its name. */
export const METHODS: ReadonlyMap<string, RpcMethod> = new Map(Object.entries(TABLE));
