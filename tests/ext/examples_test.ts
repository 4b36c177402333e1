import assert from "node:assert/strict";
import { ExtensionRig } from "./_extension_rig.ts";

const FOLDER = new URL("../../ext/examples/", import.meta.url);

function example(name: string): string {
  return Deno.readTextFileSync(new URL(name, FOLDER));
}

const signal = new AbortController().signal;

Deno.test("example error-code fetches the text of a code", async () => {
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) =>
      request.url.endsWith("/E0502.md")
        ? new Response("Borrowed twice.")
        : new Response("", { status: 404 }),
  );
  await using rig = await ExtensionRig.start({
    user: { "error-code.ts": example("error-code.ts") },
    settings: { config: { "error-code": { base: `http://127.0.0.1:${server.addr.port}` } } },
  });
  assert.equal(await rig.text("rust_error_code", { code: "E0502" }), "Borrowed twice.");
  assert.equal((await rig.call("rust_error_code", { code: "E9999" })).isError, true);
  assert.match(await rig.text("rust_error_code", { code: "../x" }), /no error code/);
});

Deno.test("example no-force blocks a forced push and nothing else", async () => {
  await using rig = await ExtensionRig.start({
    user: { "no-force.ts": example("no-force.ts") },
  });
  const judge = (command: string) =>
    rig.manager.hooks.onToolCall(
      { toolName: "run_command", arguments: JSON.stringify({ command }), callId: "c" },
      { signal },
    );
  assert.deepEqual(await judge("git push --force origin main"), {
    type: "block",
    reason: 'the extension "no-force" blocked it: forced pushes are not allowed here',
  });
  assert.deepEqual(await judge("git push origin main"), { type: "continue" });
});

Deno.test("example rust_docs lists public items with their documentation", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "rust_docs/mod.ts": example("rust_docs/mod.ts"),
      "rust_docs/exported_items.ts": example("rust_docs/exported_items.ts"),
    },
    project: {
      "src/a/lib.rs": "/// Adds.\n/// More.\n#[inline]\npub fn add() {}\nfn no() {}\npub struct P;",
    },
  });
  const { parameters } = rig.tool("rust_public_items");
  assert.equal(JSON.stringify(parameters).includes("src/**/*.rs"), true);
  assert.equal(
    await rig.text("rust_public_items", { glob: "src/**/*.rs" }),
    "src/a/lib.rs: fn add – Adds.\nsrc/a/lib.rs: struct P",
  );
});

Deno.test("example notes keeps notes in the session", async () => {
  await using rig = await ExtensionRig.start({ user: { "notes.ts": example("notes.ts") } });
  assert.equal(await rig.manager.runCommand("notes", undefined), "No notes yet");
  assert.equal(await rig.text("add_note", { text: "buy milk" }), "Note 1 is kept");
  assert.equal(await rig.manager.runCommand("notes:notes", undefined), "1. buy milk");
  assert.deepEqual(rig.session.readCustomState("rho-examples.notes.v1"), ["buy milk"]);
});

Deno.test("example format-on-write runs the formatter after a write", async () => {
  await using rig = await ExtensionRig.start({
    user: { "format-on-write.ts": example("format-on-write.ts") },
    project: { "a.up": "shout\n" },
    settings: {
      config: { "format-on-write": { formatters: { up: ["sed", "-i", "s/shout/SHOUT/"] } } },
    },
  });
  const call = { toolName: "write_file", callId: "c1" };
  await rig.manager.hooks.onToolCall({ ...call, arguments: '{"path":"a.up"}' }, { signal });
  const result = await rig.manager.hooks.onToolResult(
    { ...call, output: "Wrote it.", isError: false },
    { signal },
  );
  assert.match(result?.output ?? "", /^Wrote it\.\nFormatted/);
  assert.equal(Deno.readTextFileSync(`${rig.root}/a.up`), "SHOUT\n");
});
