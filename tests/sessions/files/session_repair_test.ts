import assert from "node:assert/strict";
import { decodeLine } from "../../../sessions/format/entry_codec.ts";
import { SessionRepair } from "../../../sessions/files/session_repair.ts";
import { entryLine, userLine } from "../session_support.ts";

function repaired(...lines: readonly string[]): ReturnType<SessionRepair["finish"]> {
  const repair = new SessionRepair();
  for (const line of lines) {
    const record = decodeLine(line);
    if (record === undefined) repair.addBadLine();
    else repair.add(record);
  }
  return repair.finish();
}

function cursorLine(id: string, leaf: string | null): string {
  return JSON.stringify({ type: "Cursor", id, leaf, name: null });
}

Deno.test("SessionRepair takes the last entry for the leaf when no line names one", () => {
  const { content } = repaired(
    userLine("a", null),
    userLine("b", "a"),
    userLine("c", "a"),
  );
  assert.equal(content.activeCursor, "c0");
  assert.equal(content.cursors[0]?.leaf, "c");
});

Deno.test("SessionRepair lets only the cursor of the last line follow later entries", () => {
  const { content } = repaired(
    userLine("a", null),
    cursorLine("c0", "a"),
    userLine("b", "a"),
    cursorLine("c1", "a"),
    userLine("c", "a"),
    userLine("d", "b"),
  );
  assert.equal(content.activeCursor, "c1");
  assert.deepEqual(content.cursors.map(({ id, leaf }) => [id, leaf]), [["c0", "b"], ["c1", "c"]]);
});

Deno.test("SessionRepair follows a move whose cursor line was lost to a kill", () => {
  const move = { LeafMoved: { from: "c", to: "a" } };
  const lines = [userLine("a", null), userLine("b", "a"), userLine("c", "b")];
  const known = repaired(...lines, cursorLine("c0", "c"), entryLine("m", "a", move));
  assert.equal(known.content.cursors[0]?.leaf, "a");
  const implicit = repaired(...lines, entryLine("m", "a", move));
  assert.equal(implicit.content.cursors[0]?.leaf, "a");
});

Deno.test("SessionRepair drops stamps of entries and cursors that are not there", () => {
  const stamp = (cursor: string, entry: string) =>
    JSON.stringify({ type: "Resolution", cursor, entry, resolution: "Pinned" });
  const { content } = repaired(
    userLine("a", null),
    stamp("c0", "a"),
    stamp("c0", "lost"),
    stamp("c7", "a"),
  );
  assert.deepEqual(content.cursors.map(({ stamps }) => [...stamps.keys()]), [["a"]]);
});

Deno.test("SessionRepair hangs an orphan at the start up as a root", () => {
  const { content, reattached, badLines } = repaired("broken", userLine("b", "lost"));
  assert.equal(content.entries[0]?.parentId, null);
  assert.deepEqual([reattached, badLines], [1, 1]);
});
