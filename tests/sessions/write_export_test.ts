import assert from "node:assert/strict";
import { writeExport } from "../../sessions/write_export.ts";

Deno.test("writeExport() replaces a plain file and refuses all else", async () => {
  const folder = await Deno.makeTempDir({ prefix: "rho-export-" });
  try {
    await Deno.mkdir(`${folder}/sessions/project`, { recursive: true });
    const options = { sessionsFolder: `${folder}/sessions` };
    await writeExport(`${folder}/a.md`, "one", options);
    await writeExport(`${folder}/a.md`, "two", options);
    assert.equal(await Deno.readTextFile(`${folder}/a.md`), "two");
    const refused = [
      `${folder}/sessions`,
      `${folder}/sessions/x.jsonl`,
      `${folder}/sessions/project/x.jsonl`,
      `${folder}/no/such/folder/x.md`,
    ];
    if (Deno.build.os !== "windows") {
      await Deno.symlink(`${folder}/a.md`, `${folder}/link.md`);
      refused.push(`${folder}/link.md`);
    }
    for (const path of refused) {
      await assert.rejects(writeExport(path, "x", options), { code: "session_not_exported" }, path);
    }
    assert.equal(await Deno.readTextFile(`${folder}/a.md`), "two");
    assert.deepEqual([...Deno.readDirSync(`${folder}/sessions/project`)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
