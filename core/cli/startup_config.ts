import type { Logger } from "../base/log.ts";
import type { ConfigNotice } from "../config/config_notice.ts";
import { loadSettings } from "../config/load_settings.ts";
import type { Settings } from "../config/settings.ts";
import { Redactor, type RedactorOptions } from "../security/redactor.ts";
import { TrustStore } from "../security/trust_store.ts";

/** What the configuration files come to. */
export interface StartupConfig {
  readonly settings: Settings;
  /** What a client should hear once it listens; it is in the log already. */
  readonly notices: readonly ConfigNotice[];
  /** Which files of the project were reviewed. */
  readonly trust: TrustStore;
}

/** Options of {@linkcode startupConfig}. */
export interface StartupConfigOptions {
  readonly home: string | undefined;
  readonly root: string;
  readonly logger: Logger;
}

/**
 * Reads the configuration files and logs what is odd about them.
 *
 * @throws {ConfigError} when one cannot be used.
 */
export async function startupConfig(options: StartupConfigOptions): Promise<StartupConfig> {
  const { home, root, logger } = options;
  const trust = new TrustStore({ home, onWarning: (message) => logger.warn(message) });
  const { settings, notices } = await loadSettings({ home, root, store: trust });
  for (const { level, message } of notices) {
    if (level === "warn") logger.warn(message);
    else logger.info(message);
  }
  return { settings, notices, trust };
}

/** The redactor with the patterns of the configuration; bad ones are reported and left out. */
export async function configuredRedactor(
  base: RedactorOptions,
  settings: Settings,
  logger: Logger,
): Promise<Redactor> {
  const sources = settings.redaction.customPatterns;
  if (sources.length === 0) return new Redactor(base);
  const { compileCustomPatterns } =
    await (import("../security/custom_patterns.ts" as string) as Promise<
      typeof import("../security/custom_patterns.ts")
    >);
  const { patterns, problems } = compileCustomPatterns(sources);
  for (const problem of problems) logger.warn(problem);
  return new Redactor({ ...base, customPatterns: patterns });
}
