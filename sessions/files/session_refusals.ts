import type { ContinuedFrom } from "../session.ts";
import { SessionError } from "../session_error.ts";

/** A session that this or another rho has open. */
export function inUse(path: string): SessionError {
  return new SessionError(
    "session_in_use",
    `Cannot change session "${path}": it is open; close it first`,
    { data: { path } },
  );
}

/** A session file that lies anywhere else. */
export function outsideStore(path: string): SessionError {
  return new SessionError(
    "session_outside_store",
    `Cannot delete session "${path}": it is not in rho's own sessions folder; delete the file ` +
      "yourself",
    { data: { path } },
  );
}

/** A session that cannot be changed, and why. */
export function notWritable(path: string, source?: ContinuedFrom): SessionError {
  if (source?.reason === "locked") return inUse(path);
  return new SessionError(
    "session_read_only",
    `Cannot change session "${path}": it cannot be written to; check its permissions`,
    { data: { path } },
  );
}
