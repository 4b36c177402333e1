import { isSafeId } from "../../core/base/ids.ts";
import { joinPath, parentPath } from "../../core/base/paths.ts";
import { fullOutputFolder } from "./project_folder.ts";

/**
 * Removes a session's file with everything that belongs to it: full outputs, torn bytes, the lock
 * file and the folder of its child sessions. The file itself goes last, so that an interrupted
 * removal can be repeated.
 *
 * @param id The session's id, when a folder of that name beside it is its children's.
 */
export function removeSessionFiles(path: string, id: string | undefined): void {
  removeIfThere(fullOutputFolder(path));
  removeIfThere(`${path}.torn`);
  if (id !== undefined && isSafeId(id)) removeIfThere(joinPath(parentPath(path), id));
  removeIfThere(path);
  removeIfThere(`${path}.lock`);
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
