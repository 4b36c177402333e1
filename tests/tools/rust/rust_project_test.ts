import assert from "node:assert/strict";
import { SandboxRoot } from "../../../core/security/sandbox.ts";
import { DEFAULT_SETTINGS } from "../../../core/config/settings.ts";
import { builtinTools } from "../../../tools/builtin_tools.ts";
import { choosePackage } from "../../../tools/rust/choose_package.ts";
import { cargoFolders } from "../../../tools/rust/rust_project.ts";
import { CommandRegistry } from "../../../tools/shell/command_registry.ts";

async function withFolders(
  manifests: Readonly<Record<string, string>>,
  body: (root: string) => Promise<void> | void,
): Promise<void> {
  const temporary = await Deno.makeTempDir({ prefix: "rho rust " });
  const { root } = await SandboxRoot.open(temporary);
  try {
    for (const [folder, name] of Object.entries(manifests)) {
      Deno.mkdirSync(`${root}/${folder}`, { recursive: true });
      Deno.writeTextFileSync(`${root}/${folder}/Cargo.toml`, `[package]\nname = "${name}"\n`);
    }
    await body(root);
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

Deno.test("cargoFolders() finds projects at the root or at most two folders below", async () => {
  await withFolders({ "": "a", "crates/b": "b" }, (root) => {
    assert.deepEqual(cargoFolders(root), [""]);
  });
  await withFolders({ "x/y": "a", "x/y/z": "b", "target/c": "c", ".d": "d" }, (root) => {
    assert.deepEqual(cargoFolders(root), ["x/y"]);
  });
  await withFolders({ "x/y/z": "too deep" }, (root) => assert.deepEqual(cargoFolders(root), []));
});

Deno.test("choosePackage() takes names and folders, and asks when several are meant", async () => {
  await withFolders({ "": "top", "crates/b": "bee" }, async (root) => {
    assert.deepEqual(await choosePackage(root, undefined), { folder: "" });
    assert.deepEqual(await choosePackage(root, "bee"), { folder: "", package: "bee" });
    assert.deepEqual(await choosePackage(root, "crates/b"), { folder: "", package: "bee" });
  });
  await withFolders({ "one": "first", "two": "second", "two/in": "inner" }, async (root) => {
    assert.deepEqual(await choosePackage(root, "second"), { folder: "two" });
    assert.deepEqual(await choosePackage(root, "one"), { folder: "one" });
    assert.deepEqual(await choosePackage(root, "two/in"), { folder: "two", package: "inner" });
    assert.deepEqual(await choosePackage(root, "two/x"), { folder: "two", package: "x" });
    await assert.rejects(choosePackage(root, undefined), /several Cargo projects: "one", "two"/);
  });
  await withFolders({ "only": "lone", "only/in": "inner" }, async (root) => {
    assert.deepEqual(await choosePackage(root, "only"), { folder: "only" });
    assert.deepEqual(await choosePackage(root, "in"), { folder: "only", package: "inner" });
  });
  await withFolders({}, (root) => assert.rejects(choosePackage(root, undefined), /no Cargo\.toml/));
});

Deno.test("builtinTools() has the Rust tools only where there is a Cargo project", async () => {
  const names = async (root: string) => {
    const { shell } = DEFAULT_SETTINGS;
    const tools = await builtinTools({ shell, commands: new CommandRegistry(), root });
    return tools.map(({ name }) => name).filter((name) => /cargo|rust|crates/.test(name))
      .toSorted();
  };
  await withFolders({}, async (root) => assert.deepEqual(await names(root), []));
  await withFolders({ "a/b": "b" }, async (root) =>
    assert.deepEqual(await names(root), [
      "cargo_check",
      "cargo_clippy",
      "cargo_fix",
      "cargo_test",
      "crates_io_lookup",
      "rustc_explain",
      "rustdoc_lookup",
    ]));
});
