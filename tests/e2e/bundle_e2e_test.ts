import assert from "node:assert/strict";
import { RpcClient, type RpcNotification } from "../../core/rpc/client.ts";
import { textTurn, toolTurn } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { rhoEnv, tempFolder } from "../support/spawned_rho.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What a compiled binary cannot do either: no sources, no packages, no configuration of deno. */
const RUN_ALONE = ["run", "-A", "--no-prompt", "--no-config", "--no-npm", "--no-remote"];

/** Bundles the app as the binaries are built, and runs it from a folder with nothing else in it. */
async function withBundle(
  use: (app: { main: string; env: Record<string, string>; folder: string }) => Promise<void>,
): Promise<void> {
  const folder = await tempFolder("bundle");
  try {
    const bundled = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "--quiet", "--code-splitting", "--outdir", `${folder}/app`, "main.ts"],
      cwd: ROOT,
      stdout: "null",
      stderr: "piped",
    }).output();
    assert.ok(bundled.success, new TextDecoder().decode(bundled.stderr));
    await Deno.mkdir(`${folder}/project`);
    const env = { ...rhoEnv(`${folder}/home`), DENO_DIR: `${folder}/deno` };
    await use({ main: `${folder}/app/main.js`, env, folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("e2e: the bundled app runs the demo, a turn and a resume without any source", async () => {
  await withBundle(async ({ main, env, folder }) => {
    const demo = await new Deno.Command(Deno.execPath(), {
      args: [...RUN_ALONE, main, "demo"],
      cwd: `${folder}/project`,
      clearEnv: true,
      env,
    }).output();
    assert.equal(demo.code, 0, new TextDecoder().decode(demo.stderr));
    assert.match(new TextDecoder().decode(demo.stdout), /the tests pass/);

    await using server = await startScriptedServer([
      toolTurn([{ id: "w", name: "write_file", arguments: { path: "a.txt", content: "x\n" } }]),
      textTurn("one"),
      textTurn("two"),
    ]);
    const prompt = async (message: string, ...more: string[]): Promise<RpcNotification[]> => {
      const notifications: RpcNotification[] = [];
      const client = RpcClient.spawn({
        command: Deno.execPath(),
        args: [
          ...[...RUN_ALONE, main, "--root", `${folder}/project`, "--approve", "all"],
          ...["--endpoint", server.endpoint, "--model", "m", ...more],
        ],
        cwd: `${folder}/project`,
        env,
        clearEnv: true,
        onNotification: (notification) => notifications.push(notification),
      });
      await client.request("prompt", { message });
      assert.equal((await client.close())?.code, 0);
      return notifications;
    };
    await prompt("first");
    assert.equal(await Deno.readTextFile(`${folder}/project/a.txt`), "x\n");
    await prompt("second", "-c");
    const contents = server.requests[2]?.json.messages.map((message: { role: string }) =>
      message.role
    );
    assert.deepEqual(contents, ["system", "user", "assistant", "tool", "assistant", "user"]);
  });
});
