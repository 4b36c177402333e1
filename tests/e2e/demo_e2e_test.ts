import assert from "node:assert/strict";
import { joinPath } from "../../core/base/paths.ts";
import { rhoEnv, RUN_ARGS, SpawnedRho, tempFolder } from "../support/spawned_rho.ts";

async function demo(...args: string[]): Promise<{ code: number; stdout: string; ms: number }> {
  const folder = await tempFolder("demo");
  const temp = `${folder}/temp`;
  await Deno.mkdir(temp);
  try {
    const startedMs = performance.now();
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...RUN_ARGS, "demo", ...args],
      cwd: folder,
      clearEnv: true,
      // A proxy that does not answer: loopback must not go there.
      env: rhoEnv(`${folder}/home`, { TMPDIR: temp, HTTP_PROXY: "http://127.0.0.1:9" }),
    }).output();
    const decoder = new TextDecoder();
    assert.equal(decoder.decode(stderr), "");
    assert.deepEqual([...Deno.readDirSync(temp)], [], "the demo left something behind");
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["temp"]);
    return { code, stdout: decoder.decode(stdout), ms: performance.now() - startedMs };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("e2e: the demo shows a listing, a reading, an approved edit, a test run and the reply", async () => {
  const { code, stdout, ms } = await demo();
  assert.equal(code, 0);
  const wanted = [
    /^tool +list_dir/m,
    /^tool +read_file/m,
    /^tool +edit_file/m,
    /^approve\? +--- a\/greet/m,
    /^you +yes$/m,
    /^tool +run_command/m,
    /ok: Hello, rho!/,
    /^model +I mended the spelling/m,
    /^end +stop after 5 model responses and 4 tool calls/m,
  ];
  let at = 0;
  for (const pattern of wanted) {
    const found = pattern.exec(stdout.slice(at));
    assert.ok(found !== null, `${pattern} in ${stdout}`);
    at += found.index;
  }
  assert.ok(ms < 5_000, `it took ${ms} ms`);
});

Deno.test("e2e: demo --rpc shows the raw protocol", async () => {
  const { code, stdout } = await demo("--rpc");
  assert.equal(code, 0);
  const messages = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(messages[0].method, "ready");
  assert.equal(messages.at(-1).result.finishReason, "stop");
  assert.equal(messages.filter(({ method }) => method === "approval/request").length, 2);
});

Deno.test("e2e: the preset demo answers in any project, without a server or a network", async () => {
  const home = await tempFolder("demo-home");
  try {
    await Deno.writeTextFile(
      joinPath(home, "config.toml"),
      '[[providers]]\npreset = "demo"\ndefault_model = "scripted"\n',
    );
    await using rho = await SpawnedRho.start({ home, args: ["--ephemeral"] });
    await rho.write("one.txt", "1");
    await rho.write("two.txt", "2");
    for (const message of ["hello", "again"]) {
      const result = await rho.client.request("prompt", { message });
      assert.ok("reply" in result);
      assert.match(result.reply, /scripted model .* has 2 files/);
      assert.equal(result.iterations, 2);
    }
    assert.deepEqual(await rho.end(), { code: 0, stderr: "" });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
