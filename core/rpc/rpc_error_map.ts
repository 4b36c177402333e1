import { AgentBusyError, TurnError } from "../agent/turn_error.ts";
import { RhoError } from "../base/errors.ts";
import { RpcError } from "./rpc_error.ts";

/** Codes of errors that mean "there is no such thing". */
const NOT_FOUND_CODES: ReadonlySet<string> = new Set([
  "not_found",
  "session_not_found",
  "session_ambiguous",
  // There is a file, but no session in it.
  "session_foreign",
  "session_empty",
  "entry_not_found",
  "cursor_not_found",
  "model_unknown",
]);

/** Codes of errors that mean "rho will not do that". */
const REFUSED_CODES: ReadonlySet<string> = new Set([
  "sandbox_refused",
  "attachment_refused",
  "consent_missing",
  "session_in_use",
  "session_read_only",
  "session_unreadable",
  "session_outside_store",
  "session_not_exported",
]);

/** The one way from an error inside rho to an error of the protocol. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof AgentBusyError) return RpcError.busy(error.message);
  if (error instanceof TurnError) return RpcError.agentError(error.message, error.data, error);
  if (!(error instanceof RhoError)) return RpcError.internal(error);
  const data = { ...error.data, code: error.code };
  if (NOT_FOUND_CODES.has(error.code)) return RpcError.notFound(error.message, data);
  if (REFUSED_CODES.has(error.code)) return RpcError.refused(error.message, data);
  return RpcError.agentError(error.message, data, error);
}
