import { notAFile, replacedPath, systemRefusal } from "./sandbox_error.ts";

/** What a file is opened for, and how its path is checked again. */
export interface OpenVerifiedOptions {
  readonly write: boolean;
  /** The path as messages show it. */
  readonly shown: string;
  readonly root: string;
  /** Throws unless the path still is canonical and inside the root. */
  readonly verify: () => void;
}

/**
 * Opens a regular file and makes sure that the handle is the file that its canonical path names.
 *
 * O_NOFOLLOW would need `node:fs` (20 ms) and looks at the last name only. Instead the file is
 * looked at before (which also keeps pipes from being opened: that waits for ever), and the handle's
 * inode and the whole path are compared after; no folder on the way can be swapped unnoticed.
 *
 * @throws {SandboxError} `not_a_file`, `changed`, `not_found` or `permission_denied`.
 */
export function openVerified(canonical: string, options: OpenVerifiedOptions): Deno.FsFile {
  const { shown, root, write } = options;
  let before: Deno.FileInfo;
  let file: Deno.FsFile;
  try {
    before = Deno.lstatSync(canonical);
    if (before.isSymlink) throw replacedPath(shown);
    if (!before.isFile) throw notAFile(shown, before);
    file = Deno.openSync(canonical, { read: true, write });
  } catch (cause) {
    throw systemRefusal({ path: shown, root }, cause);
  }
  try {
    const opened = file.statSync();
    if (opened.ino !== before.ino || opened.dev !== before.dev) throw replacedPath(shown);
    options.verify();
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}
