import { delay } from "./base/abort.ts";
import { createLogger, type Logger } from "./base/log.ts";
import { PROTOCOL_VERSION, VERSION } from "./base/version.ts";
import { type Agent, createAgent } from "./agent/agent.ts";
import type { AgentEvent } from "./agent/events.ts";
import type { AppIo } from "./cli/app_io.ts";
import type { CliOptions } from "./cli/command_line.ts";
import { projectFolder } from "./cli/project_folder.ts";
import { chooseSession, openStore } from "./cli/session_choice.ts";
import { configuredRedactor, startupConfig } from "./cli/startup_config.ts";
import { logLevel, promptReplacement, startupSettings } from "./cli/startup_settings.ts";
import { chooseModel } from "./config/model_choice.ts";
import { rhoHome, userHome } from "./config/rho_home.ts";
import type { ProviderApi } from "./config/provider.ts";
import type { Settings } from "./config/settings.ts";
import { createLlmService, preloadProtocol } from "./llm/service.ts";
import { ApprovalDesk } from "./rpc/approval_desk.ts";
import { Dispatcher } from "./rpc/dispatcher.ts";
import { LineWriter } from "./rpc/line_writer.ts";
import { readRequests, sendEvent, sendNotification } from "./rpc/server.ts";
import { Redactor } from "./security/redactor.ts";
import { systemPrompt } from "../prompts/system_prompt.ts";
import type { Session } from "../sessions/session.ts";
import { chooseShell, ShellNotFoundError } from "../tools/shell/shell_choice.ts";
import type { CommandRegistry } from "../tools/shell/command_registry.ts";
import type { Tool } from "../tools/tool.ts";

/** How long to wait before loading what the first turn needs, in milliseconds. */
const PRELOAD_DELAY_MS = 20;

/** How long a client may take to read what is left when rho ends, in milliseconds. */
const LAST_WRITE_MS = 10_000;

/** Everything of one rho, put together. */
export class App {
  readonly #agent: Agent;
  readonly #desk = new ApprovalDesk();
  readonly #writer: LineWriter;
  readonly #dispatcher: Dispatcher;
  readonly #session: Session;
  readonly #io: AppIo;
  readonly #api: ProviderApi;
  readonly #commands: { registry?: CommandRegistry };
  #stopping: Promise<void> | undefined;

