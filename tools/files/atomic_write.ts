import { parentPath } from "../../core/base/paths.ts";
import { errorMessage, RhoError, systemErrorCode } from "../../core/base/errors.ts";
import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { writeAll } from "./file_bytes.ts";

/** A write that did not happen; the file holds what it held before. */
export class FileWriteError extends RhoError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super("file_write", message, options);
  }
}

/** What to write, and what must still be there. */
export interface AtomicWrite {
  readonly bytes: Uint8Array;
  /** The bytes that the new ones were made from; `null` when the file did not exist. */
  readonly before: Uint8Array | null;
}

const PERMISSION_BITS = 0o7777;
const ANY_WRITE_BIT = 0o222;
const POSIX = Deno.build.os !== "windows";

/**
 * Replaces a file's content as one step: a temporary file in the same folder, synced, given the old
 * mode, renamed over. A crash leaves the old or the new file. Missing folders are made. A file with
 * several hard links, or one that belongs to somebody else, is written in place, because a rename
 * would cut the links or change the owner. Nothing here waits, so nothing of this process can come
 * between the checks and the write.
 *
 * @param canonical From `SandboxRoot.validateForWrite`.
 * @throws {FileWriteError} when nothing was written, with the reason.
 * @throws {SandboxError} when a link was put in the way.
 */
export function writeAtomically(sandbox: SandboxRoot, canonical: string, write: AtomicWrite): void {
  const name = sandbox.relative(canonical);
  sandbox.verify(canonical);
  try {
    const existing = lstatOrUndefined(canonical);
    checkTarget(name, { canonical, existing, write });
    if (existing !== undefined && mustStayInPlace(existing)) {
      writeInPlace(sandbox, canonical, write);
      return;
    }
    const folder = parentPath(canonical);
    if (existing === undefined) Deno.mkdirSync(folder, { recursive: true });
    sandbox.verify(canonical);
    replaceByRename(sandbox, canonical, { bytes: write.bytes, existing });
    syncFolder(folder);
  } catch (cause) {
    if (cause instanceof RhoError) throw cause;
    throw new FileWriteError(`Cannot write "${name}": ${reasonOf(cause)}; nothing was changed`, {
      cause,
    });
  }
}

function checkTarget(
  name: string,
  target: {
    readonly canonical: string;
    readonly existing: Deno.FileInfo | undefined;
    readonly write: AtomicWrite;
  },
): void {
  const { existing, write } = target;
  if (existing === undefined) {
    if (write.before !== null) throw new FileWriteError(`Cannot write "${name}": it was removed`);
    return;
  }
  if (!existing.isFile) {
    const kind = existing.isDirectory ? "a folder" : "not a regular file";
    throw new FileWriteError(`Cannot write "${name}": it is ${kind}`);
  }
  if (POSIX && existing.mode !== null && (existing.mode & ANY_WRITE_BIT) === 0) {
    throw new FileWriteError(`Cannot write "${name}": it is read-only; change its mode first`);
  }
  if (write.before === null || !sameBytes(Deno.readFileSync(target.canonical), write.before)) {
    throw new FileWriteError(
      `Cannot write "${name}": it changed in this moment; nothing was written, read it again`,
    );
  }
}

function mustStayInPlace(existing: Deno.FileInfo): boolean {
  if ((existing.nlink ?? 1) > 1) return true;
  return POSIX && existing.uid !== null && existing.uid !== Deno.uid();
}

function replaceByRename(
  sandbox: SandboxRoot,
  canonical: string,
  write: { readonly bytes: Uint8Array; readonly existing: Deno.FileInfo | undefined },
): void {
  const temporary = `${parentPath(canonical)}${POSIX ? "/" : "\\"}.rho-${
    crypto.randomUUID().slice(0, 8)
  }.tmp`;
  // Until it has the old file's mode nobody else may read what goes into it.
  const mode = write.existing === undefined ? 0o666 : 0o600;
  const file = Deno.openSync(temporary, { write: true, createNew: true, mode });
  try {
    try {
      writeAll(file, write.bytes);
      if (POSIX && write.existing !== undefined) copyMode(temporary, write.existing);
      file.syncSync();
    } finally {
      file.close();
    }
    sandbox.verify(canonical);
    Deno.renameSync(temporary, canonical);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

function copyMode(temporary: string, existing: Deno.FileInfo): void {
  const group = existing.gid;
  if (group !== null && Deno.lstatSync(temporary).gid !== group) {
    // Only members may give a file to a group; without it the write still stands.
    try {
      Deno.chownSync(temporary, null, group);
    } catch { /* The mode below is kept either way. */ }
  }
  if (existing.mode !== null) Deno.chmodSync(temporary, existing.mode & PERMISSION_BITS);
}

function writeInPlace(sandbox: SandboxRoot, canonical: string, write: AtomicWrite): void {
  const file = sandbox.openFile(canonical, { write: true });
  try {
    try {
      rewrite(file, write.bytes);
    } catch (error) {
      if (write.before !== null) rewrite(file, write.before);
      throw error;
    }
  } finally {
    file.close();
  }
}

function rewrite(file: Deno.FsFile, bytes: Uint8Array): void {
  file.seekSync(0, Deno.SeekMode.Start);
  writeAll(file, bytes);
  file.truncateSync(bytes.length);
  file.syncSync();
}

/** Makes the rename itself survive a power cut; not every system can, and the file is whole anyway. */
function syncFolder(folder: string): void {
  if (!POSIX) return;
  try {
    using handle = Deno.openSync(folder, { read: true });
    handle.syncSync();
  } catch { /* Some file systems do not sync folders. */ }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch { /* It was renamed away or never made. */ }
}

function lstatOrUndefined(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function reasonOf(cause: unknown): string {
  const code = systemErrorCode(cause);
  if (code === "ENOSPC") return "the disk is full";
  if (code === "EROFS") return "the file system is read-only";
  if (cause instanceof Deno.errors.PermissionDenied) return "the system denies access to it";
  return code ?? errorMessage(cause);
}
