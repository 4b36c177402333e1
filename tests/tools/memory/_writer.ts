/** Adds documents as another process: `_writer.ts <path> <name> <count>`. */
import { openMemoryDatabase } from "../../../tools/memory/memory_database.ts";
import { MemoryStore } from "../../../tools/memory/memory_store.ts";

const [path = "", name = "", count = "0"] = Deno.args;
const db = await openMemoryDatabase({ path });
const store = new MemoryStore(db);
for (let i = 0; i < Number(count); i++) {
  await store.add({ title: `${name}${i}`, body: `text ${name} ${i}`, tags: [] });
}
// Both processes add this one.
await store.add({ title: "same", body: "the same text", tags: [] });
db.close();
