import { errorMessage } from "../core/base/errors.ts";
import type { Logger } from "../core/base/log.ts";
import type { ExtensionSettings } from "../core/config/settings.ts";
import type { SandboxRoot } from "../core/security/sandbox.ts";
import type { TrustStore } from "../core/security/trust_store.ts";
import type { Session } from "../sessions/session.ts";
import type { Tool } from "../tools/tool.ts";
import { comparableName } from "./check_manifest.ts";
import { discoverExtensions, type FoundExtension } from "./discovery.ts";
import { ExtensionError } from "./extension_error.ts";
import { ExtensionHooks } from "./extension_hooks.ts";
import { ExtensionLoader, type ReadExtension } from "./extension_loader.ts";
import { extensionTool, failureText } from "./extension_tool.ts";
import type { FileChange } from "./host_files.ts";
import { type HostFunctionsDeps, serveHostCall } from "./host_functions.ts";
import { CodeCache } from "./load/code_cache.ts";
import { byName, type ExtensionRecord, limitsFor } from "./loaded_extension.ts";
import type { HookName, Manifest } from "./manifest.ts";
import { SessionNotes } from "./session_notes.ts";
import { hostLaunch } from "./supervise/host_launch.ts";
import { Supervisor } from "./supervise/supervisor.ts";
import type { SupervisorLimits } from "./supervise/supervisor_limits.ts";
import { copyTypes } from "./types_copy.ts";

/** What the manager needs of the agent that it extends, once there is one. */
export interface ExtendedAgent {
  readonly model: { readonly id: string };
  session(): Promise<Session>;
}

/** A line that an extension logs. */
export interface ExtensionLogLine {
  readonly extension: string;
  readonly level: string;
  /** Redacted. */
  readonly message: string;
}

/** Options of {@linkcode ExtensionManager}. */
export interface ExtensionManagerOptions {
  /** rho's home. */
  readonly home: string | undefined;
  /** The canonical project root. */
  readonly root: string;
  readonly settings: ExtensionSettings;
  /** `undefined` lets every extension of the project count unreviewed. */
  readonly trust: TrustStore | undefined;
  /** rho's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly agent: () => ExtendedAgent;
  readonly sandbox: () => Promise<SandboxRoot>;
  readonly commands: HostFunctionsDeps["commands"];
  /** The tools that come with rho: their names are taken. */
  readonly builtinTools: () => Promise<readonly Tool[]>;
  readonly redact: (text: string) => string;
  readonly onLog: (line: ExtensionLogLine) => void;
  /** Called when the tools are others than before. */
  readonly onToolsChange?: () => void;
  readonly logger: Logger;
  readonly limits?: Partial<SupervisorLimits>;
}

/** What a reload came to. */
export interface ReloadReport {
  readonly added: number;
  readonly reloaded: number;
  readonly removed: number;
  readonly failed: number;
  readonly errors: readonly { readonly name: string; readonly error: string }[];
}

/** How long `onUnload` may take, in milliseconds. */
const UNLOAD_MS = 1_000;

