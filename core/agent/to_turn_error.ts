import { RhoError } from "../base/errors.ts";
import type { Redactor } from "../security/redactor.ts";
import { TurnError } from "./turn_error.ts";

/** Anything that ended a turn, as the one error that a turn fails with; secrets are masked. */
export function toTurnError(error: unknown, redactor: Redactor): TurnError {
  if (error instanceof TurnError) return error;
  const isKnown = error instanceof RhoError;
  const code = isKnown ? error.code : "internal";
  const retriable = isKnown && error.data.retriable === true;
  const message = error instanceof Error ? error.message : String(error);
  return new TurnError(code, redactor.redact(message), { retriable, cause: error });
}
