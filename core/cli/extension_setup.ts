import type { Agent } from "../agent/agent.ts";
import type { AgentEventMap } from "../agent/events.ts";
import { delay } from "../base/abort.ts";
import { joinPath } from "../base/paths.ts";
import type { Logger } from "../base/log.ts";
import type { Settings } from "../config/settings.ts";
import type { TrustStore } from "../security/trust_store.ts";
import type { ExtensionManager } from "../../ext/extension_manager.ts";
import type { CommandRegistry } from "../../tools/shell/command_registry.ts";
import type { Tool } from "../../tools/tool.ts";

/** Options of {@linkcode ExtensionSetup}. */
export interface ExtensionSetupOptions {
  /** `--no-extensions`. */
  readonly isOff: boolean;
  readonly home: string | undefined;
  readonly root: string;
  readonly settings: Settings;
  readonly trust: TrustStore;
  readonly env: Readonly<Record<string, string>>;
  readonly agent: () => Agent;
  readonly builtinTools: () => Promise<readonly Tool[]>;
  readonly redact: (text: string) => string;
  readonly onLog: (line: AgentEventMap["extension/log"]) => void;
  readonly logger: Logger;
}

/** How long the start waits for extensions, in milliseconds; slower ones join later. */
const START_WAIT_MS = 5_000;

const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;

/**
 * The extensions of one rho. Where neither the home nor the project has a folder for them, nothing
 * of it is loaded and nothing started: it costs two calls of stat.
 */
export class ExtensionSetup {
  readonly #options: ExtensionSetupOptions;
  #commands: CommandRegistry | undefined;
  #manager: ExtensionManager | undefined;
  #watch: { close(): void } | undefined;
  #isClosed = false;

  constructor(options: ExtensionSetupOptions) {
    this.#options = options;
  }

  /** The manager, once there is something to manage. */
  get manager(): ExtensionManager | undefined {
    return this.#manager;
  }

  /** Loads what there is; what fails or takes long holds nothing up. */
  async start(): Promise<void> {
    if (!this.#hasFolders()) return;
    const manager = await this.ensure();
    if (manager === undefined) return;
    const done = new AbortController();
    await Promise.race([
      manager.start().catch(() => {}).finally(() => done.abort()),
      delay(START_WAIT_MS, { signal: done.signal }).catch(() => {}),
    ]);
    this.#sayUntrusted(manager);
  }

  /** The manager, made now if need be; `undefined` when extensions are off. */
  async ensure(): Promise<ExtensionManager | undefined> {
    if (this.#options.isOff || this.#isClosed) return undefined;
    return this.#manager ??= await this.#make();
  }

  /** Ends all extensions and what they started. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch?.close();
    await this.#manager?.close();
    await this.#commands?.killAll();
  }

  async #make(): Promise<ExtensionManager> {
    const [{ ExtensionManager }, { CommandRegistry }, { CommandGuard }, { SandboxRoot }] =
      await Promise.all([
        import("../../ext/extension_manager.ts" as string) as Promise<
          typeof import("../../ext/extension_manager.ts")
        >,
        import("../../tools/shell/command_registry.ts" as string) as Promise<
          typeof import("../../tools/shell/command_registry.ts")
        >,
        import("../../tools/shell/command_guard.ts" as string) as Promise<
          typeof import("../../tools/shell/command_guard.ts")
        >,
        import("../security/sandbox.ts" as string) as Promise<
          typeof import("../security/sandbox.ts")
        >,
      ]);
    const { home, root, settings, env, logger } = this.#options;
    const { shell, denylist, extensions, extensionTrust } = settings;
    const commands = this.#commands ??= new CommandRegistry();
    const guard = new CommandGuard({ shell, denylist });
    const sandbox = SandboxRoot.open(root);
    const manager = new ExtensionManager({
      home,
      root,
      settings: extensions,
      trust: extensionTrust === "auto" ? undefined : this.#options.trust,
      env,
      agent: this.#options.agent,
      sandbox: () => sandbox,
      commands: () => Promise.resolve({ commands, guard, env, passEnv: shell.passEnv }),
      builtinTools: this.#options.builtinTools,
      redact: this.#options.redact,
      onLog: ({ extension, level, message }) => {
        const known = LOG_LEVELS.find((one) => one === level) ?? "info";
        logger[known](`[${extension}] ${message}`);
        this.#options.onLog({ extension, level: known, message });
      },
      onToolsChange: () => this.#options.agent().refreshTools(),
      logger,
    });
    if (extensions.watch) {
      const { watchExtensions } =
        await (import("../../ext/watch_extensions.ts" as string) as Promise<
          typeof import("../../ext/watch_extensions.ts")
        >);
      this.#watch = watchExtensions({
        home,
        root,
        isTurnRunning: () => this.#options.agent().isRunning,
        reload: () => manager.reload(),
        logger,
      });
    }
    return manager;
  }

  #hasFolders(): boolean {
    const { home, root } = this.#options;
    const folders = [joinPath(root, ".rho", "extensions")];
    if (home !== undefined) folders.push(joinPath(home, "extensions"));
    return folders.some(isFolder);
  }

  #sayUntrusted(manager: ExtensionManager): void {
    const names = manager.list().filter(({ status }) => status === "untrusted")
      .map(({ found }) => `"${found.name}"`);
    if (names.length === 0) return;
    this.#options.logger.warn(
      `Nobody has reviewed these extensions of the project, so they do not run: ` +
        `${names.join(", ")}. To review them, run: rho trust`,
    );
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
