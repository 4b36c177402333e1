import assert from "node:assert/strict";
import { CommandRegistry } from "../../../tools/shell/command_registry.ts";
import { spawnCommand, type SpawnCommandOptions } from "../../../tools/shell/spawner.ts";

/** What {@linkcode withCommands} lends to a test. */
export interface CommandBench {
  readonly commands: CommandRegistry;
  /** A temporary folder, removed afterwards. */
  readonly folder: string;
  /** An environment that marks every process of this test. */
  readonly env: Record<string, string>;
  /** Runs a script in `sh`, both streams in one. */
  readonly run: (
    script: string,
    options?: Partial<SpawnCommandOptions>,
  ) => ReturnType<typeof spawnCommand>;
  /** Command lines of the living processes that carry the mark. */
  readonly alive: () => string[];
  /** Kills all processes that carry the mark. */
  readonly killMarked: () => void;
  /** Fails unless all processes with the mark are gone within a second. */
  readonly assertGone: () => Promise<void>;
}

const MARK_NAME = "RHO_TEST_MARK";

/** Runs a test with a registry of its own and checks that no process outlives it. */
export async function withCommands(
  test: (bench: CommandBench) => Promise<void>,
  options: { readonly graceMs?: number } = {},
): Promise<void> {
  const commands = new CommandRegistry({ graceMs: options.graceMs ?? 150 });
  const folder = await Deno.makeTempDir({ prefix: "rho test ü " });
  const mark = crypto.randomUUID();
  const env = {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: Deno.env.get("HOME") ?? folder,
    [MARK_NAME]: mark,
  };
  const alive = () => markedProcesses(mark);
  const killMarked = () => marked(mark).forEach(({ pid }) => killQuietly(pid));
  const assertGone = () => waitUntilGone(alive);
  const run: CommandBench["run"] = (script, extra = {}) =>
    spawnCommand({
      program: "sh",
      args: ["-c", script],
      cwd: folder,
      env,
      commands,
      mergeStreams: true,
      ...extra,
    });
  try {
    await test({ commands, folder, env, run, alive, killMarked, assertGone });
    await commands.killAll();
    await assertGone();
  } finally {
    await commands.killAll();
    killMarked();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Waits until a condition holds; fails after two seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`not within two seconds: ${what}`);
}

async function waitUntilGone(alive: () => string[]): Promise<void> {
  for (let i = 0; i < 100 && alive().length > 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.deepEqual(alive(), []);
}

function markedProcesses(mark: string): string[] {
  return marked(mark).map(({ commandLine }) => commandLine);
}

function marked(mark: string): { pid: number; commandLine: string }[] {
  const found = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (!Deno.readTextFileSync(`/proc/${name}/environ`).includes(`${MARK_NAME}=${mark}`)) {
        continue;
      }
      const commandLine = Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ");
      found.push({ pid: Number(name), commandLine });
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

function killQuietly(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}
