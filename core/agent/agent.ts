import { type Clock, SYSTEM_CLOCK } from "../base/clock.ts";
import { RhoError } from "../base/errors.ts";
import { type Logger, SILENT_LOGGER } from "../base/log.ts";
import {
  type AgentSettings,
  type ApprovalRule,
  completionReserve,
  DEFAULT_SETTINGS,
} from "../config/settings.ts";
import { Redactor } from "../security/redactor.ts";
import type { SandboxRoot } from "../security/sandbox.ts";
import { systemPrompt } from "../../prompts/system_prompt.ts";
import { RHO_KINDS } from "../../sessions/entry.ts";
import { FileTracker } from "../../sessions/file_tracker.ts";
import type { Session } from "../../sessions/session.ts";
import type { SessionStore } from "../../sessions/session_store.ts";
import type { AgentModel } from "./agent_model.ts";
import { beginSession } from "./begin_session.ts";
import type { AgentTools, ToolSource } from "./agent_tools.ts";
import { type ApprovalGate, denyAll } from "./approval_gate.ts";
import { ApprovalPolicy, type ApproveMode } from "./approval_policy.ts";
import type { Attachment } from "./attachments.ts";
import { ContextMeter } from "./context_meter.ts";
import type { AgentEvent, AgentEventListener, AgentState, TurnResult } from "./events.ts";
import { SteeringQueue } from "./steering_queue.ts";
import { storeToolResult, toolOutputLimitBytes } from "./stored_result.ts";
import type { TurnDeps } from "./turn.ts";
import { AgentBusyError, TurnCancelledError, TurnError } from "./turn_error.ts";

/** How an agent behaves: the loop's settings, and who approves what. */
export interface AgentConfig extends AgentSettings {
  /** Rules for single tools, over their risk. */
  readonly approvalPerTool: Readonly<Record<string, ApprovalRule>>;
  /** Who answers what would be asked. */
  readonly approve: ApproveMode;
}

/** Options of {@linkcode createAgent}. */
export interface CreateAgentOptions {
  /** What differs from the defaults. */
  readonly config?: Partial<AgentConfig>;
  readonly model: AgentModel;
  readonly tools: ToolSource;
  /**
   * The project root: the model's tools reach nothing outside of it.
   * @default {Deno.cwd()}
   */
  readonly root?: string;
  /**
   * Where sessions are kept.
   * @default {new MemoryStore({ root })}
   */
  readonly store?: SessionStore;
  /** A session to go on with; otherwise the store makes one at the first turn. */
  readonly session?: Session;
  /** Replaces the standard system prompt. */
  readonly systemPrompt?: string;
  /**
   * Answers approvals.
   * @default {denyAll}
   */
  readonly gate?: ApprovalGate;
  readonly onEvent?: AgentEventListener;
  /** Aborting it cancels the running turn and every later one. */
  readonly signal?: AbortSignal;
  readonly redactor?: Redactor;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** Options of {@linkcode Agent.run}. */
export interface RunOptions {
  /** Text files that go along with the prompt. */
  readonly attachments?: readonly Attachment[];
  /** Aborting it cancels this turn. */
  readonly signal?: AbortSignal;
}

/** Makes an agent. Nothing is loaded, opened or contacted before its first turn. */
export function createAgent(options: CreateAgentOptions): Agent {
  return new Agent(options);
}

/** One conversation with a model that uses tools; runs one turn at a time. */
export class Agent {
  readonly #options: CreateAgentOptions;
  readonly #config: AgentConfig;
  readonly #root: string;
  #store: SessionStore | undefined;
  readonly #systemPrompt: string;
  readonly #redactor: Redactor;
  readonly #policy: ApprovalPolicy;
  readonly #clock: Clock;
  readonly #steering = new SteeringQueue();
  readonly #meter: ContextMeter;
  #tracker = new FileTracker();
  #session: Session | undefined;
  #tools: Promise<AgentTools> | undefined;
  #sandbox: Promise<SandboxRoot> | undefined;
  #running: AbortController | undefined;
  #state: AgentState = "idle";

