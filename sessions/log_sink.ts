import type { LogRecord } from "./format/entry_codec.ts";

/** A record that a log hands on to be kept. */
export type WritableRecord = Exclude<LogRecord, { type: "Unknown" }>;

/** Where the records of a log go: a file, or nowhere. */
export interface LogSink {
  /** The file, known before it exists; `undefined` when nothing is kept. */
  readonly path: string | undefined;
  /** Whether everything that the file should hold by now is in it. */
  readonly persisted: boolean;
  /** Takes one record, at once and in order. Never throws for a failing disk. */
  append(record: WritableRecord): void;
  /** Tries again what failed and asks the system to put it on the disk. */
  sync(): Promise<void>;
  /** Syncs and gives back file and lock; may be called again. */
  close(): Promise<void>;
}

/** A sink that keeps nothing: the log in memory is all there is. */
export class NullSink implements LogSink {
  readonly path = undefined;
  readonly persisted = false;
  append(): void {}
  sync(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}
