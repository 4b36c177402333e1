import { RhoError, type RhoErrorOptions } from "../core/base/errors.ts";

/**
 * Why something of an extension failed: `extension_load` (it cannot be loaded),
 * `extension_failed` (its code threw), `extension_limit` (it went over a limit),
 * `extension_interrupted` (another one took the host down), `extension_gone` (it is not loaded any
 * more), `extension_refused` (it asked rho for what it is not given), `not_found`.
 */
export type ExtensionErrorCode =
  | "extension_load"
  | "extension_failed"
  | "extension_limit"
  | "extension_interrupted"
  | "extension_gone"
  | "extension_refused"
  | "not_found";

/** A failure of or around an extension. */
export class ExtensionError extends RhoError {
  declare readonly code: ExtensionErrorCode;

  constructor(code: ExtensionErrorCode, message: string, options: RhoErrorOptions = {}) {
    super(code, message, options);
  }
}
