import { errorMessage, systemErrorCode } from "../../core/base/errors.ts";
import { parentPath } from "../../core/base/paths.ts";
import { encodeUtf8 } from "../../core/base/text.ts";
import { encodeRecord } from "../format/entry_codec.ts";
import type { AppendFile, FileOps } from "./file_ops.ts";
import { type SessionLock, tryLockSession } from "./session_lock.ts";
import type { LogSink, WritableRecord } from "../log_sink.ts";
import type { SessionNotice } from "../session_notice.ts";

/** When the system is asked to put lines on the disk: each line, each turn, or never. */
export type FsyncMode = "entry" | "turn" | "never";

/** What the end of an opened file needs before a line can follow it. */
export interface FileTail {
  /** The file's size when it was read, in bytes. */
  readonly size: number;
  /** Where the last whole line ends; the bytes behind it are torn and move to `<file>.torn`. */
  readonly wholeSize: number;
  /** Whether a last line that is whole lacks its newline. */
  readonly needsNewline: boolean;
}

/** Options of {@linkcode SessionWriter}. */
export interface SessionWriterOptions {
  readonly path: string;
  readonly fileOps: FileOps;
  /** Every text of a line passes through it. */
  readonly redact: (text: string) => string;
  readonly fsync: FsyncMode;
  readonly onNotice: (notice: SessionNotice) => void;
  /**
   * What the file starts with: for a new file the records before the first append, for an existing
   * one the state of its end and the lock.
   */
  readonly start:
    | { readonly type: "new"; readonly prelude: () => Iterable<WritableRecord> }
    | { readonly type: "existing"; readonly tail: FileTail; readonly lock: SessionLock };
}

/**
 * The one append stream of a session file. Each line is written at once, so that it is with the
 * system when `append` returns. What a failing disk refuses waits in memory and is written, in
 * order, with the next append.
 *
 * A new file appears with the first entry that belongs to the conversation behind the system
 * message; a start without a prompt leaves nothing behind.
 */
export class SessionWriter implements LogSink {
  readonly path: string;
  readonly #options: SessionWriterOptions;
  /** Records of a new file that has nothing worth keeping yet. */
  #held: WritableRecord[] | undefined;
  /** Lines that the file lacks, oldest first. */
  readonly #waiting: Uint8Array[] = [];
  #file: AppendFile | undefined;
  #lock: SessionLock | undefined;
  /** Where the last whole line of ours ends. */
  #wholeSize = 0;
  /** Bytes of a line that was written in part. */
  #partialBytes = 0;
  #unsynced = false;
  #noticed = false;
  #closed = false;

  constructor(options: SessionWriterOptions) {
    this.path = options.path;
    this.#options = options;
    if (options.start.type === "new") this.#held = [];
    else this.#lock = options.start.lock;
  }

  get persisted(): boolean {
    return this.#waiting.length === 0;
  }

  append(record: WritableRecord): void {
    if (this.#held !== undefined) {
      this.#held.push(record);
      if (!isWorthAFile(record)) return;
      this.#release(this.#held);
    } else this.#enqueue(record);
    this.#drain();
    if (this.#options.fsync === "entry") this.#syncNow();
  }

  async sync(): Promise<void> {
    this.#drain();
    if (this.#file === undefined || !this.#unsynced || this.#options.fsync === "never") return;
    this.#unsynced = false;
    try {
      await this.#file.syncData();
    } catch (error) {
      this.#report(error);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.sync();
    } finally {
      this.#file?.close();
      this.#file = undefined;
      this.#lock?.release();
    }
  }

  /** Turns what was held back into lines, behind what the file starts with. */
  #release(held: readonly WritableRecord[]): void {
    const { start } = this.#options;
    if (start.type === "new") { for (const record of start.prelude()) this.#enqueue(record); }
    for (const record of held) this.#enqueue(record);
    this.#held = undefined;
  }

  #enqueue(record: WritableRecord): void {
    this.#waiting.push(encodeUtf8(`${encodeRecord(record, this.#options.redact)}\n`));
  }

  #drain(): void {
    if (this.#waiting.length === 0) return;
    try {
      const file = this.#file ??= this.#open();
      this.#dropPartialLine(file);
      let written = 0;
      try {
        for (const line of this.#waiting) {
          this.#writeLine(file, line);
          written += 1;
        }
      } finally {
        this.#waiting.splice(0, written);
      }
    } catch (error) {
      this.#report(error);
      this.#tryToDropPartialLine();
    }
  }

  #writeLine(file: AppendFile, line: Uint8Array): void {
    this.#unsynced = true;
    for (let at = 0; at < line.length;) {
      at += file.writeSync(at === 0 ? line : line.subarray(at));
      this.#partialBytes = at;
    }
    this.#partialBytes = 0;
    this.#wholeSize += line.length;
  }

