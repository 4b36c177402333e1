import { systemErrorCode } from "../../core/base/errors.ts";
import { type SessionLock, tryLockSession } from "./session_lock.ts";

/**
 * The lock of an existing session file, or why it cannot be written to. Changes no byte of it.
 *
 * @throws the system's error for anything but a missing permission.
 */
export function takeWriteAccess(path: string): SessionLock | "locked" | "read_only" {
  try {
    // Opening for appending, without writing, shows whether the file takes more lines.
    Deno.openSync(path, { append: true }).close();
    return tryLockSession(path) ?? "locked";
  } catch (error) {
    switch (systemErrorCode(error)) {
      case "EACCES":
      case "EPERM":
      case "EROFS":
        return "read_only";
      default:
        throw error;
    }
  }
}
