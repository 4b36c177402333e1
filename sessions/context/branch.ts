import type { Entry, EntryPayload, Resolution } from "../entry.ts";
import type { SessionLog } from "../session_log.ts";
import type { PathMessage } from "./path_messages.ts";

/** What the context needs of a cursor: one branch of a log, and how it is shown. */
export interface Branch {
  readonly log: SessionLog;
  readonly cursorId: string;
  readonly livePath: readonly Entry[];
  readonly stamps: ReadonlyMap<string, Resolution>;
  pathMessages(): PathMessage[];
  setResolution(entryId: string, resolution: Resolution): void;
  appendPayload(payload: EntryPayload): Entry;
}
