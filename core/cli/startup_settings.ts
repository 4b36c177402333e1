import { errorMessage, StartupError } from "../base/errors.ts";
import { LOG_LEVELS, type LogLevel } from "../base/log.ts";
import { isAbsolutePath, joinPath } from "../base/paths.ts";
import type { Settings } from "../config/settings.ts";
import type { CliOptions } from "./cli_options.ts";

/** The settings in force: what the flags say over what the files say. */
export function startupSettings(options: CliOptions, fromFiles: Settings): Settings {
  const { tokenBudget, maxIterations } = options;
  return {
    ...fromFiles,
    agent: {
      ...fromFiles.agent,
      ...(tokenBudget === undefined ? {} : { tokenBudget }),
      ...(maxIterations === undefined ? {} : { maxIterations }),
    },
  };
}

/** The level of the log: the flag's, else that of `RHO_LOG` if it names one, else `warn`. */
export function logLevel(options: CliOptions, fromEnvironment: string | undefined): LogLevel {
  return options.logLevel ?? LOG_LEVELS.find((level) => level === fromEnvironment) ?? "warn";
}

/**
 * The text that replaces the base prompt, if one does.
 *
 * @throws {StartupError} when its file cannot be read.
 */
export async function promptReplacement(
  options: CliOptions,
  cwd: string,
): Promise<string | undefined> {
  const { systemFile } = options;
  if (systemFile === undefined) return options.system;
  try {
    return await Deno.readTextFile(
      isAbsolutePath(systemFile) ? systemFile : joinPath(cwd, systemFile),
    );
  } catch (cause) {
    throw new StartupError(`Cannot read --system-file "${systemFile}": ${errorMessage(cause)}`, {
      cause,
    });
  }
}
