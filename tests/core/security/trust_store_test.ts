import assert from "node:assert/strict";
import { joinPath } from "../../../core/base/paths.ts";
import { sha256Hex } from "../../../core/security/sha256.ts";
import { type ReviewedFile, TrustStore } from "../../../core/security/trust_store.ts";
import { parseTrustText } from "../../../core/security/trust_text.ts";
import { tempFolder } from "../../support/spawned_rho.ts";

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await tempFolder("trust");
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function write(folder: string, name: string, text: string): Promise<ReviewedFile> {
  const path = joinPath(folder, name);
  await Deno.writeTextFile(path, text);
  return { path, sha256: await sha256Hex(new TextEncoder().encode(text)) };
}

async function isTrusted(store: TrustStore, path: string): Promise<boolean> {
  return await store.isTrusted(path, await Deno.readFile(path));
}

const NOW = Date.parse("2026-01-02T03:04:05Z");

Deno.test("TrustStore trusts what was reviewed, byte for byte, at its place", () =>
  withFolder(async (folder) => {
    const home = joinPath(folder, "home", "deep");
    const store = new TrustStore({ home, now: () => NOW });
    const file = await write(folder, 'a "ü" \\.md', "one");
    const twin = await write(folder, "b.md", "one");
    assert.equal(await isTrusted(store, file.path), false);
    assert.deepEqual(await store.trust([file]), [file.path]);
    assert.equal(await isTrusted(store, file.path), true);
    assert.equal(await isTrusted(store, twin.path), false);
    assert.deepEqual(await store.list(), [{ ...file, date: "2026-01-02T03:04:05.000Z" }]);
    const again = new TrustStore({ home });
    assert.equal(await isTrusted(again, file.path), true);
    await Deno.writeTextFile(file.path, "onE");
    assert.equal(await isTrusted(again, file.path), false);
    if (Deno.build.os === "windows") return;
    assert.equal((Deno.statSync(joinPath(home, "trusted.toml")).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("TrustStore trusts a file by its real place", () =>
  withFolder(async (folder) => {
    const store = new TrustStore({ home: folder });
    const { path, sha256 } = await write(folder, "a.md", "x");
    const link = joinPath(folder, "link.md");
    await Deno.symlink(path, link);
    assert.deepEqual(await store.trust([{ path: link, sha256 }]), [path]);
    assert.equal(await isTrusted(store, path), true);
  }));

Deno.test("TrustStore sees what another one has written", () =>
  withFolder(async (folder) => {
    const [reader, writer] = [new TrustStore({ home: folder }), new TrustStore({ home: folder })];
    const file = await write(folder, "a.md", "x");
    assert.equal(await isTrusted(reader, file.path), false);
    await writer.trust([file]);
    assert.equal(await isTrusted(reader, file.path), true);
    await Deno.remove(joinPath(folder, "trusted.toml"));
    assert.equal(await isTrusted(reader, file.path), false);
  }));

Deno.test("TrustStore without a home folder trusts nothing and says why it cannot", async () => {
  const store = new TrustStore({ home: undefined });
  assert.deepEqual(await store.list(), []);
  assert.equal(await store.isTrusted("/x", new Uint8Array()), false);
  await assert.rejects(store.trust([{ path: "/x", sha256: "0" }]), {
    code: "trust_store",
    message: "Cannot remember what you reviewed: set HOME or RHO_HOME",
  });
});

Deno.test("B137 TrustStore writes only a real change and leaves the rest as it is", () =>
  withFolder(async (folder) => {
    const store = new TrustStore({ home: folder, now: () => NOW });
    const target = joinPath(folder, "trusted.toml");
    const [a, b] = [await write(folder, "a.md", "a"), await write(folder, "b.md", "b")];
    const hand = `# by hand\n[[ trusted ]]\nsha256='${a.sha256}'   # first\n` +
      `path = '${a.path}'\ndate = 2026-01-01`;
    await Deno.writeTextFile(target, hand, { mode: 0o600 });
    assert.deepEqual(await store.trust([a]), []);
    assert.equal(await Deno.readTextFile(target), hand);
    assert.deepEqual(await store.trust([a, b]), [b.path]);
    const grown = await Deno.readTextFile(target);
    assert.equal(
      grown,
      `${hand}\n\n[[trusted]]\npath = ${JSON.stringify(b.path)}\nsha256 = "${b.sha256}"\n` +
        'date = "2026-01-02T03:04:05.000Z"\n',
    );
    // An entry of rho's own is replaced where it stands.
    const changed = await write(folder, "b.md", "B");
    await store.trust([changed]);
    assert.equal(await Deno.readTextFile(target), grown.replace(b.sha256, changed.sha256));
    // One that a person formatted is superseded.
    const other = await write(folder, "a.md", "A");
    await store.trust([other]);
    assert.ok((await Deno.readTextFile(target)).startsWith(hand));
    assert.equal(await isTrusted(store, a.path), true);
  }));

Deno.test("TrustStore rewrites a file that cannot be added to", () =>
  withFolder(async (folder) => {
    const store = new TrustStore({ home: folder });
    const [a, b] = [await write(folder, "a.md", "a"), await write(folder, "b.md", "b")];
    const entry = `{ path = '${a.path}', sha256 = '${a.sha256}', date = 'x' }`;
    await Deno.writeTextFile(joinPath(folder, "trusted.toml"), `trusted = [${entry}]`, {
      mode: 0o600,
    });
    await store.trust([b]);
    assert.equal(await isTrusted(store, a.path), true);
    assert.equal(await isTrusted(store, b.path), true);
  }));

const HASH = "0".repeat(64);
const DAMAGED: readonly string[] = [
  "trusted = ",
  "[[trusted]]\npath = 3\n",
  `[[trusted]]\npath = "relative"\nsha256 = "${HASH}"\ndate = "x"\n`,
  `[[trusted]]\npath = "/a"\nsha256 = "${HASH.toUpperCase()}x"\ndate = "x"\n`,
  `[[trusted]]\npath = "/a"\nsha256 = "${HASH}"\n`,
  `[[trusted]]\npath = "/a"\nsha256 = "${HASH}"\ndate = "x"\nall = true\n`,
  "trust_everything = true\n",
  "\0",
];

for (const text of DAMAGED) {
  Deno.test(`TrustStore trusts nothing when its text is ${JSON.stringify(text).slice(0, 60)}`, () =>
    withFolder(async (folder) => {
      const warnings: string[] = [];
      const store = new TrustStore({ home: folder, onWarning: (line) => warnings.push(line) });
      const target = joinPath(folder, "trusted.toml");
      const file = await write(folder, "a.md", "a");
      await store.trust([file]);
      await Deno.writeTextFile(target, await Deno.readTextFile(target) + text);
      assert.equal(await isTrusted(store, file.path), false);
      assert.deepEqual(await store.list(), []);
      assert.deepEqual(warnings, [
        `Nothing in "${target}" is trusted: its text is damaged; review again with rho trust`,
      ]);
      // The next review begins a new one and keeps the damaged one.
      await store.trust([file]);
      assert.equal(await isTrusted(store, file.path), true);
      assert.ok((await Deno.readTextFile(`${target}.damaged`)).endsWith(text));
    }));
}

Deno.test({
  name: "TrustStore trusts nothing when others may write to it",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withFolder(async (folder) => {
      const warnings: string[] = [];
      const store = new TrustStore({ home: folder, onWarning: (line) => warnings.push(line) });
      const file = await write(folder, "a.md", "a");
      await store.trust([file]);
      await Deno.chmod(joinPath(folder, "trusted.toml"), 0o666);
      assert.equal(await isTrusted(store, file.path), false);
      assert.match(warnings[0] ?? "", /others may write to it; run chmod 600 /);
    }),
});

Deno.test("TrustStore says when it cannot write", () =>
  withFolder(async (folder) => {
    const file = await write(folder, "a.md", "a");
    await assert.rejects(new TrustStore({ home: file.path }).trust([file]), {
      code: "trust_store",
    });
  }));

const SCRIPT = `
import { TrustStore } from ${
  JSON.stringify(import.meta.resolve("../../../core/security/trust_store.ts"))
};
import { loadSettings } from ${
  JSON.stringify(import.meta.resolve("../../../core/config/load_settings.ts"))
};
const [role = "", home = "", file = "", sha256 = ""] = Deno.args;
const warnings: string[] = [];
const store = new TrustStore({ home, onWarning: (line) => warnings.push(line) });
for (let round = 0; round < 12; round++) {
  if (role === "write") await store.trust([{ path: home + "/new " + round, sha256 }]);
  const { settings } = await loadSettings({ home, root: home + "/none", store });
  if (settings.agent.model !== "m") throw new Error("settings lost");
  if (!await store.isTrusted(file, Deno.readFileSync(file))) throw new Error("trust lost");
}
if (warnings.length > 0) throw new Error(warnings.join());
`;

Deno.test("B136 twenty processes read while some write, and none misses anything", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(joinPath(folder, "config.toml"), 'agent.model = "m"\n');
    const file = await write(folder, "a.md", "a");
    await new TrustStore({ home: folder }).trust([file]);
    const script = await write(folder, "script.ts", SCRIPT);
    const config = new URL("../../../deno.json", import.meta.url).pathname;
    const runs = Array.from({ length: 20 }, (_, index) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-prompt", "--no-check", `--config=${config}`, script.path]
          .concat([index < 2 ? "write" : "read", folder, file.path, String(index).repeat(64)]),
        stdout: "null",
        stderr: "piped",
      }).output());
    for (const { code, stderr } of await Promise.all(runs)) {
      assert.equal(code, 0, new TextDecoder().decode(stderr));
    }
    const text = await Deno.readTextFile(joinPath(folder, "trusted.toml"));
    assert.equal(parseTrustText(text)?.size, 13);
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assert.deepEqual(left.filter((name) => name.endsWith(".tmp")), []);
  }));
