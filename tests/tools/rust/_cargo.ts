import { SILENT_LOGGER } from "../../../core/base/log.ts";
import { SandboxRoot } from "../../../core/security/sandbox.ts";
import { FileTracker } from "../../../sessions/file_tracker.ts";
import { type CargoArgs, createCargoTools } from "../../../tools/rust/cargo_tools.ts";
import { CommandRegistry } from "../../../tools/shell/command_registry.ts";
import { findProgram } from "../../../tools/shell/find_program.ts";
import type { Tool, ToolContext, ToolResult } from "../../../tools/tool.ts";

/** Whether the machine has cargo; tests that need it are ignored otherwise. */
export const HAS_CARGO = findProgram("cargo", { env: Deno.env.toObject() }) !== undefined;

/** For titles of tests: why they are ignored. */
export const NEEDS_CARGO = HAS_CARGO ? "" : " [ignored: no cargo on this machine]";

/** A copy of a fixture with the tools. */
export interface CargoBench {
  readonly root: string;
  readonly commands: CommandRegistry;
  readonly tools: readonly Tool<CargoArgs>[];
  readonly tool: (name: string) => Tool<CargoArgs>;
  readonly call: (
    name: string,
    args: CargoArgs,
    context?: Partial<ToolContext>,
  ) => Promise<ToolResult>;
}

/**
 * One target folder and one place for the copies of all tests of a file, so that a fixture is built
 * once: cargo goes by the paths and the times of files.
 */
const SHARED = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rho cargo " }));
globalThis.addEventListener("unload", () => {
  try {
    Deno.removeSync(SHARED, { recursive: true });
  } catch {
    // The machine's temporary folder is cleaned anyway.
  }
});
const WRITTEN = new Date("2026-01-01T00:00:00Z");

/** Options of {@linkcode withCargo}. */
export interface WithCargoOptions {
  readonly env?: Record<string, string>;
  readonly timeoutMs?: number;
  /** For tests that change files: a place and a build of their own. */
  readonly isChanged?: boolean;
}

/** Copies a fixture and lends tools for it. */
export async function withCargo(
  fixture: string,
  body: (bench: CargoBench) => Promise<void>,
  options: WithCargoOptions = {},
): Promise<void> {
  const folder = options.isChanged === true ? `${SHARED}/${crypto.randomUUID()}` : SHARED;
  const root = `${folder}/${fixture}`;
  // Two copies of one workspace must not share it: cargo cannot tell their packages apart.
  const target = `${folder}/target`;
  const commands = new CommandRegistry({ graceMs: 150 });
  try {
    copyFolder(fixturePath(fixture), root);
    const sandbox = await SandboxRoot.open(root);
    const tools = createCargoTools({
      commands,
      passEnv: [],
      env: () => ({ ...Deno.env.toObject(), CARGO_TARGET_DIR: target, ...options.env }),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    });
    const tool = (name: string) => {
      const found = tools.find((candidate) => candidate.name === name);
      if (found === undefined) throw new TypeError(`no tool ${name}`);
      return found;
    };
    const context: ToolContext = {
      signal: new AbortController().signal,
      sandbox,
      tracker: new FileTracker(),
      progress: () => {},
      logger: SILENT_LOGGER,
      callId: "1",
      maxOutputBytes: 65_536,
    };
    const call: CargoBench["call"] = (name, args, extra = {}) =>
      tool(name).execute(args, { ...context, ...extra });
    await body({ root, commands, tools, tool, call });
  } finally {
    await commands.killAll();
    Deno.removeSync(root, { recursive: true });
  }
}

/** The risk of a call, as the agent asks for it. */
export function riskOf(tool: Tool<CargoArgs>, args: CargoArgs): string {
  return typeof tool.risk === "function" ? tool.risk(args) : tool.risk;
}

function fixturePath(name: string): string {
  return new URL(`../../fixtures/rust/${name}`, import.meta.url).pathname;
}

function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copyFolder(`${from}/${name}`, `${to}/${name}`);
    else {
      Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
      Deno.utimeSync(`${to}/${name}`, WRITTEN, WRITTEN);
    }
  }
}
