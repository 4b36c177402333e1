import assert from "node:assert/strict";
import { joinPath } from "../../../core/base/paths.ts";
import { DEFAULT_SETTINGS } from "../../../core/config/settings.ts";
import {
  MAX_REVIEW_BYTES,
  pendingTrust,
  TRUST_SOURCES,
} from "../../../core/security/pending_trust.ts";
import { sha256Hex } from "../../../core/security/sha256.ts";
import { TrustStore } from "../../../core/security/trust_store.ts";
import { tempFolder } from "../../support/spawned_rho.ts";

async function withProject(
  files: Readonly<Record<string, string>>,
  body: (root: string, store: TrustStore) => Promise<void>,
): Promise<void> {
  const folder = await tempFolder("pending");
  const root = joinPath(folder, "project");
  try {
    await Deno.mkdir(joinPath(root, ".rho"), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(joinPath(root, name), text);
    }
    await body(root, new TrustStore({ home: joinPath(folder, "home") }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const settings = DEFAULT_SETTINGS;

Deno.test("pendingTrust() finds configuration and context files, with what they hold", () =>
  withProject({
    "AGENTS.md": "Obey.",
    "README.md": "x",
    ".rho/config.toml": "a = 1",
    ".rho/prompt.md": "p",
  }, async (root, store) => {
    const pending = await pendingTrust({ root, settings, store });
    assert.deepEqual(pending.map(({ kind, path, text }) => [kind, path, text]), [
      ["config", joinPath(root, ".rho", "config.toml"), "a = 1"],
      ["context", joinPath(root, "AGENTS.md"), "Obey."],
      ["context", joinPath(root, ".rho", "prompt.md"), "p"],
    ]);
    assert.equal(pending[1]?.sha256, await sha256Hex(new TextEncoder().encode("Obey.")));
    await store.trust(pending.slice(0, 2));
    const left = await pendingTrust({ root, settings, store });
    assert.deepEqual(left.map(({ text }) => text), ["p"]);
    await Deno.writeTextFile(joinPath(root, "AGENTS.md"), "Obey!");
    assert.equal((await pendingTrust({ root, settings, store })).length, 2);
  }));

Deno.test("pendingTrust() looks where the settings and the caller say", () =>
  withProject({ "A.md": "a", "x.ts": "code", "AGENTS.md": "b" }, async (root, store) => {
    const pending = await pendingTrust({
      root,
      settings: { ...settings, scanList: ["A.md", "missing.md"] },
      store,
      sources: [...TRUST_SOURCES, { kind: "extension", paths: (at) => [joinPath(at, "x.ts")] }],
    });
    assert.deepEqual(pending.map(({ kind, text }) => [kind, text]), [
      ["context", "a"],
      ["extension", "code"],
    ]);
  }));

Deno.test("pendingTrust() leaves out folders, files out of the root, huge ones and repetitions", () =>
  withProject({ "CLAUDE.md": "c" }, async (root, store) => {
    await Deno.writeTextFile(joinPath(root, "..", "secret.md"), "s");
    await Deno.symlink(joinPath(root, "..", "secret.md"), joinPath(root, "AGENTS.md"));
    await Deno.symlink("CLAUDE.md", joinPath(root, ".agents.md"));
    await Deno.mkdir(joinPath(root, ".cursorrules"));
    await Deno.writeFile(joinPath(root, ".rho", "prompt.md"), new Uint8Array(MAX_REVIEW_BYTES + 1));
    const pending = await pendingTrust({ root, settings, store });
    assert.deepEqual(pending.map(({ text }) => text), ["c"]);
  }));
