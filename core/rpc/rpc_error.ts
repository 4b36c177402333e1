import { errorMessage, RhoError } from "../base/errors.ts";

/** Every error code of the protocol. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  agentError: -32000,
  busy: -32001,
  notFound: -32002,
  refused: -32003,
} as const;

/** The `error` member of a response. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** One path of the params that is not as the schema wants it. */
export interface RpcIssue {
  /** Dotted, empty for the params themselves. */
  readonly path: string;
  readonly expected: string;
  readonly message: string;
}

/** A failure that a client sees as a JSON-RPC error. */
export class RpcError extends RhoError {
  /** The JSON-RPC code. */
  readonly rpcCode: number;
  /** The `data` member, absent when `undefined`. */
  readonly rpcData: unknown;

  private constructor(rpcCode: number, message: string, rpcData?: unknown, cause?: unknown) {
    super("rpc_error", message, { cause });
    this.rpcCode = rpcCode;
    this.rpcData = rpcData;
  }

  static parseError(message: string): RpcError {
    return new RpcError(RPC_CODES.parseError, message);
  }

  static invalidRequest(message: string): RpcError {
    return new RpcError(RPC_CODES.invalidRequest, message);
  }

  static methodNotFound(method: string, nearest: string | undefined): RpcError {
    const hint = nearest === undefined ? "rpc.discover lists them" : `did you mean "${nearest}"?`;
    return new RpcError(RPC_CODES.methodNotFound, `Unknown method "${method}"; ${hint}`);
  }

  static invalidParams(message: string, issues: readonly RpcIssue[]): RpcError {
    return new RpcError(RPC_CODES.invalidParams, message, { issues });
  }

  static busy(message: string): RpcError {
    return new RpcError(RPC_CODES.busy, message);
  }

  static notFound(message: string, data?: unknown): RpcError {
    return new RpcError(RPC_CODES.notFound, message, data);
  }

  static refused(message: string, data?: unknown): RpcError {
    return new RpcError(RPC_CODES.refused, message, data);
  }

  static agentError(message: string, data: unknown, cause?: unknown): RpcError {
    return new RpcError(RPC_CODES.agentError, message, data, cause);
  }

  /** A bug in rho: the client learns that it happened, the stack goes to the log. */
  static internal(cause: unknown): RpcError {
    const message = `Internal error: ${errorMessage(cause)}; see the log on stderr`;
    return new RpcError(RPC_CODES.internal, message, undefined, cause);
  }

  /** The error as it goes over the wire. */
  toObject(): RpcErrorObject {
    const data = this.rpcData === undefined ? {} : { data: this.rpcData };
    return { code: this.rpcCode, message: this.message, ...data };
  }
}