  private constructor(parts: {
    readonly io: AppIo;
    readonly session: Session;
    readonly writer: LineWriter;
    readonly commands: { registry?: CommandRegistry };
    readonly logger: Logger;
    readonly root: string;
    readonly api: ProviderApi;
    readonly makeAgent: (desk: ApprovalDesk) => Agent;
  }) {
    this.#io = parts.io;
    this.#api = parts.api;
    this.#session = parts.session;
    this.#writer = parts.writer;
    this.#commands = parts.commands;
    this.#agent = parts.makeAgent(this.#desk);
    this.#dispatcher = new Dispatcher({
      context: {
        agent: this.#agent,
        desk: this.#desk,
        root: parts.root,
        version: VERSION,
        logger: parts.logger,
      },
      logger: parts.logger,
      send: (message) => this.#writer.send(JSON.stringify(message)),
    });
  }

  /**
   * Builds rho from flags and environment. Nothing is contacted, nothing written.
   *
   * @param onOutputClosed Called once when nobody reads the output any more.
   * @throws {StartupError|ConsentError|SessionError} with one line that says what to do.
   */
  static async start(
    options: CliOptions,
    setup: { readonly io: AppIo; readonly onOutputClosed?: () => void },
  ): Promise<App> {
    const { io } = setup;
    const env = (name: string) => io.env[name];
    let redactor = new Redactor({ env: io.env, pathExists });
    const logger = createLogger({
      level: logLevel(options, env("RHO_LOG")),
      redact: (text) => redactor.redact(text),
      write: io.stderr,
    });
    const home = userHome(env);
    const root = projectFolder({
      cwd: io.cwd,
      logger,
      ...(options.root === undefined ? {} : { root: options.root }),
      ...(home === undefined ? {} : { home }),
    });
    const config = await startupConfig({ home: rhoHome(env), root, logger });
    redactor = await configuredRedactor({ env: io.env, pathExists }, config.settings, logger);
    const settings = startupSettings(options, config.settings);
    const choice = chooseModel({ ...options, env, settings });
    const prompt = await composePrompt(options, { io, root, settings, logger });
    const writer = new LineWriter({
      sink: io.stdout,
      ...(setup.onOutputClosed === undefined ? {} : { onClosed: setup.onOutputClosed }),
    });
    const emit = (event: AgentEvent) => emitEvent(event, { writer, logger });
    const store = await openStore({
      ephemeral: options.ephemeral,
      home: rhoHome(env),
      root,
      redactor,
      fsync: settings.fsync,
      onNotice: (notice) => emit({ type: "notice", params: notice }),
    });
    const { model } = choice;
    const session = await chooseSession(store, options, {
      root,
      systemPrompt: prompt,
      model,
      version: VERSION,
      logger,
    });
    const commands: { registry?: CommandRegistry } = {};
    return new App({
      io,
      session,
      writer,
      commands,
      logger,
      root,
      api: choice.provider.api,
      makeAgent: (desk) =>
        createAgent({
          config: {
            ...settings.agent,
            approvalPerTool: settings.approvalPerTool,
            approve: options.approve,
          },
          model: {
            id: model,
            provider: choice.provider.name,
            service: createLlmService(choice.provider, {
              limits: settings.limits,
              firstTokenTimeoutConfigured: settings.firstTokenTimeoutConfigured,
              env,
              redact: (text) => redactor.redact(text),
              logger,
            }),
          },
          tools: () => loadTools(settings, commands),
          root,
          store,
          session,
          systemPrompt: prompt,
          gate: desk.gate,
          onEvent: emit,
          redactor,
          logger,
        }),
    });
  }

  /** Says `ready`, serves requests until the input ends and everything asked is answered. */
  async serve(): Promise<void> {
    sendNotification(this.#writer, "ready", {
      version: VERSION,
      protocol: PROTOCOL_VERSION,
      sessionId: this.#session.id,
      sessionPath: this.#session.savePath ?? "",
    });
    const preload = setTimeout(() => this.#preload(), PRELOAD_DELAY_MS);
    try {
      await readRequests(this.#io.stdin, this.#dispatcher);
      // Nobody can answer from here on.
      this.#desk.close();
      await this.#dispatcher.idle();
    } finally {
      clearTimeout(preload);
    }
  }

  /**
   * Ends rho: cancels what runs, ends the commands it started, closes the session, and waits until
   * the client has read the rest. Safe to call again.
   */
  stop(reason: string): Promise<void> {
    return this.#stopping ??= this.#stop(reason);
  }

  async #stop(reason: string): Promise<void> {
    this.#agent.abort();
    this.#desk.close();
    const killed = this.#commands.registry?.killAll();
    await this.#dispatcher.idle();
    await killed;
    await this.#agent.close(reason);
    const done = new AbortController();
    await Promise.race([
      this.#writer.flush().finally(() => done.abort()),
      delay(LAST_WRITE_MS, { signal: done.signal }).catch(() => {}),
    ]);
  }

  /** Loads what the first turn needs while the client still thinks. */
  #preload(): void {
    Promise.all([
      this.#agent.preload(),
      import("./rpc/param_check.ts"),
      preloadProtocol(this.#api),
    ]).catch(() => {
      // The first turn will meet the same failure and report it.
    });
  }
}

async function composePrompt(
  options: CliOptions,
  facts: { io: AppIo; root: string; settings: Settings; logger: Logger },
): Promise<string> {
  const replacement = await promptReplacement(options, facts.io.cwd);
  const shell = shellName(facts);
  return systemPrompt({
    style: options.compact ? "compact" : "base",
    ...(replacement === undefined ? {} : { replacement }),
    environment: {
      root: facts.root,
      os: Deno.build.os,
      epochMs: Date.now(),
      ...(shell === undefined ? {} : { shell }),
    },
  });
}

function shellName(facts: { io: AppIo; settings: Settings; logger: Logger }): string | undefined {
  try {
    return chooseShell(facts.settings.shell, { env: facts.io.env }).name;
  } catch (error) {
    if (!(error instanceof ShellNotFoundError)) throw error;
    facts.logger.warn(error.message);
    return undefined;
  }
}

function pathExists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function emitEvent(
  event: AgentEvent,
  to: { writer: LineWriter; logger: Logger },
): void | Promise<void> {
  if (event.type === "notice") {
    const { level, message } = event.params;
    if (level === "warn") to.logger.warn(message);
    else to.logger.info(message);
  }
  return sendEvent(to.writer, event);
}

async function loadTools(
  settings: Settings,
  commands: { registry?: CommandRegistry },
): Promise<readonly Tool[]> {
  const [{ builtinTools }, { CommandRegistry }] = await Promise.all([
    import("../tools/builtin_tools.ts"),
    import("../tools/shell/command_registry.ts"),
  ]);
  commands.registry ??= new CommandRegistry();
  return builtinTools({ shell: settings.shell, commands: commands.registry });
}
