import { joinPath } from "../base/paths.ts";
import type { Settings } from "../config/settings.ts";
import type { Redactor } from "../security/redactor.ts";
import type { MemoryTool } from "../../tools/memory/memory_tool.ts";
import type { CommandRegistry } from "../../tools/shell/command_registry.ts";
import type { Tool } from "../../tools/tool.ts";

/** Options of {@linkcode Toolset}. */
export interface ToolsetOptions {
  readonly settings: Settings;
  /** The canonical project root. */
  readonly root: string;
  /** Masks what the memory tool stores. */
  readonly redactor: Redactor;
}

/** The built-in tools of one rho, and what they hold: processes and a database. */
export class Toolset {
  readonly #options: ToolsetOptions;
  #commands: CommandRegistry | undefined;
  #memory: MemoryTool | undefined;

  constructor(options: ToolsetOptions) {
    this.#options = options;
  }

  /** Loads the tools; nothing of them is loaded before. */
  async load(): Promise<readonly Tool[]> {
    const { settings, root } = this.#options;
    const [{ builtinTools }, { CommandRegistry }] = await Promise.all([
      import("../../tools/builtin_tools.ts" as string) as Promise<
        typeof import("../../tools/builtin_tools.ts")
      >,
      import("../../tools/shell/command_registry.ts" as string) as Promise<
        typeof import("../../tools/shell/command_registry.ts")
      >,
    ]);
    this.#commands ??= new CommandRegistry();
    if (settings.memory.enabled) this.#memory ??= await this.#openMemory();
    return await builtinTools({
      shell: settings.shell,
      denylist: settings.denylist,
      approvedCommands: settings.approvalCommands,
      commands: this.#commands,
      root,
      ...(this.#memory === undefined ? {} : { memory: this.#memory }),
    });
  }

  /** Ends the processes and closes the database. Never rejects for what a process does. */
  async close(): Promise<void> {
    await this.#commands?.killAll();
    this.#memory?.close();
  }

  async #openMemory(): Promise<MemoryTool> {
    const { createMemoryTool } =
      await (import("../../tools/memory/memory_tool.ts" as string) as Promise<
        typeof import("../../tools/memory/memory_tool.ts")
      >);
    const { root, redactor } = this.#options;
    return createMemoryTool({
      path: joinPath(root, ".rho", "memory.db"),
      redact: (text) => redactor.redact(text),
    });
  }
}
