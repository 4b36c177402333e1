import assert from "node:assert/strict";
import { openMemoryDatabase } from "../../../tools/memory/memory_database.ts";
import { MIGRATIONS } from "../../../tools/memory/memory_schema.ts";
import { MemoryStore } from "../../../tools/memory/memory_store.ts";

async function withPath(body: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "rho memory " });
  try {
    await body(`${folder}/memory.db`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a memory of an older schema is brought up to date with its documents", () =>
  withPath(async (path) => {
    const old = await openMemoryDatabase({ path });
    await new MemoryStore(old).add({ title: "a", body: "b", tags: ["t"] });
    old.close();
    const migrations = [...MIGRATIONS, "ALTER TABLE documents ADD COLUMN source TEXT"];
    const db = await openMemoryDatabase({ path, migrations });
    try {
      assert.equal(db.prepare("PRAGMA user_version").get()?.["user_version"], migrations.length);
      const row = db.prepare("SELECT title, source FROM documents").get();
      assert.deepEqual({ ...row }, { title: "a", source: null });
    } finally {
      db.close();
    }
  }));

Deno.test("a migration that fails leaves the memory as it was", () =>
  withPath(async (path) => {
    const old = await openMemoryDatabase({ path });
    await new MemoryStore(old).add({ title: "a", body: "b", tags: [] });
    old.close();
    const migrations = [...MIGRATIONS, "DELETE FROM documents; SELECT nothing FROM nowhere"];
    await assert.rejects(openMemoryDatabase({ path, migrations }), /nowhere/);
    const db = await openMemoryDatabase({ path });
    assert.equal(new MemoryStore(db).stats().documents, 1);
    db.close();
  }));
