import assert from "node:assert/strict";
import { joinPath } from "../../../core/base/paths.ts";
import { runTrustCommand, type TrustArguments } from "../../../core/cli/trust_command.ts";
import { loadSettings } from "../../../core/config/load_settings.ts";
import { sha256Hex } from "../../../core/security/sha256.ts";
import { TrustStore } from "../../../core/security/trust_store.ts";
import { tempFolder } from "../../support/spawned_rho.ts";

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The reviewed files, relative to the root. */
  readonly trusted: readonly string[];
}

const FILES = {
  "AGENTS.md": "Obey\u001b[2J\n\n| me\n",
  ".rho/config.toml": "agent.provider = 'x'\n",
};

async function run(
  args: Partial<TrustArguments>,
  options: { answers?: string; files?: Readonly<Record<string, string>>; cwd?: string } = {},
): Promise<Outcome> {
  const folder = await tempFolder("trust");
  const root = joinPath(folder, "project");
  const home = joinPath(folder, "home");
  try {
    await Deno.mkdir(joinPath(root, ".rho"), { recursive: true });
    await Deno.mkdir(joinPath(root, ".git"));
    for (const [name, text] of Object.entries(options.files ?? FILES)) {
      await Deno.writeTextFile(joinPath(root, name), text);
    }
    let [stdout, stderr] = ["", ""];
    const { answers } = options;
    const code = await runTrustCommand({ list: false, all: false, paths: [], ...args }, {
      stdin: new Blob([answers ?? ""]).stream(),
      stdout: {
        // A sink that takes less than it is given.
        write: (bytes) => {
          stdout += new TextDecoder().decode(bytes.subarray(0, 4096));
          return Promise.resolve(Math.min(bytes.length, 4096));
        },
      },
      stderr: (text) => stderr += text,
      env: { RHO_HOME: home, HOME: folder },
      cwd: options.cwd === undefined ? root : joinPath(root, options.cwd),
      isTerminal: answers !== undefined,
    });
    const trusted = (await new TrustStore({ home }).list()).map(({ path }) =>
      path.slice(root.length + 1)
    );
    return { code, stdout, stderr, trusted };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const SHOWN = ".rho/config.toml (config)\n| agent.provider = 'x'\nTrust this file? [y/N] ";

Deno.test("rho trust shows each file and asks", async () => {
  assert.deepEqual(await run({}, { answers: "y\nno\n" }), {
    code: 0,
    stdout: `${SHOWN}Trusted .rho/config.toml\n` +
      "AGENTS.md (context)\n| Obey\\u{1b}[2J\n| \n| | me\n" +
      "Trust this file? [y/N] Left out AGENTS.md\n",
    stderr: "",
    trusted: [".rho/config.toml"],
  });
});

Deno.test("rho trust takes anything but yes for no, and the end of the input for the end", async () => {
  assert.deepEqual((await run({}, { answers: "\nYES\n" })).trusted, ["AGENTS.md"]);
  assert.deepEqual((await run({}, { answers: "yesterday\ny" })).trusted, ["AGENTS.md"]);
  const { code, stdout, trusted } = await run({}, { answers: "" });
  assert.deepEqual([code, stdout, trusted], [0, `${SHOWN}\n`, []]);
});

Deno.test("rho trust --list says what waits, with kind and hash", async () => {
  const hash = (text: string) => sha256Hex(new TextEncoder().encode(text));
  const { code, stdout, trusted } = await run({ list: true });
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `config    ${await hash(FILES[".rho/config.toml"])} .rho/config.toml\n` +
      `context   ${await hash(FILES["AGENTS.md"])} AGENTS.md\n`,
  );
  assert.deepEqual(trusted, []);
});

Deno.test("rho trust without a terminal lists, says what to do and exits with 1", async () => {
  const { code, stdout, stderr, trusted } = await run({});
  assert.equal(code, 1);
  assert.equal(stdout.split("\n").length, 3);
  assert.equal(
    stderr,
    "rho: error: Nobody can be asked here; run rho trust in a terminal, or name the files or --all\n",
  );
  assert.deepEqual(trusted, []);
});

Deno.test("rho trust --all trusts everything, also what a reviewed configuration names", async () => {
  const files = { ...FILES, ".rho/config.toml": "context.scan_list = ['more.md']", "more.md": "m" };
  const { code, stdout, trusted } = await run({ all: true }, { files });
  assert.equal(code, 0);
  assert.deepEqual(trusted, [".rho/config.toml", "AGENTS.md", "more.md"]);
  assert.equal(stdout, "Trusted .rho/config.toml\nTrusted AGENTS.md\nTrusted more.md\n");
});

Deno.test("rho trust trusts the files that are named, relative to the working directory", async () => {
  const here = await run({ paths: ["config.toml"] }, { cwd: ".rho" });
  assert.deepEqual([here.code, here.trusted], [0, [".rho/config.toml"]]);
  const { code, stderr, trusted } = await run({ paths: ["AGENTS.md", "x.md"] });
  assert.deepEqual([code, trusted], [1, ["AGENTS.md"]]);
  assert.equal(
    stderr,
    'rho: error: Cannot trust "x.md": it does not wait for a review; see rho trust --list\n',
  );
});

Deno.test("rho trust has nothing to do in a project without such files", async () => {
  const { code, stdout } = await run({}, { files: {} });
  assert.deepEqual([code, stdout], [0, "Nothing waits for a review\n"]);
});

Deno.test("what rho trust trusts counts at the next start", async () => {
  const folder = await tempFolder("trust");
  try {
    const home = joinPath(folder, "home");
    await Deno.mkdir(joinPath(folder, ".rho"));
    await Deno.writeTextFile(joinPath(folder, ".rho", "config.toml"), "agent.retry_budget = 9");
    const load = async () => {
      const store = new TrustStore({ home });
      return (await loadSettings({ home, root: folder, store })).settings.agent.retryBudget;
    };
    assert.equal(await load(), 4);
    const io = {
      stdin: new Blob([]).stream(),
      stdout: { write: (bytes: Uint8Array) => Promise.resolve(bytes.length) },
      stderr: () => {},
      env: { RHO_HOME: home },
      cwd: folder,
    };
    await runTrustCommand({ list: false, all: true, paths: [], root: folder }, io);
    assert.equal(await load(), 9);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
