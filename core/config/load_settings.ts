import { joinPath } from "../base/paths.ts";
import { isMissingError, realPathOrUndefined } from "../security/path_probe.ts";
import type { TrustStore } from "../security/trust_store.ts";
import type { LoadedSettings, PresentFiles } from "./loaded_settings.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

/** Options of {@linkcode loadSettings}. */
export interface LoadSettingsOptions {
  /** rho's home folder, if there is one. */
  readonly home: string | undefined;
  /** The canonical project root. */
  readonly root: string;
  /** Says whether the project's file was reviewed. */
  readonly store: TrustStore;
}

/**
 * Reads the user's and the project's `config.toml`. A project's file that nobody reviewed counts
 * only as far as it makes rho stricter (chapter 80, Trust).
 *
 * Parser and schema are loaded only when there is a file, because they cost a third of the start.
 *
 * @throws {ConfigError} when a file cannot be read, parsed or accepted.
 */
export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
  const present = presentFiles(options);
  if (present.user === undefined && present.project === undefined) {
    return { settings: DEFAULT_SETTINGS, notices: [] };
  }
  const { settingsFromFiles } = await (import("./settings_from_files.ts" as string) as Promise<
    typeof import("./settings_from_files.ts")
  >);
  return await settingsFromFiles(present, options.store);
}

/** The user's own configuration file. */
export function userConfigFile(home: string): string {
  return joinPath(home, "config.toml");
}

/** A project's configuration file. */
export function projectConfigFile(root: string): string {
  return joinPath(root, ".rho", "config.toml");
}

function presentFiles({ home, root }: LoadSettingsOptions): PresentFiles {
  const user = home === undefined ? undefined : userConfigFile(home);
  const project = projectConfigFile(root);
  const hasUser = user !== undefined && isPresent(user);
  // With the home folder as the root, `.rho/config.toml` is the user's own file.
  const isUsers = hasUser && realPathOrUndefined(user) === realPathOrUndefined(project);
  return {
    ...(hasUser ? { user } : {}),
    ...(isPresent(project) && !isUsers ? { project } : {}),
  };
}

/** Whether something is there, readable or not: an unreadable file must not pass for none. */
function isPresent(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    return !isMissingError(error);
  }
}
