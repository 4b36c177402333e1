/** A file that is only ever appended to. `Deno.FsFile` is one. */
export interface AppendFile {
  /** Writes some of the bytes and tells how many. */
  writeSync(bytes: Uint8Array): number;
  statSync(): { readonly size: number };
  syncDataSync(): void;
  syncData(): Promise<void>;
  close(): void;
}

/** The file operations of a session's writer, so that tests can let a disk fail. */
export interface FileOps {
  /** Makes a folder and those above it, for the owner only. */
  makeFolder(path: string): void;
  /** Opens a file for appending and makes it, for the owner only, if it is missing. */
  openAppend(path: string): AppendFile;
  /** Cuts a file. Windows refuses that on a handle for appending, so it goes by path. */
  truncate(path: string, size: number): void;
  /** Reads a range of a file. */
  readRange(path: string, from: number, to: number): Uint8Array<ArrayBuffer>;
}

/** The machine's own file system. */
export const SYSTEM_FILE_OPS: FileOps = {
  makeFolder(path) {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  },
  openAppend(path) {
    return Deno.openSync(path, { append: true, create: true, mode: 0o600 });
  },
  truncate(path, size) {
    Deno.truncateSync(path, size);
  },
  readRange(path, from, to) {
    using file = Deno.openSync(path, { read: true });
    file.seekSync(from, Deno.SeekMode.Start);
    const bytes = new Uint8Array(to - from);
    let filled = 0;
    while (filled < bytes.length) {
      const count = file.readSync(bytes.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  },
};
