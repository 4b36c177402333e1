import { RhoError, type RhoErrorOptions } from "../base/errors.ts";

/** Why a configuration file cannot be used. */
export type ConfigErrorCode = "config_unreadable" | "config_syntax" | "config_invalid";

/** A configuration file that cannot be used; rho does not start with one, exit code 1. */
export class ConfigError extends RhoError {
  declare readonly code: ConfigErrorCode;
  /** The file's path. */
  readonly file: string;

  constructor(
    code: ConfigErrorCode,
    message: string,
    options: RhoErrorOptions & { readonly file: string },
  ) {
    const { file, data, ...others } = options;
    super(code, message, { ...others, data: { file, ...data } });
    this.file = file;
  }
}