  #open(): AppendFile {
    const { fileOps, start } = this.#options;
    if (start.type === "new") fileOps.makeFolder(parentPath(this.path));
    this.#lock ??= this.#takeLock();
    if (start.type === "existing") this.#mendTail(start.tail);
    const file = fileOps.openAppend(this.path);
    this.#wholeSize = file.statSync().size;
    return file;
  }

  #takeLock(): SessionLock {
    const lock = tryLockSession(this.path);
    if (lock !== undefined) return lock;
    throw new Deno.errors.WouldBlock("another process holds the lock of this new file");
  }

  /** Moves a torn last line aside; a whole one gets its newline. */
  #mendTail(tail: FileTail): void {
    const { fileOps } = this.#options;
    const torn = fileOps.openAppend(this.path);
    let size: number;
    try {
      size = torn.statSync().size;
      // Somebody without our lock has written since: nothing of theirs may be cut.
      if (size === tail.size && !tail.needsNewline) size = this.#moveTornBytes(tail);
      if (size > 0 && endsInsideLine(fileOps, this.path, size)) writeAll(torn, NEWLINE);
    } finally {
      torn.close();
    }
  }

  #moveTornBytes(tail: FileTail): number {
    if (tail.wholeSize === tail.size) return tail.size;
    const { fileOps } = this.#options;
    const aside = fileOps.openAppend(`${this.path}.torn`);
    try {
      writeAll(aside, fileOps.readRange(this.path, tail.wholeSize, tail.size));
      writeAll(aside, NEWLINE);
      aside.syncDataSync();
    } finally {
      aside.close();
    }
    fileOps.truncate(this.path, tail.wholeSize);
    return tail.wholeSize;
  }

  /** Brings a file with half a line back to its last whole one. */
  #dropPartialLine(file: AppendFile): void {
    if (this.#partialBytes === 0) return;
    const { size } = file.statSync();
    if (size === this.#wholeSize + this.#partialBytes) {
      this.#options.fileOps.truncate(this.path, this.#wholeSize);
    } else {
      // Another writer without our lock added to it; half a line is skipped by every reader.
      writeAll(file, NEWLINE);
      this.#wholeSize = file.statSync().size;
    }
    this.#partialBytes = 0;
  }

  #tryToDropPartialLine(): void {
    try {
      if (this.#file !== undefined) this.#dropPartialLine(this.#file);
    } catch {
      // The disk still refuses; the next append tries again.
    }
  }

  #syncNow(): void {
    if (this.#file === undefined || !this.#unsynced) return;
    this.#unsynced = false;
    try {
      this.#file.syncDataSync();
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    if (this.#noticed) return;
    this.#noticed = true;
    const code = systemErrorCode(error);
    this.#options.onNotice({
      code: "session_not_saved",
      level: "warn",
      message: `Cannot save the session to "${this.path}": ${causeOf(code, error)}; ` +
        "it goes on in memory and is saved with the next entry that can be written",
    });
  }
}

const NEWLINE = encodeUtf8("\n");

/** Whether a record makes a session worth a file: it belongs to the conversation. */
function isWorthAFile(record: WritableRecord): boolean {
  if (record.type !== "Entry") return false;
  const { payload } = record.entry;
  switch (payload.type) {
    case "Message":
      return payload.message.role !== "system";
    case "Compaction":
    case "BranchSummary":
    case "CustomMessage":
      return true;
    default:
      return false;
  }
}

function writeAll(file: AppendFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

function endsInsideLine(fileOps: FileOps, path: string, size: number): boolean {
  return fileOps.readRange(path, size - 1, size)[0] !== 0x0a;
}

function causeOf(code: string | undefined, error: unknown): string {
  switch (code) {
    case "ENOSPC":
      return "the disk is full";
    case "EDQUOT":
      return "the disk quota is used up";
    case "EROFS":
      return "the file system is read-only";
    case "EACCES":
    case "EPERM":
      return "writing is not permitted";
    default:
      return errorMessage(error);
  }
}
