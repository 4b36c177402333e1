/** Extensions in a temporary home and project, with everything around them real. */

import { DEFAULT_SETTINGS, type ExtensionSettings } from "../../core/config/settings.ts";
import type { Logger, LogLevel } from "../../core/base/log.ts";
import { Redactor } from "../../core/security/redactor.ts";
import { SandboxRoot } from "../../core/security/sandbox.ts";
import { sha256Hex } from "../../core/security/sha256.ts";
import { TrustStore } from "../../core/security/trust_store.ts";
import {
  type ExtensionLogLine,
  ExtensionManager,
  type ExtensionManagerOptions,
} from "../../ext/extension_manager.ts";
import type { SupervisorLimits } from "../../ext/supervise/supervisor_limits.ts";
import { FileTracker } from "../../sessions/file_tracker.ts";
import { MemoryStore } from "../../sessions/memory_store.ts";
import type { Session } from "../../sessions/session.ts";
import { builtinTools } from "../../tools/builtin_tools.ts";
import { CommandGuard } from "../../tools/shell/command_guard.ts";
import { CommandRegistry } from "../../tools/shell/command_registry.ts";
import type { Tool, ToolContext, ToolResult } from "../../tools/tool.ts";

export interface RigOptions {
  /** Files below `<home>/extensions/`, by name. */
  readonly user?: Readonly<Record<string, string>>;
  /** Files below the project, by name. */
  readonly project?: Readonly<Record<string, string>>;
  readonly settings?: Partial<ExtensionSettings>;
  readonly limits?: Partial<SupervisorLimits>;
  readonly options?: Partial<ExtensionManagerOptions>;
}

export class ExtensionRig implements AsyncDisposable {
  readonly home: string;
  readonly root: string;
  readonly trust: TrustStore;
  readonly manager: ExtensionManager;
  readonly session: Session;
  readonly logs: ExtensionLogLine[] = [];
  readonly said: { level: LogLevel; message: string }[] = [];
  readonly model = { id: "m1" };
  readonly #registry = new CommandRegistry();
  readonly #sandbox: SandboxRoot;

  private constructor(
    parts: { home: string; root: string; session: Session; sandbox: SandboxRoot },
    options: RigOptions,
  ) {
    this.home = parts.home;
    this.root = parts.root;
    this.session = parts.session;
    this.#sandbox = parts.sandbox;
    this.trust = new TrustStore({ home: this.home });
    const shell = DEFAULT_SETTINGS.shell;
    const redactor = new Redactor();
    this.manager = new ExtensionManager({
      home: this.home,
      root: this.root,
      settings: { ...DEFAULT_SETTINGS.extensions, ...options.settings },
      trust: this.trust,
      env: Deno.env.toObject(),
      agent: () => ({ model: this.model, session: () => Promise.resolve(this.session) }),
      sandbox: () => Promise.resolve(this.#sandbox),
      commands: () =>
        Promise.resolve({
          commands: this.#registry,
          guard: new CommandGuard({ shell }),
          env: { ...Deno.env.toObject(), MY_API_KEY: "hunter2hunter2" },
          passEnv: [],
        }),
      builtinTools: () => builtinTools({ shell, commands: new CommandRegistry() }),
      redact: (text) => redactor.redact(text),
      onLog: (line) => this.logs.push(line),
      logger: this.logger,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...options.options,
    });
  }

  static async start(options: RigOptions = {}): Promise<ExtensionRig> {
    const rig = await ExtensionRig.prepare(options);
    await rig.manager.start();
    return rig;
  }

  /** Everything but the loading. */
  static async prepare(options: RigOptions): Promise<ExtensionRig> {
    const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "rho ext home ü " }));
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "rho ext root ü " }));
    const session = await new MemoryStore({ root, redact: (text) => text }).create();
    const rig = new ExtensionRig(
      { home, root, session, sandbox: await SandboxRoot.open(root) },
      options,
    );
    for (const [name, text] of Object.entries(options.user ?? {})) {
      rig.write(`${home}/extensions/${name}`, text);
    }
    for (const [name, text] of Object.entries(options.project ?? {})) {
      rig.write(`${root}/${name}`, text);
    }
    return rig;
  }

  get logger(): Logger {
    const to = (level: LogLevel) => (message: string) => void this.said.push({ level, message });
    return { error: to("error"), warn: to("warn"), info: to("info"), debug: to("debug") };
  }

  write(path: string, text: string): void {
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(path, text);
  }

  async trustFile(name: string): Promise<void> {
    const path = `${this.root}/${name}`;
    const sha256 = await sha256Hex(Deno.readFileSync(path));
    await this.trust.trust([{ path, sha256 }]);
  }

  tool(name: string): Tool {
    const tool = this.manager.tools.find((one) => one.name === name);
    if (tool === undefined) {
      throw new Error(`no tool ${name}: ${JSON.stringify(this.manager.list())}`);
    }
    return tool;
  }

  async call(name: string, args: unknown = {}, signal?: AbortSignal): Promise<ToolResult> {
    const context = {
      signal: signal ?? new AbortController().signal,
      sandbox: this.#sandbox,
      tracker: new FileTracker(),
      progress: () => {},
      logger: this.logger,
      callId: "c",
      maxOutputBytes: 100_000,
    } as unknown as ToolContext;
    return await this.tool(name).execute(args, context);
  }

  /** The text of a result without its frame. */
  async text(name: string, args: unknown = {}): Promise<string> {
    const { output } = await this.call(name, args);
    return output.replace(/^<context[^>]*>\n/, "").replace(/\n?<context:end>$/, "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.manager.close();
    await this.#registry.killAll();
    for (const folder of [this.home, this.root]) await Deno.remove(folder, { recursive: true });
  }
}

/** The source of an extension with one tool whose body is given; the arguments are `a`. */
export function oneTool(name: string, body: string, more = ""): string {
  return `export default { name: ${JSON.stringify(name)}, version: "1.0.0", tools: [{
  name: ${JSON.stringify(name.replaceAll("-", "_"))}, description: "Test.", risk: "read",
  async execute(text: string) { const a = JSON.parse(text); ${body} } }], ${more} };\n`;
}

/** Whether a process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}
