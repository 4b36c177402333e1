import assert from "node:assert/strict";
import { textTurn, toolTurn } from "./support/chat_chunks.ts";
import { startScriptedServer } from "./support/scripted_server.ts";
import { rhoEnv, tempFolder } from "./support/spawned_rho.ts";

const ROOT = new URL("../", import.meta.url);

/** The code blocks of a language in a page, in order. */
function codeBlocks(page: string, language: string): string[] {
  const text = Deno.readTextFileSync(new URL(page, ROOT));
  return [...text.matchAll(new RegExp("```" + language + "\\n([\\s\\S]*?)```", "g"))]
    .map((found) => found[1] ?? "");
}

Deno.test("docs: the program of the library page runs as it stands", async () => {
  const [program = ""] = codeBlocks("docs/library.md", "ts");
  await using server = await startScriptedServer([
    toolTurn([{ id: "c", name: "read_file", arguments: { path: "README.md" } }]),
    textTurn("It says hello."),
  ]);
  const project = await tempFolder("docs");
  const file = new URL(`docs/.library_${crypto.randomUUID()}.ts`, ROOT);
  try {
    await Deno.writeTextFile(`${project}/README.md`, "hello\n");
    await Deno.writeTextFile(file, program);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-prompt", "--check", file.pathname],
      cwd: project,
      clearEnv: true,
      env: rhoEnv(project, { MODEL_ENDPOINT: server.endpoint }),
    }).output();
    const decoder = new TextDecoder();
    assert.equal(code, 0, decoder.decode(stderr));
    assert.equal(decoder.decode(stdout), "stop It says hello.\n");
    assert.match(decoder.decode(stderr), /^read_file$/m);
    assert.match(server.requests[1]?.json.messages.at(-1).content, /hello/);
  } finally {
    await Deno.remove(file);
    await Deno.remove(project, { recursive: true });
  }
});

/** Runs a client program of the docs against a server that wants a file written, then replies. */
async function runClient(program: string[], file: { name: string; text: string }): Promise<void> {
  await using server = await startScriptedServer([
    toolTurn([
      { id: "w", name: "write_file", arguments: { path: "new.txt", content: "written" } },
      { id: "c", name: "run_command", arguments: { command: "touch canary" } },
    ]),
    textTurn("I wrote it."),
  ]);
  const project = await tempFolder("client");
  try {
    await Deno.writeTextFile(`${project}/${file.name}`, file.text);
    const main = new URL("../main.ts", import.meta.url).pathname;
    const { code, stdout, stderr } = await new Deno.Command(program[0] ?? "", {
      args: [...program.slice(1), file.name, "Write it"],
      cwd: project,
      clearEnv: true,
      env: rhoEnv(`${project}/home`, {
        RHO: `${Deno.execPath()} run -A --no-prompt ${main} --root . --ephemeral ` +
          `--endpoint ${server.endpoint} --model m`,
      }),
    }).output();
    const decoder = new TextDecoder();
    assert.equal(code, 0, decoder.decode(stderr));
    assert.equal(decoder.decode(stdout), "I wrote it.\n(stop)\n");
    assert.match(decoder.decode(stderr), /\[write_file /);
    assert.equal(await Deno.readTextFile(`${project}/new.txt`), "written");
    await assert.rejects(Deno.stat(`${project}/canary`), Deno.errors.NotFound);
  } finally {
    await Deno.remove(project, { recursive: true });
  }
}

function hasProgram(name: string, check: string): boolean {
  try {
    return new Deno.Command(name, { args: ["-c", check], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false;
  }
}

Deno.test("docs: the Node client runs as it stands", {
  ignore: !hasProgram("sh", "command -v node"),
}, async () => {
  const [text = ""] = codeBlocks("docs/clients.md", "js");
  await runClient(["node"], { name: "client.mjs", text });
});

Deno.test("docs: the Python client runs as it stands", {
  ignore: !hasProgram("python3", "import sys; sys.exit(sys.version_info < (3, 10))"),
}, async () => {
  const [text = ""] = codeBlocks("docs/clients.md", "python");
  await runClient(["python3"], { name: "client.py", text });
});

Deno.test("docs: the README's one-liner prints a whole turn and exits with 0", async () => {
  const [, oneLiner = ""] = [...codeBlocks("README.md", "sh").entries()].flat();
  const command = String(oneLiner);
  assert.match(command, /deno run -A main\.ts --endpoint/);
  await using server = await startScriptedServer([textTurn("Three files.")]);
  const home = await tempFolder("docs-home");
  try {
    const { code, stdout } = await new Deno.Command("sh", {
      args: [
        "-c",
        command.replace(/http:\S+/, () => server.endpoint).replace(
          "deno run",
          () => `${Deno.execPath()} run`,
        ).trim() + " --ephemeral",
      ],
      cwd: ROOT.pathname,
      clearEnv: true,
      env: rhoEnv(home),
      stderr: "inherit",
    }).output();
    assert.equal(code, 0);
    const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
    const last = JSON.parse(lines.at(-1) ?? "");
    assert.equal(last.result.reply, "Three files.");
    assert.equal(JSON.parse(lines[0] ?? "").method, "ready");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("docs: every relative link of a page leads somewhere", () => {
  const pages = ["README.md", "CONTRIBUTING.md", "AGENTS.md"].concat(
    [...Deno.readDirSync(new URL("docs", ROOT))].map(({ name }) => `docs/${name}`)
      .filter((name) => name.endsWith(".md")),
  );
  const broken = pages.flatMap((page) => {
    const text = Deno.readTextFileSync(new URL(page, ROOT));
    return [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map((found) => found[1] ?? "")
      .filter((target) => {
        try {
          Deno.statSync(new URL(target, new URL(page, ROOT)));
          return false;
        } catch {
          return true;
        }
      }).map((target) => `${page} → ${target}`);
  });
  assert.deepEqual(broken, []);
});
