import { systemErrorCode } from "../../core/base/errors.ts";

/** The right to write to one session file; given back with `release`. */
export interface SessionLock {
  release(): void;
}

/** Codes of file systems that have no locks; there the writer goes on without one. */
const NO_LOCKS_CODES: ReadonlySet<string> = new Set([
  "ENOLCK",
  "ENOSYS",
  "ENOTSUP",
  "EOPNOTSUPP",
  "EINVAL",
]);

const NO_LOCK: SessionLock = { release() {} };

/** How often a lock file that was removed under our hands is made anew. */
const MAX_TRIES = 5;

/**
 * Takes the exclusive lock `<file>.lock`, or returns `undefined` when somebody holds it. The system
 * frees it with the process, however that ends. A file beside the session is locked, since a lock
 * on the session itself would forbid reading it on Windows.
 *
 * @throws the system's error when the lock file cannot be made.
 */
export function tryLockSession(sessionPath: string): SessionLock | undefined {
  const path = `${sessionPath}.lock`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
    try {
      if (!file.tryLockSync(true)) {
        file.close();
        return undefined;
      }
    } catch (error) {
      file.close();
      if (NO_LOCKS_CODES.has(systemErrorCode(error) ?? "")) return NO_LOCK;
      throw error;
    }
    // Its last holder may have removed the file between our opening and locking it; then the path
    // is free for others and this lock guards nothing.
    if (isStillAt(file, path)) return heldLock(file, path);
    file.close();
  }
  return undefined;
}

function isStillAt(file: Deno.FsFile, path: string): boolean {
  try {
    const { ino, dev } = Deno.statSync(path);
    const own = file.statSync();
    return own.ino === ino && own.dev === dev;
  } catch {
    return false;
  }
}

function heldLock(file: Deno.FsFile, path: string): SessionLock {
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      try {
        Deno.removeSync(path);
      } catch {
        // Windows keeps open files and somebody may have removed it: an empty file is harmless.
      }
      file.close();
    },
  };
}
