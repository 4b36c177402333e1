import type { WritableRecord } from "../log_sink.ts";
import type { LogContent } from "../session_log.ts";

/**
 * What a new file starts with: its header and, when it continues another session, everything that
 * one held. The state of this moment is taken; what follows is written as records of its own.
 */
export function newFilePrelude(content: LogContent): () => Iterable<WritableRecord> {
  const { header, entries } = content;
  const copied = entries.length;
  const cursors = copied === 0 ? [] : content.cursors.map((state) => ({
    record: state.toRecord(),
    stamps: [...state.stamps],
  }));
  return function* () {
    yield { type: "Header", header };
    for (const entry of entries.slice(0, copied)) yield { type: "Entry", entry };
    for (const { record, stamps } of cursors) {
      yield { type: "Cursor", cursor: record };
      for (const [entry, resolution] of stamps) {
        yield { type: "Resolution", cursor: record.id, entry, resolution };
      }
    }
    // The last `Cursor` line of a file names the active one.
    const active = cursors.find(({ record }) => record.id === content.activeCursor);
    if (active !== undefined && active !== cursors.at(-1)) {
      yield { type: "Cursor", cursor: active.record };
    }
  };
}
