import { RhoError, type RhoErrorOptions } from "../../core/base/errors.ts";

/** Something that stops a call of the memory; the message says what to do next. */
export class MemoryError extends RhoError {
  constructor(message: string, options: RhoErrorOptions = {}) {
    super("memory", message, options);
  }
}
