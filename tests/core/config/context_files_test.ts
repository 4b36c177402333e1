import assert from "node:assert/strict";
import { joinPath } from "../../../core/base/paths.ts";
import {
  type ContextFiles,
  contextFilesLimitBytes,
  loadContextFiles,
} from "../../../core/config/context_files.ts";
import { DEFAULT_SETTINGS } from "../../../core/config/settings.ts";
import { sha256Hex } from "../../../core/security/sha256.ts";
import { TrustStore } from "../../../core/security/trust_store.ts";
import { tempFolder } from "../../support/spawned_rho.ts";

interface Project {
  readonly root: string;
  readonly outside: string;
  write(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<void>;
  trust(...names: string[]): Promise<void>;
  load(scanList: readonly string[], maxBytes?: number): Promise<ContextFiles>;
}

async function withProject(use: (project: Project) => Promise<void>): Promise<void> {
  const folder = await tempFolder("context");
  const [root, outside] = [joinPath(folder, "project"), joinPath(folder, "outside")];
  const store = new TrustStore({ home: joinPath(folder, "home") });
  try {
    await Deno.mkdir(root);
    await Deno.mkdir(outside);
    await use({
      root,
      outside,
      write: async (name, content) => {
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        await Deno.writeFile(joinPath(root, name), bytes);
      },
      trust: async (...names) => {
        const files = names.map(async (name) => {
          const path = joinPath(root, name);
          return { path, sha256: await sha256Hex(await Deno.readFile(path)) };
        });
        await store.trust(await Promise.all(files));
      },
      load: (scanList, maxBytes = 10_000) => loadContextFiles({ root, scanList, store, maxBytes }),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("loadContextFiles() takes reviewed files in the order of the list", async () => {
  await withProject(async ({ write, trust, load }) => {
    for (const name of ["a.md", "b.md", "c.md"]) await write(name, `text of ${name}\n`);
    await trust("a.md", "b.md");
    assert.deepEqual(await load(["b.md", "missing.md", "c.md", "a.md"]), {
      files: [
        { path: "b.md", text: "text of b.md\n" },
        { path: "a.md", text: "text of a.md\n" },
      ],
      pending: ["c.md"],
      problems: [],
    });
  });
});

Deno.test("loadContextFiles() asks again after a change of a single byte", async () => {
  await withProject(async ({ write, trust, load }) => {
    await write("a.md", "be kind");
    await trust("a.md");
    await write("a.md", "be kind ");
    const { files, pending } = await load(["a.md"]);
    assert.deepEqual([files, pending], [[], ["a.md"]]);
  });
});

Deno.test("loadContextFiles() follows links inside the root, each file once, and none out", async () => {
  await withProject(async ({ root, outside, write, trust, load }) => {
    await write("AGENTS.md", "rules");
    await trust("AGENTS.md");
    await Deno.symlink("AGENTS.md", joinPath(root, "CLAUDE.md"));
    await Deno.writeTextFile(joinPath(outside, "key"), "secret");
    await Deno.symlink(joinPath(outside, "key"), joinPath(root, "out.md"));
    await Deno.symlink("../outside", joinPath(root, "folder"));
    await Deno.symlink("nowhere", joinPath(root, "dangling.md"));
    const found = await load(["CLAUDE.md", "AGENTS.md", "out.md", "folder/key", "dangling.md"]);
    assert.deepEqual(found, {
      files: [{ path: "CLAUDE.md", text: "rules" }],
      pending: [],
      problems: [
        { path: "out.md", problem: "outside" },
        { path: "dangling.md", problem: "not_a_file" },
      ],
    });
  });
});

Deno.test("loadContextFiles() B95 takes regular files of UTF-8 text only, and never waits", async () => {
  await withProject(async ({ root, write, trust, load }) => {
    await Deno.mkdir(joinPath(root, "folder.md"));
    await new Deno.Command("mkfifo", { args: [joinPath(root, "pipe.md")] }).output();
    await write("utf16.md", new Uint8Array([0xff, 0xfe, 0x68, 0]));
    await write("latin.md", new Uint8Array([0x68, 0xe9]));
    await write("nul.md", "a\0b");
    await write("bom.md", "\ufeffhi");
    await write("huge.md", "x".repeat(1024 * 1024 + 1));
    await write("blank.md", " \n");
    await trust("utf16.md", "latin.md", "nul.md", "bom.md", "blank.md");
    const names = ["folder", "pipe", "utf16", "latin", "nul", "bom", "huge", "blank"];
    const { files, pending, problems } = await load(names.map((name) => `${name}.md`));
    assert.deepEqual(files, [{ path: "bom.md", text: "hi" }]);
    assert.deepEqual(pending, []);
    assert.deepEqual(problems.map(({ path, problem }) => `${path} ${problem}`), [
      "folder.md not_a_file",
      "pipe.md not_a_file",
      "utf16.md not_text",
      "latin.md not_text",
      "nul.md not_text",
      "huge.md too_large",
    ]);
  });
});

Deno.test("loadContextFiles() cuts at a line, says so, and leaves the rest of the list little", async () => {
  await withProject(async ({ write, trust, load }) => {
    await write("a.md", "ä line\nan other line\n");
    await write("b.md", "more\n");
    await trust("a.md", "b.md");
    const whole = await load(["a.md", "b.md"], 27);
    assert.deepEqual(whole.problems, []);
    const { files, problems } = await load(["a.md", "b.md"], 12);
    assert.deepEqual(files, [
      { path: "a.md", text: 'ä line\n[Cut here: 8 of 22 bytes; the rest is in "a.md"]\n' },
      { path: "b.md", text: '[Cut here: 0 of 5 bytes; the rest is in "b.md"]\n' },
    ]);
    assert.deepEqual(problems.map(({ problem }) => problem), ["cut", "cut"]);
  });
});

Deno.test("contextFilesLimitBytes() is a quarter of the prompt, within bounds", () => {
  const limit = (tokenBudget: number) =>
    contextFilesLimitBytes({ ...DEFAULT_SETTINGS.agent, tokenBudget });
  assert.equal(limit(1024), 1024);
  assert.equal(limit(32_768), 22_732);
  assert.equal(limit(1_000_000), 64 * 1024);
});
