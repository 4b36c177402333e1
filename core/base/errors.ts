/** What an error may carry besides its code and message. */
export interface RhoErrorOptions {
  /** The error that led to this one. */
  readonly cause?: unknown;
  /** Plain facts for a program that handles the error; shown to clients, so never secret. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Base of every error that crosses a module boundary.
 *
 * The `code` is stable and made for programs; the message is made for people and says what to do
 * next. Callers branch on the class or the code, never on the message.
 */
export class RhoError extends Error {
  /** Stable, snake_case, unique for one kind of failure. */
  readonly code: string;
  /** Plain facts about the failure. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: RhoErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.data = options.data ?? {};
  }
}

/** A command line that cannot be understood; rho exits with 2. */
export class UsageError extends RhoError {
  constructor(message: string, options: RhoErrorOptions = {}) {
    super("usage", message, options);
  }
}

/** A start that cannot go on, for example without a readable session; rho exits with 1. */
export class StartupError extends RhoError {
  constructor(message: string, options: RhoErrorOptions = {}) {
    super("startup", message, options);
  }
}

/** A state that the code promises cannot happen. Reaching it is a bug in rho. */
export class InternalError extends RhoError {
  constructor(message: string, options: RhoErrorOptions = {}) {
    super("internal", message, options);
  }
}

/**
 * Closes an exhaustive `switch` over a discriminated union: the compiler refuses the call as long
 * as a case is missing.
 *
 * @throws {InternalError} when untyped data reaches it anyway.
 */
export function unreachable(value: never): never {
  throw new InternalError(`Unhandled case: ${JSON.stringify(value)}`);
}

/** The message of anything that was thrown. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * The operating system's code of a failed call, such as `ENOSPC` or `EROFS`. Deno has no class for
 * many of them, so callers branch on this.
 */
export function systemErrorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}
