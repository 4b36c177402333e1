import { createLogger, type Logger } from "../base/log.ts";
import { VERSION } from "../base/version.ts";
import { type Agent, createAgent } from "../agent/agent.ts";
import type { ApprovalGate } from "../agent/approval_gate.ts";
import type { AgentEvent, AgentEventListener, AgentEventMap } from "../agent/events.ts";
import { chooseModel } from "../config/model_choice.ts";
import { rhoHome, userHome } from "../config/rho_home.ts";
import type { Settings } from "../config/settings.ts";
import { preloadProtocol } from "../llm/service.ts";
import { Redactor } from "../security/redactor.ts";
import { pathExists } from "../security/path_probe.ts";
import type { TrustStore } from "../security/trust_store.ts";
import { Unmasked } from "../security/unmasked.ts";
import type { Session } from "../../sessions/session.ts";
import { cargoFolders } from "../../tools/rust/rust_project.ts";
import type { AppIo } from "./app_io.ts";
import type { CliOptions } from "./cli_options.ts";
import { buildModels } from "./build_models.ts";
import { ExtensionSetup } from "./extension_setup.ts";
import { projectFolder } from "./project_folder.ts";
import { PromptComposer } from "./prompt_composer.ts";
import { chooseSession, openStore } from "./session_choice.ts";
import { configuredRedactor, startupConfig } from "./startup_config.ts";
import { logLevel, startupSettings } from "./startup_settings.ts";
import { Toolset } from "./toolset.ts";

/** An agent with its session, and what belongs to both. */
export interface BuiltAgent {
  readonly agent: Agent;
  readonly session: Session;
  /** The canonical project root. */
  readonly root: string;
  /** rho's home folder, if there is one. */
  readonly home: string | undefined;
  readonly settings: Settings;
  readonly trust: TrustStore;
  /** Masks secrets in what is stored, logged or shown. */
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly extensions: ExtensionSetup;
  /** Loads what the first turn needs. */
  preload(): Promise<void>;
  /** Closes the file of `--log-requests`, if there is one; after the agent. */
  closeRequestLog(): void;
  /** Ends the commands that tools started, and closes what tools have open. */
  closeTools(): Promise<void>;
}

/** What stands around an agent. */
export interface BuildAgentSetup {
  readonly io: AppIo;
  /** Answers approvals. */
  readonly gate: ApprovalGate;
  /**
   * Takes every event, from the configuration's notices on: they come before this returns. Notices
   * are in the log already.
   */
  readonly onEvent: AgentEventListener;
}

/**
 * Builds an agent from flags, environment and configuration: what all commands share that talk to
 * a model. Nothing is contacted, nothing written.
 *
 * @throws {StartupError|ConfigError|ConsentError|SessionError} with one line that says what to do.
 */
export async function buildAgent(
  options: CliOptions,
  { io, gate, onEvent }: BuildAgentSetup,
): Promise<BuiltAgent> {
  const env = (name: string) => io.env[name];
  let redactor = new Redactor({ env: io.env, pathExists });
  const logger = createLogger({
    level: logLevel(options, env("RHO_LOG")),
    redact: (text) => redactor.redact(text),
    write: io.stderr,
  });
  const person = userHome(env);
  const home = rhoHome(env);
  const root = projectFolder({
    cwd: io.cwd,
    logger,
    ...(options.root === undefined ? {} : { root: options.root }),
    ...(person === undefined ? {} : { home: person }),
  });
  const { notices, trust, ...config } = await startupConfig({ home, root, logger });
  for (const { code, level, message } of notices) {
    if (level === "warn") onEvent({ type: "notice", params: { code, level, message } });
  }
  redactor = await configuredRedactor({ env: io.env, pathExists }, config.settings, logger);
  const modelRedactor = config.settings.redaction.enabled ? redactor : new Unmasked();
  const settings = startupSettings(options, config.settings);
  const choice = chooseModel({ ...options, env, settings });
  const { model, provider } = choice;
  const emit = (event: AgentEvent) => {
    if (event.type === "notice") logNotice(event.params, logger);
    return onEvent(event);
  };
  const onNotice = (params: AgentEventMap["notice"]) => void emit({ type: "notice", params });
  const prompts = await PromptComposer.open(options, {
    root,
    cwd: io.cwd,
    env: io.env,
    settings,
    trust,
    logger,
    redact: (text) => modelRedactor.redact(text),
    tools: { hasRustTools: cargoFolders(root).length > 0 },
    onNotice,
  });
  const systemPrompt = await prompts.compose();
  const { ephemeral } = options;
  const { fsync } = settings;
  const store = await openStore({ ephemeral, home, root, redactor, fsync, onNotice });
  const session = await chooseSession(store, options, {
    root,
    systemPrompt,
    model,
    version: VERSION,
    logger,
    onNotice,
  });
  const toolset = new Toolset({ settings, root, redactor });
  const built = await buildModels(options, {
    choice,
    settings,
    env,
    home,
    cwd: io.cwd,
    redact: (text) => redactor.redact(text),
    logger,
  });
  const extensions: ExtensionSetup = new ExtensionSetup({
    isOff: options.noExtensions === true,
    home,
    root,
    settings,
    trust,
    env: io.env,
    agent: () => agent,
    builtinTools: () => toolset.load(),
    redact: (text) => redactor.redact(text),
    onLog: (params) => void onEvent({ type: "extension/log", params }),
    logger,
  });
  const agent: Agent = createAgent({
    config: {
      ...settings.agent,
      approvalPerTool: settings.approvalPerTool,
      approve: options.approve,
    },
    limits: settings.budget,
    model: built.model,
    models: built.models,
    tools: async () => [...await toolset.load(), ...extensions.manager?.tools ?? []],
    get hooks() {
      return extensions.manager?.hooks;
    },
    root,
    store,
    session,
    systemPrompt,
    renewSystemPrompt: () => prompts.compose(),
    gate,
    onEvent: emit,
    redactor,
    modelRedactor,
    logger,
  });
  await extensions.start();
  return {
    agent,
    session,
    extensions,
    root,
    home,
    settings,
    trust,
    redactor,
    logger,
    preload: async () => {
      await Promise.all([agent.preload(), preloadProtocol(provider.api)]);
    },
    closeRequestLog: built.closeRequestLog,
    closeTools: async () => {
      await Promise.all([toolset.close(), extensions.close()]);
    },
  };
}

function logNotice({ level, message }: AgentEventMap["notice"], logger: Logger): void {
  if (level === "warn") logger.warn(message);
  else logger.info(message);
}
