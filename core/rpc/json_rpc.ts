import { RpcError, type RpcErrorObject } from "./rpc_error.ts";

/** The id of a request: a string or a number, echoed exactly. */
export type RpcId = string | number;

/** A request, or a notification when it has no id. */
export interface RpcCall {
  readonly type: "call";
  /** Absent for a notification. */
  readonly id?: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | readonly unknown[];
}

/** A message that is no valid request. */
export interface RpcInvalid {
  readonly type: "invalid";
  /** The id, when one could be read. */
  readonly id: RpcId | null;
  readonly error: RpcError;
}

/** What one line holds. */
export type RpcIncoming =
  | RpcCall
  | RpcInvalid
  | { readonly type: "batch"; readonly members: readonly (RpcCall | RpcInvalid)[] };

/** A response as it goes over the wire. */
export type RpcResponse =
  | { readonly jsonrpc: "2.0"; readonly result: unknown; readonly id: RpcId }
  | { readonly jsonrpc: "2.0"; readonly error: RpcErrorObject; readonly id: RpcId | null };

/**
 * Reads one line as JSON-RPC 2.0.
 *
 * A batch is returned as such; an empty one is invalid.
 */
export function parseRpcLine(line: string): RpcIncoming {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const error = RpcError.parseError("Cannot parse the line: it is not one JSON value");
    return { type: "invalid", id: null, error };
  }
  if (!Array.isArray(value)) return parseMessage(value);
  if (value.length === 0) {
    const error = RpcError.invalidRequest("A batch needs at least one request");
    return { type: "invalid", id: null, error };
  }
  return { type: "batch", members: value.map(parseMessage) };
}

/** A successful response. */
export function rpcResult(id: RpcId, result: unknown): RpcResponse {
  return { jsonrpc: "2.0", result, id };
}

/** A failed response. */
export function rpcFailure(id: RpcId | null, error: RpcError): RpcResponse {
  return { jsonrpc: "2.0", error: error.toObject(), id };
}

function parseMessage(value: unknown): RpcCall | RpcInvalid {
  if (!isRecord(value)) return invalid(null, "A request is a JSON object");
  const hasId = Object.hasOwn(value, "id");
  const id = isRpcId(value.id) ? value.id : null;
  if (hasId && id === null) return invalid(null, 'The "id" of a request is a string or a number');
  if (value.jsonrpc !== "2.0") return invalid(id, 'The member "jsonrpc" must be "2.0"');
  if (typeof value.method !== "string") return invalid(id, 'The member "method" must be a string');
  const params = value.params === undefined ? {} : value.params;
  if (!isRecord(params) && !Array.isArray(params)) {
    return invalid(id, 'The member "params" must be an object or an array');
  }
  return { type: "call", method: value.method, params, ...(id === null ? {} : { id }) };
}

function invalid(id: RpcId | null, message: string): RpcInvalid {
  return { type: "invalid", id, error: RpcError.invalidRequest(message) };
}

function isRpcId(id: unknown): id is RpcId {
  return typeof id === "string" || (typeof id === "number" && Number.isFinite(id));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
