import assert from "node:assert/strict";
import { safeParse } from "valibot";
import { globMatcher } from "../../ext/glob.ts";
import { schemaFromJson } from "../../ext/json_schema_check.ts";
import { watchExtensions } from "../../ext/watch_extensions.ts";
import { MAIN, rhoEnv } from "../support/spawned_rho.ts";
import { ExtensionRig, oneTool } from "./_extension_rig.ts";

Deno.test("globMatcher() knows *, ?, ** and braces, and is linear", () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["*.ts", "a.ts", true],
    ["*.ts", "a/b.ts", false],
    ["**/*.ts", "a.ts", true],
    ["src/**/*.{rs,toml}", "src/a/b/c.toml", true],
    ["src/**", "src/a/b", true],
    ["a?c", "abc", true],
    ["./a", "a", true],
    ["**/x/**", "a/y/b", false],
  ];
  for (const [glob, path, expected] of rows) assert.equal(globMatcher(glob)(path), expected, glob);
  const startMs = performance.now();
  globMatcher("*a".repeat(2_000) + "b")("a".repeat(20_000));
  assert.ok(performance.now() - startMs < 2_000);
});

Deno.test("schemaFromJson() fills in defaults and names what is wrong", () => {
  const schema = schemaFromJson({
    type: "object",
    properties: { n: { type: "integer", default: 3, maximum: 5 }, s: { enum: ["a"] } },
    required: ["s"],
    additionalProperties: false,
  });
  assert.deepEqual(safeParse(schema, { s: "a" }).output, { s: "a", n: 3 });
  const text = (value: unknown) => safeParse(schema, value).issues?.[0]?.message;
  assert.match(text({}) ?? "", /parameter "s" is missing/);
  assert.match(text({ s: "b" }) ?? "", /must be one of \["a"\]/);
  assert.match(text({ s: "a", n: 9 }) ?? "", /breaks maximum 5/);
  assert.match(text({ s: "a", x: 1 }) ?? "", /"x" is not known/);
});

Deno.test("watchExtensions() reloads after a save, but never inside a turn", async () => {
  await using rig = await ExtensionRig.start({ user: { "a.ts": oneTool("a", "return 1;") } });
  let isRunning = true;
  const reloads: unknown[] = [];
  const watch = watchExtensions({
    home: rig.home,
    root: rig.root,
    isTurnRunning: () => isRunning,
    reload: async () => void reloads.push(await rig.manager.reload()),
    logger: rig.logger,
    quietMs: 20,
  });
  rig.write(`${rig.home}/extensions/a.ts`, oneTool("a", "return 2;"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(reloads.length, 0);
  isRunning = false;
  for (let i = 0; i < 300 && reloads.length === 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  watch.close();
  assert.equal(await rig.text("a"), "2");
});

Deno.test("B121: a hook that never settles is skipped, or blocks with on_hook_error", async () => {
  const user = {
    "mute.ts": `export default { name: "mute", version: "1",
      hooks: { async onToolCall() { await new Promise(() => {}); }, onTurnStart() { throw new Error("no"); } } };`,
    "next.ts": `export default { name: "next", version: "1",
      hooks: { onToolCall() { return { action: "block", reason: "mine" }; } } };`,
  };
  const defaults = { network: true, commands: true, maxMemoryMb: 64, maxExecutionMs: 200 };
  const call = { toolName: "x", arguments: "{}", callId: "c" };
  const signal = new AbortController().signal;
  for (const onHookError of ["skip", "block"] as const) {
    await using rig = await ExtensionRig.start({ user, settings: { defaults, onHookError } });
    await rig.manager.hooks.onTurnStart({ sessionId: "s", cursorId: "c0" }, { signal });
    const verdict = await rig.manager.hooks.onToolCall(call, { signal });
    assert.equal(verdict.type, "block");
    const pattern = onHookError === "skip" ? /"next" blocked it: mine/ : /hook of "mute" failed/;
    assert.match(verdict.type === "block" ? verdict.reason : "", pattern);
    assert.ok(rig.said.some(({ message }) => /onTurnStart.*"mute" failed: no/.test(message)));
  }
});

Deno.test("rho ext init writes what rho ext check accepts, and check fails for a problem", async () => {
  const home = await Deno.makeTempDir();
  const rho = async (...args: string[]) => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-prompt", MAIN, "ext", ...args],
      clearEnv: true,
      env: rhoEnv(home),
    }).output();
    return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
  };
  assert.equal((await rho("init", "my-thing")).code, 0);
  const good = await rho("check", `${home}/extensions/my-thing.ts`);
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /my-thing 1\.0\.0\n {2}tool {5}my_thing_greet \(read\)/);
  assert.equal((await rho("init", "my-thing")).code, 1);
  await Deno.writeTextFile(`${home}/extensions/bad.ts`, `import "fs"; export default {};`);
  const bad = await rho("check", `${home}/extensions/bad.ts`);
  assert.equal(bad.code, 1);
  assert.match(bad.err, /bad\.ts:1:1: Cannot import "fs"/);
  await Deno.remove(home, { recursive: true });
});
