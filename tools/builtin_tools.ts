import type { ShellSettings } from "../core/config/settings.ts";
import { EDIT_FILE } from "./files/edit_file.ts";
import { LIST_DIR } from "./files/list_dir.ts";
import { READ_FILE } from "./files/read_file.ts";
import { WRITE_FILE } from "./files/write_file.ts";
import type { CommandRegistry } from "./shell/command_registry.ts";
import { createRunCommand } from "./shell/run_command.ts";
import type { Tool } from "./tool.ts";

/** Options of {@linkcode builtinTools}. */
export interface BuiltinToolsOptions {
  readonly shell: ShellSettings;
  /** Who owns the processes that the tools start. */
  readonly commands: CommandRegistry;
}

/** Every tool that comes with rho. */
export function builtinTools(options: BuiltinToolsOptions): Tool[] {
  return [READ_FILE, LIST_DIR, WRITE_FILE, EDIT_FILE, createRunCommand(options)];
}
