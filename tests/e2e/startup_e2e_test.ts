import assert from "node:assert/strict";
import { joinPath } from "../../core/base/paths.ts";
import { textTurn } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { rhoEnv, RUN_ARGS, SpawnedRho, tempFolder } from "../support/spawned_rho.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs rho to its end with the given input, in a temporary folder. */
async function run(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string>; prepare?: (folder: string) => void } =
    {},
): Promise<Ended> {
  const folder = await tempFolder("startup");
  try {
    options.prepare?.(folder);
    const child = new Deno.Command(Deno.execPath(), {
      args: [...RUN_ARGS, ...args],
      cwd: folder,
      clearEnv: true,
      env: rhoEnv(joinPath(folder, "home"), options.env),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.input ?? "")).catch(() => {});
    await writer.close().catch(() => {});
    const { code, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const LOCAL = ["--endpoint", "http://127.0.0.1:9/v1/chat/completions", "--model", "m"];

Deno.test("e2e: a bad command line is two lines on stderr and exit 2", async () => {
  const { code, stdout, stderr } = await run(["--modle", "x"]);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.equal(
    stderr,
    'rho: Unknown flag "--modle"; did you mean --model?\nrho: see rho --help\n',
  );
});

Deno.test("e2e: --help and --version print to stdout and exit 0", async () => {
  const help = await run(["--help"]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^rho: a headless coding agent/);
  const version = await run(["--version"]);
  assert.match(version.stdout, /^rho \d+\.\d+\.\d+ \(source, deno /);
});

Deno.test("e2e: without a local model, consent is asked for and rho exits with 3", async () => {
  const { code, stdout, stderr } = await run([]);
  assert.equal(code, 3);
  assert.equal(stdout, "");
  assert.match(
    stderr,
    /^rho: Provider "openrouter" is external: .* openrouter\.ai\. .*--endpoint/m,
  );
});

Deno.test("e2e: a start that cannot go on is one line that says what to do, exit 1", async () => {
  const table: readonly (readonly [string[], RegExp])[] = [
    [
      ["--endpoint", "http://127.0.0.1:9/v1/chat/completions"],
      /pass --model <id> or set RHO_MODEL/,
    ],
    [[...LOCAL, "--root", "/no/such/folder"], /Cannot use the root "\/no\/such\/folder"/],
    [[...LOCAL, "--system-file", "missing.md"], /Cannot read --system-file "missing\.md"/],
    [[...LOCAL, "--session", "deadbeef"], /deadbeef/],
    [[...LOCAL, "--session", "package.json"], /package\.json/],
    [[...LOCAL, "--session", "empty.jsonl"], /empty/],
  ];
  for (const [args, message] of table) {
    const { code, stdout, stderr } = await run(args, {
      prepare: (folder) => {
        Deno.writeTextFileSync(joinPath(folder, "package.json"), '{\n  "name": "x"\n}\n');
        Deno.writeTextFileSync(joinPath(folder, "empty.jsonl"), "");
      },
    });
    assert.equal(code, 1, `${args.join(" ")}: ${stderr}`);
    assert.equal(stdout, "");
    assert.match(stderr, message);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
});

Deno.test("e2e: the model may come from RHO_MODEL", async () => {
  const { stdout } = await run(["--endpoint", "http://127.0.0.1:9/v1", "--ephemeral"], {
    env: { RHO_MODEL: "from-env" },
    input: '{"jsonrpc":"2.0","method":"getState","id":1}\n',
  });
  assert.match(stdout, /"model":"from-env","provider":"127\.0\.0\.1:9"/);
});

Deno.test("e2e: a folder without a marker is used with a warning", async () => {
  const { code, stderr } = await run([...LOCAL, "--ephemeral"]);
  assert.equal(code, 0);
  assert.match(stderr, /^rho: warn: No project marker found/);
});

Deno.test("e2e: the last line needs no line feed", async () => {
  const { stdout } = await run([...LOCAL, "--ephemeral"], {
    input: '{"jsonrpc":"2.0","method":"getState","id":1}',
  });
  assert.match(stdout, /"id":1\}\n$/);
});

Deno.test("e2e: a server that is down is retried, told, and rho keeps serving", async () => {
  const server = await startScriptedServer([]);
  const { endpoint } = server;
  await server.close();
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", endpoint, "--model", "m", "--ephemeral"],
  });
  const turn = rho.client.request("prompt", { message: "hi" });
  const retry = await rho.waitFor("retry");
  assert.match(retry.error, /127\.0\.0\.1/);
  await rho.client.request("abort", {});
  assert.equal((await turn as { finishReason: string }).finishReason, "cancelled");
  assert.equal((await rho.client.request("getState", {})).state, "idle");
});

Deno.test("e2e: a refused key fails the turn once, with the likely fix", async () => {
  await using server = await startScriptedServer([
    { status: 401, headers: { "content-type": "application/json" }, chunks: ['{"error":{}}'] },
    textTurn("ok"),
  ]);
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", server.endpoint, "--model", "m", "--ephemeral", "--api-key-env", "NO_KEY"],
  });
  await assert.rejects(
    rho.client.request("prompt", { message: "hi" }),
    (error: Error & { rpcCode: number; rpcData: unknown }) => {
      assert.equal(error.rpcCode, -32000);
      assert.match(error.message, /NO_KEY/);
      assert.deepEqual(error.rpcData, {
        code: "auth_failed",
        finishReason: "error",
        retriable: false,
      });
      return true;
    },
  );
  assert.equal(rho.of("agent/error")[0]?.code, "auth_failed");
  assert.deepEqual(rho.of("retry"), []);
  assert.equal(
    (await rho.client.request("prompt", { message: "x" }) as { reply: string }).reply,
    "ok",
  );
});
