import { RhoError, type RhoErrorOptions } from "../core/base/errors.ts";

/** What can go wrong with a session; part of the contract, so never renamed. */
export type SessionErrorCode =
  | "session_not_found"
  | "session_ambiguous"
  | "session_foreign"
  | "session_empty"
  | "session_unreadable"
  | "session_in_use"
  | "session_read_only"
  | "session_closed"
  | "session_bad_id"
  | "session_outside_store"
  | "session_not_exported"
  | "entry_not_found"
  | "entry_too_large"
  | "cursor_not_found"
  | "custom_not_json";

/** A session, entry or cursor that cannot be found, read or used. */
export class SessionError extends RhoError {
  declare readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode, message: string, options: RhoErrorOptions = {}) {
    super(code, message, options);
  }
}
