import { RhoError, type RhoErrorOptions } from "../../core/base/errors.ts";

/** Something about a Rust project or toolchain that stops a call; the message helps the model. */
export class RustToolError extends RhoError {
  constructor(message: string, options: RhoErrorOptions = {}) {
    super("rust_tool", message, options);
  }
}
