import assert from "node:assert/strict";
import { startAimock } from "../support/aimock_server.ts";
import { rhoEnv, RUN_ARGS, tempFolder } from "../support/spawned_rho.ts";

async function doctor(
  prepare: (place: { project: string; home: string }) => Promise<void>,
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const project = await tempFolder("doctor");
  const home = `${project}/home`;
  try {
    await Deno.mkdir(home);
    await prepare({ project, home });
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...RUN_ARGS, "doctor"],
      cwd: project,
      clearEnv: true,
      env: rhoEnv(home, env),
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } finally {
    await Deno.remove(project, { recursive: true });
  }
}

Deno.test("e2e: rho doctor says what it found and exits with 0 when all is well", async () => {
  await using server = await startAimock(() => {});
  const { code, stdout, stderr } = await doctor(async ({ project, home }) => {
    await Deno.writeTextFile(`${project}/package.json`, "{}");
    await Deno.writeTextFile(`${project}/AGENTS.md`, "Be brief.");
    await Deno.writeTextFile(
      `${home}/config.toml`,
      `[[providers]]\nname = "mock"\nendpoint = "${server.url}/v1/chat/completions"\n` +
        'default_model = "m"\n',
    );
  });
  assert.equal(code, 0, stdout + stderr);
  assert.equal(stderr, "");
  assert.match(stdout, /^ok +root +\/.*doctor/m);
  assert.match(stdout, /^ok +model +m at mock \(127\.0\.0\.1:\d+\)/m);
  assert.match(stdout, /^ok +provider mock, local, .* answers with \d+ models/m);
  assert.match(stdout, /^ok +shell +/m);
  assert.match(stdout, /^note +trust +.*AGENTS\.md \(context\) waits for a review: rho trust$/m);
});

Deno.test("e2e: rho doctor names every problem and exits with 1", async () => {
  const { code, stdout } = await doctor(async ({ home }) => {
    await Deno.writeTextFile(
      `${home}/config.toml`,
      '[[providers]]\nname = "gone"\nendpoint = "http://127.0.0.1:9/v1/chat/completions"\n' +
        'default_model = "m"\napi_key_env = "NO_SUCH_KEY"\n',
    );
  });
  assert.equal(code, 1);
  assert.match(stdout, /^note +root .*no project marker found/m);
  assert.match(stdout, /^problem +provider gone, local, 127\.0\.0\.1:9; NO_SUCH_KEY is not set; /m);
  const broken = await doctor(({ home }) => Deno.writeTextFile(`${home}/config.toml`, "x = = 1"));
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /^problem +config +.*line 1, column/m);
});

Deno.test("e2e: rho schema prints the kept document", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...RUN_ARGS, "schema"],
  }).output();
  assert.equal(code, 0);
  const kept = await Deno.readTextFile(new URL("../../docs/openrpc.json", import.meta.url));
  assert.equal(new TextDecoder().decode(stdout), kept);
});
