import type { DenylistSettings, ShellSettings } from "../core/config/settings.ts";
import { BATCH_READ } from "./files/batch_read.ts";
import { EDIT_FILE } from "./files/edit_file.ts";
import { LIST_DIR } from "./files/list_dir.ts";
import { READ_FILE } from "./files/read_file.ts";
import { WRITE_FILE } from "./files/write_file.ts";
import type { MemoryTool } from "./memory/memory_tool.ts";
import { cargoFolders } from "./rust/rust_project.ts";
import { FIND_FILES } from "./search/find_files.ts";
import { createSearchFiles } from "./search/search_files.ts";
import type { CommandRegistry } from "./shell/command_registry.ts";
import { READ_OUTPUT } from "./session/read_output.ts";
import { SESSION_SUMMARY } from "./session/session_summary.ts";
import { CommandGuard } from "./shell/command_guard.ts";
import { createRunCommand } from "./shell/run_command.ts";
import { createWaitFor } from "./shell/wait_for.ts";
import type { Tool } from "./tool.ts";

/** Options of {@linkcode builtinTools}. */
export interface BuiltinToolsOptions {
  readonly shell: ShellSettings;
  /**
   * What the command denylist holds besides its built-in rules.
   * @default {DEFAULT_SETTINGS.denylist}
   */
  readonly denylist?: DenylistSettings;
  /**
   * Commands that run unasked: `[approval] commands`.
   * @default {[]}
   */
  readonly approvedCommands?: readonly string[];
  /**
   * The judge of all commands, where extensions share it.
   * @default {new CommandGuard(options)}
   */
  readonly guard?: CommandGuard;
  /** Who owns the processes that the tools start. */
  readonly commands: CommandRegistry;
  /** The canonical root; where it holds a Cargo project the Rust tools join. */
  readonly root?: string;
  /** The memory tool, where it is enabled; whoever made it closes it. */
  readonly memory?: MemoryTool;
}

/** Every tool that comes with rho. Those for Rust are loaded only where they join. */
export async function builtinTools(options: BuiltinToolsOptions): Promise<Tool[]> {
  const guard = options.guard ?? new CommandGuard(options);
  return [
    READ_FILE,
    BATCH_READ,
    LIST_DIR,
    FIND_FILES,
    createSearchFiles(options),
    WRITE_FILE,
    EDIT_FILE,
    createRunCommand({ ...options, guard }),
    createWaitFor({ ...options, guard }),
    READ_OUTPUT,
    SESSION_SUMMARY,
    ...await rustTools(options),
    ...(options.memory === undefined ? [] : [options.memory]),
  ];
}

async function rustTools({ root, commands, shell }: BuiltinToolsOptions): Promise<Tool[]> {
  if (root === undefined || cargoFolders(root).length === 0) return [];
  const { createRustTools } = await (import("./rust/rust_tools.ts" as string) as Promise<
    typeof import("./rust/rust_tools.ts")
  >);
  return createRustTools({ commands, passEnv: shell.passEnv });
}