/** All extensions of one rho: found, loaded, offered to the agent, reloaded, ended. */
export class ExtensionManager {
  /** The hooks of all extensions. */
  readonly hooks: ExtensionHooks;
  readonly #options: ExtensionManagerOptions;
  readonly #supervisor: Supervisor;
  readonly #loader: ExtensionLoader;
  readonly #notes: SessionNotes;
  readonly #changes = new Map<string, FileChange[]>();
  #records = new Map<string, ExtensionRecord>();
  #tools: readonly Tool[] = [];
  #toolErrors = new Map<string, string>();
  #sessionKey = "";
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: ExtensionManagerOptions) {
    this.#options = options;
    const { settings, trust, home, logger } = options;
    this.#notes = new SessionNotes(() => options.agent().session());
    this.#supervisor = new Supervisor({
      launch: (maxHeapMb) => hostLaunch({ env: options.env, maxHeapMb }),
      serve: (call, { signal }) => this.#serve(call, signal),
      onLog: (line) => options.onLog({ ...line, message: options.redact(line.message) }),
      logger,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    });
    const cache = new CodeCache(home);
    this.#loader = new ExtensionLoader({ settings, trust, cache, supervisor: this.#supervisor });
    this.hooks = new ExtensionHooks({
      having: (hook) => this.#having(hook),
      call: (extension, request) => this.#supervisor.call(extension, request),
      blockOnError: settings.onHookError === "block",
      settled: async () => {
        await this.#changing;
        this.#sessionKey = (await options.agent().session()).id;
      },
      flush: () => this.#notes.flush(),
      logger,
    });
  }

  /** Finds and loads what there is. One that fails never keeps the others from loading. */
  async start(): Promise<void> {
    await this.reload();
  }

  /** The process id of the extension host, if one runs. */
  get hostPid(): number | undefined {
    return this.#supervisor.hostPid;
  }

  /** The tools of all loaded extensions. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Every extension that was found, in load order. */
  list(): readonly ExtensionRecord[] {
    return [...this.#records.values()].map((record) => {
      const { phase, reason } = this.#supervisor.state(record.found.name);
      if (record.status === "loaded" && (phase === "disabled" || phase === "failed")) {
        return { ...record, status: phase, error: reason };
      }
      const toolError = this.#toolErrors.get(record.found.name);
      return toolError === undefined ? record : { ...record, error: toolError };
    });
  }

  /** The commands of all loaded extensions. */
  listCommands(): readonly { name: string; description: string; extension: string }[] {
    return this.#loaded().flatMap(({ found, manifest }) =>
      manifest.commands.map((command) => ({ ...command, extension: found.name }))
    );
  }

  /**
   * Runs a command. Two extensions may have one of the same name: `extension:name` is exact.
   *
   * @throws {ExtensionError} `not_found`, or what went wrong.
   */
  async runCommand(name: string, args: unknown): Promise<string> {
    const found = this.listCommands().find((command) =>
      command.name === name || `${command.extension}:${command.name}` === name
    );
    if (found === undefined) {
      throw new ExtensionError(
        "not_found",
        `There is no extension command "${name}"; listCommands lists them`,
      );
    }
    const lines = this.#records.get(comparableName(found.extension))?.lines;
    try {
      const text = await this.#supervisor.call(found.extension, {
        kind: "command",
        target: found.name,
        payload: JSON.stringify(args ?? {}),
      });
      return outputText(JSON.parse(text));
    } catch (error) {
      if (!(error instanceof ExtensionError) || lines === undefined) throw error;
      throw new ExtensionError(error.code, failureText(error, lines), { cause: error });
    } finally {
      await this.hooks.onIteration();
    }
  }

  /**
   * Looks again: loads what is new or has changed, ends what is gone. Call it between turns; one
   * that begins meanwhile waits.
   */
  reload(): Promise<ReloadReport> {
    const report = this.#changing.then(() => this.#reload());
    this.#changing = report.catch((error) =>
      this.#options.logger.error(`Cannot load extensions: ${errorMessage(error)}`)
    );
    return report;
  }

  /** Ends all extensions; `onUnload` runs before. Nothing is left afterwards. */
  async close(): Promise<void> {
    await this.#changing;
    await Promise.all(this.#loaded().map((record) => this.#sayUnload(record)));
    await this.#supervisor.close();
  }

  async #reload(): Promise<ReloadReport> {
    const { home, root } = this.#options;
    const found = discoverExtensions({ home, root });
    const read = await Promise.all(found.map((one) => this.#loader.read(one)));
    const wanted = new Map(read.map((one) => [comparableName(one.found.name), one]));
    const gone = [...this.#records].filter(([key]) => !wanted.has(key));
    await Promise.all(gone.map(([, record]) => this.#unload(record)));
    const before = this.#records;
    const outcomes = await Promise.all(
      [...wanted].map(async ([key, one]) => await this.#renew(before.get(key), one)),
    );
    this.#records = new Map(
      [...wanted.keys()].flatMap((key, index) => {
        const record = outcomes[index]?.record;
        return record === undefined ? [] : [[key, record]];
      }),
    );
    await this.#offerTools();
    if (outcomes.some(({ change }) => change === "added" || change === "reloaded")) {
      copyTypes(home);
    }
    const count = (change: Change) => outcomes.filter((one) => one.change === change).length;
    const failed = outcomes.filter(({ change }) => change === "failed");
    for (const { record } of failed) {
      this.#options.logger.warn(`Extension "${record.found.name}": ${record.error}`);
    }
    return {
      added: count("added"),
      reloaded: count("reloaded"),
      removed: gone.length,
      failed: failed.length,
      errors: failed.map(({ record }) => ({ name: record.found.name, error: record.error ?? "" })),
    };
  }

  async #renew(
    old: ExtensionRecord | undefined,
    read: ReadExtension,
  ): Promise<{ readonly record: ExtensionRecord; readonly change: Change }> {
    const isSame = old !== undefined && old.hash === read.hash &&
      isSamePlace(old.found, read.found) && old.status === "loaded";
    if (isSame) return { record: old, change: "none" };
    if (old !== undefined) await this.#unload(old);
    const record = await this.#loader.load(read);
    switch (record.status) {
      case "loaded":
        return { record, change: old === undefined ? "added" : "reloaded" };
      case "failed":
        return { record, change: "failed" };
      case "untrusted":
      case "disabled":
        return { record, change: "none" };
    }
  }

  async #unload(record: ExtensionRecord): Promise<void> {
    if (record.status !== "loaded") return;
    await this.#sayUnload(record);
    await this.#supervisor.unload(record.found.name);
  }

  async #sayUnload({ found, manifest }: ExtensionRecord): Promise<void> {
    if (manifest?.hooks.includes("onUnload") !== true) return;
    try {
      await this.#supervisor.call(found.name, {
        kind: "hook",
        target: "onUnload",
        payload: "{}",
        timeoutMs: UNLOAD_MS,
      });
    } catch (error) {
      this.#options.logger.debug(`onUnload of "${found.name}" failed: ${errorMessage(error)}`);
    }
  }

  /** Makes tools of what is loaded; a name that is taken is refused, with both sources named. */
  async #offerTools(): Promise<void> {
    const loaded = this.#loaded();
    const hadTools = this.#tools.length > 0;
    const taken = new Map<string, string>();
    this.#toolErrors = new Map();
    const tools: Tool[] = [];
    if (loaded.some(({ manifest }) => manifest.tools.length > 0)) {
      for (const { name, source } of await this.#options.builtinTools()) taken.set(name, source);
    }
    for (const record of loaded) {
      const { name } = record.found;
      for (const tool of record.manifest.tools) {
        const other = taken.get(tool.name);
        if (other !== undefined) {
          const error = `Its tool "${tool.name}" is left out: "${other}" has one of that name`;
          this.#toolErrors.set(name, error);
          this.#options.logger.warn(`Extension "${name}": ${error}`);
          continue;
        }
        taken.set(tool.name, name);
        // Arguments only ever come out of the tool's own schema.
        tools.push(extensionTool(tool, this.#toolContext(record)) as Tool);
      }
    }
    this.#tools = tools;
    if (hadTools || tools.length > 0) this.#options.onToolsChange?.();
  }

  #toolContext(record: LoadedRecord): Parameters<typeof extensionTool>[1] {
    const { found, limits, lines } = record;
    return {
      extension: found.name,
      canUseNetwork: limits.network !== false,
      canRunCommands: limits.commands,
      lines: lines ?? { files: [], lines: [] },
      call: (request) => this.#supervisor.call(found.name, request),
      sessionKey: () => this.#sessionKey,
      takeChanges: () => {
        const changes = this.#changes.get(found.name) ?? [];
        this.#changes.delete(found.name);
        return changes;
      },
    };
  }

  #loaded(): readonly LoadedRecord[] {
    return [...this.#records.values()].filter((record): record is LoadedRecord =>
      record.status === "loaded" && record.manifest !== undefined
    );
  }

  #having(hook: HookName): readonly string[] {
    return this.#loaded().filter(({ found, manifest }) =>
      manifest.hooks.includes(hook) && this.#supervisor.state(found.name).phase !== "disabled"
    ).map(({ found }) => found.name);
  }

  async #serve(
    call: { readonly extension: string; readonly name: string; readonly args: readonly unknown[] },
    signal: AbortSignal,
  ): Promise<unknown> {
    const { settings, agent, sandbox, commands } = this.#options;
    const { commands: mayRun, maxExecutionMs } = limitsFor(call.extension, settings);
    return await serveHostCall(call, {
      signal,
      caller: {
        name: call.extension,
        commands: mayRun,
        maxExecutionMs,
        config: byName(settings.config, call.extension) ?? {},
      },
      deps: {
        sandbox,
        commands,
        notes: this.#notes,
        model: () => agent().model.id,
        onFileChange: (extension, change) => {
          const changes = this.#changes.get(extension) ?? [];
          // Only the last one is told; a flood must not fill memory.
          this.#changes.set(extension, [...changes.slice(-9), change]);
        },
      },
    });
  }
}

type Change = "added" | "reloaded" | "failed" | "none";

type LoadedRecord = ExtensionRecord & { readonly manifest: Manifest };

function isSamePlace(a: FoundExtension, b: FoundExtension): boolean {
  return a.entry === b.entry && a.origin === b.origin;
}

function outputText(value: unknown): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  const output = typeof value === "object" ? Reflect.get(value, "output") : undefined;
  return typeof output === "string" ? output : JSON.stringify(value);
}
