/** Levels from most to least urgent; a logger drops what lies below its own. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;

/** One of {@linkcode LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where diagnostics go. Never stdout: that carries the protocol. */
export interface Logger {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** Options of {@linkcode createLogger}. */
export interface CreateLoggerOptions {
  /**
   * The least urgent level that is written.
   * @default {"warn"}
   */
  readonly level?: LogLevel;
  /** Masks secrets in every line; a logger without it writes lines as they are. */
  readonly redact?: (text: string) => string;
  /** Takes each finished line, newline included. */
  readonly write: (line: string) => void;
}

/** A logger that writes `rho: <level>: <message>` lines; line breaks inside a message are kept. */
export function createLogger(options: CreateLoggerOptions): Logger {
  const limit = LOG_LEVELS.indexOf(options.level ?? "warn");
  const redact = options.redact ?? ((text: string) => text);
  function log(level: LogLevel, message: string): void {
    if (LOG_LEVELS.indexOf(level) > limit) return;
    options.write(`rho: ${level}: ${redact(message)}\n`);
  }
  return {
    error: (message) => log("error", message),
    warn: (message) => log("warn", message),
    info: (message) => log("info", message),
    debug: (message) => log("debug", message),
  };
}

/** A logger that drops everything: the default of code used as a library. */
export const SILENT_LOGGER: Logger = createLogger({ write: () => {} });
