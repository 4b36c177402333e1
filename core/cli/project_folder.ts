import { errorMessage, StartupError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { findProjectRoot } from "../config/project_root.ts";

/** Options of {@linkcode projectFolder}. */
export interface ProjectFolderOptions {
  /** `--root`. */
  readonly root?: string;
  readonly cwd: string;
  readonly home?: string;
  readonly logger: Logger;
}

/**
 * The canonical root of the project: what `--root` says, else the nearest marked folder, else the
 * working directory, with a warning.
 *
 * @throws {StartupError} when it is no folder.
 */
export function projectFolder(options: ProjectFolderOptions): string {
  const { root, cwd, home, logger } = options;
  const found = root ?? findProjectRoot(cwd, home === undefined ? {} : { home });
  if (found === undefined) {
    logger.warn(
      `No project marker found from "${cwd}" upwards; the working directory is the root. ` +
        "Pass --root to choose another one",
    );
  }
  const folder = found ?? cwd;
  try {
    const canonical = Deno.realPathSync(folder);
    if (Deno.statSync(canonical).isDirectory) return canonical;
  } catch (cause) {
    throw new StartupError(`Cannot use the root "${folder}": ${errorMessage(cause)}`, { cause });
  }
  throw new StartupError(`Cannot use the root "${folder}": it is no folder`);
}
