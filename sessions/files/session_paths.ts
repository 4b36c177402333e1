import { parentPath } from "../../core/base/paths.ts";
import { sessionsFolder } from "./project_folder.ts";

/** Whether there is a plain file. */
export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** A link's target, since file and lock must be the same for everyone who opens the session. */
export function resolveLink(path: string): string {
  try {
    return Deno.lstatSync(path).isSymlink ? Deno.realPathSync(path) : path;
  } catch {
    // Opening it says what is wrong.
    return path;
  }
}

/** Whether a file lies in the folder of a project: `<home>/sessions/<project>/<file>`. */
export function isInStore(path: string, home: string): boolean {
  const sessions = realPath(sessionsFolder(home));
  const folder = realPath(parentPath(path));
  return sessions !== undefined && folder !== undefined && parentPath(folder) === sessions;
}

/** A path without links and dots, or `undefined` where there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}