  constructor(options: CreateAgentOptions) {
    this.#options = options;
    this.#config = {
      ...DEFAULT_SETTINGS.agent,
      approvalPerTool: DEFAULT_SETTINGS.approvalPerTool,
      approve: "ask",
      ...options.config,
    };
    this.#root = options.root ?? Deno.cwd();
    this.#store = options.store;
    this.#session = options.session;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#redactor = options.redactor ?? new Redactor();
    this.#policy = new ApprovalPolicy({
      perTool: this.#config.approvalPerTool,
      approve: this.#config.approve,
    });
    this.#meter = new ContextMeter(this.#config, options.model.id);
    this.#systemPrompt = options.systemPrompt ?? systemPrompt({
      style: "base",
      environment: {
        root: this.#root,
        os: Deno.build.os,
        epochMs: this.#clock.epochMs(),
      },
    });
  }

  /** Where the running turn stands. */
  get state(): AgentState {
    return this.#state;
  }

  /** The model in use. */
  get model(): AgentModel {
    return this.#options.model;
  }

  /** The configuration in force. */
  get config(): AgentConfig {
    return this.#config;
  }

  /** Whether a turn runs. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether steering waits that no turn has taken. */
  get hasPendingSteering(): boolean {
    return this.#steering.hasMessages;
  }

  /** The session, made by the store when there is none yet. */
  async session(): Promise<Session> {
    if (this.#session !== undefined) return this.#session;
    this.#store ??= await this.#memoryStore();
    this.#session = await beginSession(this.#store, this.#systemPrompt);
    return this.#session;
  }

  /** The tools, loaded at the first call. */
  tools(): Promise<AgentTools> {
    return this.#tools ??= import("./agent_tools.ts").then(({ loadAgentTools }) =>
      loadAgentTools(this.#options.tools)
    );
  }

  /** Loads what the first turn needs, so that it need not wait for it. Nothing is contacted. */
  async preload(): Promise<void> {
    await Promise.all([import("./turn.ts"), this.tools(), this.#openSandbox()]);
  }

  /**
   * Runs one turn.
   *
   * @param prompt The user's message; `undefined` lets waiting steering messages start the turn.
   * @throws {AgentBusyError} when a turn runs already.
   * @throws {AttachmentError|SandboxError} before anything is said, for an attachment that cannot
   *   be taken.
   * @throws {TurnError} when the turn failed; `agent/error` was emitted before.
   */
  async run(prompt: string | undefined, options: RunOptions = {}): Promise<TurnResult> {
    if (this.#running !== undefined) throw new AgentBusyError();
    const controller = new AbortController();
    this.#running = controller;
    const signals = [controller.signal, this.#options.signal, options.signal];
    const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
    try {
      return await this.#turn(prompt, { signal, attachments: options.attachments ?? [] });
    } finally {
      this.#steering.close();
      this.#running = undefined;
    }
  }

  /**
   * Gives the running turn a message, added after the tools that run now.
   *
   * @returns `false` when no running turn will see it; start one with it then.
   */
  steer(message: string): boolean {
    return this.#steering.push(message);
  }

  /** Cancels the running turn, if any. */
  abort(): void {
    this.#running?.abort(new TurnCancelledError());
  }

  /** Starts over below the system message; what was said stays in the session. */
  async clear(): Promise<void> {
    const session = await this.session();
    session.clear();
    this.#tracker = new FileTracker();
    this.emitSessionChange(session);
  }

  /** Ends the session and begins a new one. */
  async newSession(): Promise<Session> {
    await this.#session?.close("new_session");
    this.#session = undefined;
    this.#tracker = new FileTracker();
    const session = await this.session();
    this.emitSessionChange(session);
    return session;
  }

  /** Ends the session and flushes it. The agent is not used any more after that. */
  async close(reason: string): Promise<void> {
    this.abort();
    await this.#session?.close(reason);
  }

  /** Tells the listener which session and branch the next turn goes to. */
  emitSessionChange(session: Session): void {
    this.#emit({
      type: "session/change",
      params: {
        sessionId: session.id,
        path: session.savePath ?? "",
        cursorId: session.cursorId,
        leaf: session.leaf ?? "",
        persisted: session.persisted,
      },
    });
  }

  async #turn(
    prompt: string | undefined,
    options: { signal: AbortSignal; attachments: readonly Attachment[] },
  ): Promise<TurnResult> {
    this.#steering.open();
    const deps = await this.#turnDeps(options.signal);
    const blocks = await this.#attachmentBlocks(options.attachments, deps);
    this.#emit({ type: "agent/start", params: {} });
    try {
      this.#addPrompt(deps.session, prompt, blocks);
      const { runTurn } = await import("./turn.ts");
      const result = await runTurn(deps);
      await deps.session.endTurn();
      this.#emit({ type: "state/change", params: { state: "idle" } });
      this.#emit({ type: "agent/end", params: result });
      return result;
    } catch (error) {
      throw await this.#fail(deps.session, error);
    }
  }

  async #attachmentBlocks(attachments: readonly Attachment[], deps: TurnDeps): Promise<string[]> {
    if (attachments.length === 0) return [];
    const { readAttachments } = await import("./attachments.ts");
    return await readAttachments(attachments, {
      sandbox: deps.batch.sandbox,
      redactor: this.#redactor,
    });
  }

  #addPrompt(session: Session, prompt: string | undefined, blocks: readonly string[]): void {
    if (prompt !== undefined) {
      session.appendUserMessage([prompt, ...blocks].join("\n\n"));
    }
  }

  async #turnDeps(signal: AbortSignal): Promise<TurnDeps> {
    const session = await this.session();
    const { registry, llmTools } = await this.tools();
    const sandbox = await this.#openSandbox();
    const maxOutputBytes = toolOutputLimitBytes(this.#config);
    return {
      session,
      model: this.#options.model,
      settings: this.#config,
      systemPrompt: this.#systemPrompt,
      llmTools,
      maxTokens: completionReserve(this.#config),
      steering: this.#steering,
      meter: this.#meter,
      clock: this.#clock,
      signal,
      onEvent: (event) => this.#emit(event),
      batch: {
        registry,
        policy: this.#policy,
        gate: this.#options.gate ?? denyAll,
        sandbox,
        tracker: this.#tracker,
        redactor: this.#redactor,
        logger: this.#options.logger ?? SILENT_LOGGER,
        maxOutputBytes,
        storeResult: (result) => storeToolResult(session, result, maxOutputBytes),
      },
    };
  }

  async #memoryStore(): Promise<SessionStore> {
    const { MemoryStore } = await import("../../sessions/memory_store.ts");
    return new MemoryStore({
      root: this.#root,
      redact: (text) => this.#redactor.redact(text),
    });
  }

  #openSandbox(): Promise<SandboxRoot> {
    return this.#sandbox ??= import("../security/sandbox.ts").then(({ SandboxRoot }) =>
      SandboxRoot.open(this.#root)
    );
  }

  /** Notes a failed turn in the session, tells the listener, and makes the error to throw. */
  async #fail(session: Session, error: unknown): Promise<TurnError> {
    const failure = toTurnError(error, this.#redactor);
    session.appendCustom(RHO_KINDS.turnError, {
      code: failure.code,
      message: failure.message,
    });
    await session.endTurn();
    this.#emit({ type: "state/change", params: { state: "idle" } });
    this.#emit({
      type: "agent/error",
      params: { error: failure.message, code: failure.code },
    });
    return failure;
  }

  #emit(event: AgentEvent): void | Promise<void> {
    if (event.type === "state/change") {
      if (event.params.state === this.#state) return;
      this.#state = event.params.state;
    }
    return this.#options.onEvent?.(event);
  }
}

function toTurnError(error: unknown, redactor: Redactor): TurnError {
  if (error instanceof TurnError) return error;
  const isKnown = error instanceof RhoError;
  const code = isKnown ? error.code : "internal";
  const retriable = isKnown && error.data.retriable === true;
  const message = error instanceof Error ? error.message : String(error);
  return new TurnError(code, redactor.redact(message), { retriable, cause: error });
}
