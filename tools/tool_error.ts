import { RhoError, type RhoErrorOptions } from "../core/base/errors.ts";

/** A tool that is put together or registered wrongly; a bug of its author, not of a model. */
export class ToolError extends RhoError {
  constructor(message: string, options: RhoErrorOptions = {}) {
    super("tool", message, options);
  }
}
