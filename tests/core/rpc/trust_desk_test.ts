import assert from "node:assert/strict";
import { joinPath } from "../../../core/base/paths.ts";
import { DEFAULT_SETTINGS } from "../../../core/config/settings.ts";
import { RPC_CODES, RpcError } from "../../../core/rpc/rpc_error.ts";
import { TrustDesk } from "../../../core/rpc/trust_desk.ts";
import { TrustStore } from "../../../core/security/trust_store.ts";
import { tempFolder } from "../../support/spawned_rho.ts";

async function withDesk(
  files: Readonly<Record<string, string>>,
  use: (desk: TrustDesk, root: string) => Promise<void>,
  options: { readonly hasHome?: boolean } = {},
): Promise<void> {
  const folder = await tempFolder("desk");
  const root = joinPath(folder, "project");
  const home = options.hasHome === false ? undefined : joinPath(folder, "home");
  try {
    await Deno.mkdir(joinPath(root, ".rho"), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(joinPath(root, name), text);
    }
    const store = new TrustStore({ home });
    await use(new TrustDesk({ root, home, store, settings: DEFAULT_SETTINGS }), root);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const NAMES_MORE = { ".rho/config.toml": "context.scan_list = ['more.md']", "more.md": "m" };

function names(files: readonly { readonly path: string }[], root: string): string[] {
  return files.map(({ path }) => path.slice(root.length + 1));
}

Deno.test("TrustDesk.trustAll() without a look takes what waits, also what it names", async () => {
  await withDesk(NAMES_MORE, async (desk, root) => {
    assert.deepEqual(names(await desk.trustAll(), root), [".rho/config.toml", "more.md"]);
    assert.deepEqual(await desk.trustAll(), []);
  });
});

Deno.test("TrustDesk.trustAll() after a look takes what was shown and nothing else", async () => {
  await withDesk(NAMES_MORE, async (desk, root) => {
    assert.deepEqual(names(await desk.list(), root), [".rho/config.toml"]);
    assert.deepEqual(names(await desk.trustAll(), root), [".rho/config.toml"]);
    assert.deepEqual(names(await desk.list(), root), ["more.md"]);
  });
});

Deno.test("TrustDesk.trust() takes all of the files or none", async () => {
  await withDesk({ "AGENTS.md": "a", "CLAUDE.md": "b" }, async (desk, root) => {
    await desk.list();
    await Deno.writeTextFile(joinPath(root, "CLAUDE.md"), "changed");
    await assert.rejects(desk.trust(["AGENTS.md", joinPath(root, "CLAUDE.md")]), RpcError);
    assert.equal((await desk.list()).length, 2);
  });
});

Deno.test("TrustDesk lists a configuration that became unusable", async () => {
  await withDesk({ ".rho/config.toml": "[broken" }, async (desk, root) => {
    assert.deepEqual(names(await desk.list(), root), [".rho/config.toml"]);
  });
});

Deno.test("TrustDesk refuses when trust cannot be stored", async () => {
  await withDesk({ "AGENTS.md": "a" }, async (desk) => {
    await assert.rejects(desk.trust(["AGENTS.md"]), (error: RpcError) => {
      assert.equal(error.rpcCode, RPC_CODES.refused);
      assert.match(error.message, /set HOME or RHO_HOME/);
      return true;
    });
  }, { hasHome: false });
});
