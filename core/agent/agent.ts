import { type Clock, SYSTEM_CLOCK } from "../base/clock.ts";
import { SILENT_LOGGER } from "../base/log.ts";
import { VERSION } from "../base/version.ts";
import { DEFAULT_SETTINGS } from "../config/settings.ts";
import { Redactor } from "../security/redactor.ts";
import type { SandboxRoot } from "../security/sandbox.ts";
import { systemPrompt } from "../../prompts/system_prompt.ts";
import { RHO_KINDS } from "../../sessions/entry.ts";
import { FileTracker } from "../../sessions/file_tracker.ts";
import type { CompactionResult } from "../../sessions/context/compaction/compact_branch.ts";
import type { Session } from "../../sessions/session.ts";
import type { SessionStore } from "../../sessions/session_store.ts";
import { placeOf } from "./agent_hooks.ts";
import { type AgentModel, modelKey } from "./agent_model.ts";
import type { AgentConfig, CreateAgentOptions, RunOptions } from "./agent_options.ts";
import { beginSession } from "./begin_session.ts";
import { conversationRecord } from "./conversation_record.ts";
import type { AgentTools } from "./agent_tools.ts";
import { denyAll } from "./approval_gate.ts";
import { ApprovalPolicy } from "./approval_policy.ts";
import type { Attachment } from "./attachments.ts";
import type { CompactionDeps } from "./compaction.ts";
import { ContextMeter } from "./context_meter.ts";
import type { AgentEvent, AgentState, TurnResult } from "./events.ts";
import type { ModelSwitch } from "./model_switch.ts";
import { ModelWatch } from "./model_watch.ts";
import { SteeringQueue } from "./steering_queue.ts";
import { storeToolResult, toolOutputLimitBytes } from "./stored_result.ts";
import type { TurnDeps } from "./turn.ts";
import { toTurnError } from "./to_turn_error.ts";
import { AgentBusyError, TurnCancelledError, type TurnError } from "./turn_error.ts";

/** Makes an agent. Nothing is loaded, opened or contacted before its first turn. */
export function createAgent(options: CreateAgentOptions): Agent {
  return new Agent(options);
}

/** One conversation with a model that uses tools; runs one turn at a time. */
export class Agent {
  readonly #options: CreateAgentOptions;
  #config: AgentConfig;
  readonly #root: string;
  #store: SessionStore | undefined;
  #systemPrompt: string;
  readonly #redactor: Redactor;
  readonly #policy: ApprovalPolicy;
  readonly #clock: Clock;
  readonly #steering = new SteeringQueue();
  readonly #meter: ContextMeter;
  readonly #modelWatch: ModelWatch;
  #model: AgentModel;
  #tracker = new FileTracker();
  #session: Session | undefined;
  /** The session whose start the hooks were told of. */
  #hookedSession: Session | undefined;
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
    this.#model = options.model;
    this.#meter = new ContextMeter(this.#config, modelKey(options.model));
    this.#modelWatch = new ModelWatch({
      meter: this.#meter,
      tokenBudget: this.#config.tokenBudget,
      onNotice: (params) => this.#emit({ type: "notice", params }),
    });
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

  /** The model in use: the one that the next request goes to. */
  get model(): AgentModel {
    return this.#model;
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
    this.#session = await beginSession(await this.store(), this.#systemPrompt);
    return this.#session;
  }

  /** Where sessions are kept: in memory when no store was given. */
  async store(): Promise<SessionStore> {
    return this.#store ??= await this.#memoryStore();
  }

  /** The tools, loaded at the first call. */
  tools(): Promise<AgentTools> {
    return this.#tools ??=
      (import("./agent_tools.ts" as string) as Promise<typeof import("./agent_tools.ts")>).then((
        { loadAgentTools },
      ) => loadAgentTools(this.#options.tools));
  }

  /** What finds other models by name, when there is such a thing. */
  async models(): Promise<ModelSwitch | undefined> {
    return await this.#options.models?.();
  }

  /**
   * Changes the model from the next request on, in a running turn from its next iteration on, and
   * notes it in the session. Naming the model in use changes nothing.
   *
   * @param model A model, or what {@linkcode ModelSwitch.find} understands.
   * @throws {ConsentError|ModelUnknownError} and everything stays as it was.
   */
  async setModel(model: AgentModel | string): Promise<AgentModel> {
    const next = typeof model === "string" ? await this.#findModel(model) : model;
    const isOther = modelKey(next) !== modelKey(this.#model);
    if (isOther || typeof model !== "string") this.#model = next;
    if (isOther) (await this.session()).appendModelChange(next.id);
    return this.#model;
  }

  /** Changes how long the model shall think from the next request on; `null` leaves it to it. */
  async setReasoningEffort(effort: string | null): Promise<void> {
    if (effort === (this.#config.reasoningEffort ?? null)) return;
    const { reasoningEffort: _, ...rest } = this.#config;
    this.#config = effort === null ? rest : { ...rest, reasoningEffort: effort };
    (await this.session()).writeCustomState(RHO_KINDS.reasoningEffort, { effort });
  }

  async #findModel(text: string): Promise<AgentModel> {
    const models = await this.models();
    if (models !== undefined) return await models.find(text, { current: this.#model.provider });
    return { id: text, provider: this.#model.provider, service: this.#model.service };
  }

  /** Loads the tools anew at their next use; a running turn keeps those that it has. */
  refreshTools(): void {
    this.#tools = undefined;
  }

  /** Loads what the first turn needs, so that it need not wait for it. Nothing is contacted. */
  async preload(): Promise<void> {
    await Promise.all([
      this.#modelWatch.prepare(this.#model),
      import("./turn.ts" as string) as Promise<typeof import("./turn.ts")>,
      this.tools(),
      this.#openSandbox(),
    ]);
    const { checkContext } = await (import("./context_check.ts" as string) as Promise<
      typeof import("./context_check.ts")
    >);
    checkContext(await this.context(), this.#options.logger ?? SILENT_LOGGER);
  }

  /** What the model's context is made of now. */
  async context(signal: AbortSignal = new AbortController().signal): Promise<CompactionDeps> {
    return {
      session: await this.session(),
      model: this.#model,
      meter: this.#meter,
      systemPrompt: this.#systemPrompt,
      llmTools: (await this.tools()).llmTools,
      price: this.#modelWatch.price,
      mode: this.#config.compactionMode,
      signal,
      onEvent: (event) => this.#emit(event),
      forgetReads: () => this.forgetReads(),
    };
  }

  /**
   * Puts a summary in place of the older part of the conversation, if that saves enough.
   *
   * @param focus What to remember above all.
   * @throws {AgentBusyError} when a turn runs.
   */
  async compact(focus?: string): Promise<CompactionResult> {
    if (this.#running !== undefined) throw new AgentBusyError();
    this.#running = new AbortController();
    try {
      const { compactIdle } =
        await (import("./compaction.ts" as string) as Promise<typeof import("./compaction.ts")>);
      return await compactIdle(await this.context(this.#running.signal), focus);
    } finally {
      this.#running = undefined;
    }
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
    await this.renewSystemPrompt();
    const session = await this.session();
    this.emitSessionChange(session);
    return session;
  }

  /**
   * Goes on with another session of the store. The one in use is closed, but only once the other
   * one is open.
   *
   * @param pathOrId A path as the store lists it, an id, or the start of one.
   * @throws {SessionError} why it cannot be opened; everything stays as it was.
   */
  async resumeSession(pathOrId: string): Promise<Session> {
    const session = await (await this.store()).open(pathOrId);
    if (session !== this.#session) {
      await this.#session?.close("resumed_another");
      this.#session = session;
      this.#tracker = new FileTracker();
      await this.renewSystemPrompt();
      session.noteOpened({ version: VERSION, model: this.model.id, root: this.#root });
      const { openingNotices } = await (import("./opening_notices.ts" as string) as Promise<
        typeof import("./opening_notices.ts")
      >);
      for (const notice of openingNotices(session)) this.#emit({ type: "notice", params: notice });
    }
    this.emitSessionChange(session);
    return session;
  }

  /**
   * Changes where the next turn goes on. What the model has read on the way to the old place counts
   * no longer when the place is another one.
   */
  async moveTo<Result>(move: (session: Session) => Result): Promise<Result> {
    const session = await this.session();
    const before = session.leaf;
    const result = move(session);
    if (session.leaf !== before) this.#tracker = new FileTracker();
    this.emitSessionChange(session);
    return result;
  }

  /** Forgets which ranges of files were read: their text may have left the model's context. */
  forgetReads(): void {
    this.#tracker.forgetReads();
  }

  /**
   * Makes the system prompt anew. Within a session it stays the same byte for byte, so this is for
   * the moments where another one begins, or where nothing has been said yet.
   */
  async renewSystemPrompt(): Promise<void> {
    this.#systemPrompt = await this.#options.renewSystemPrompt?.() ?? this.#systemPrompt;
  }

  /** Ends the session and flushes it. The agent is not used any more after that. */
  async close(reason: string): Promise<void> {
    this.abort();
    await this.#modelWatch.close();
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
    await this.#tellTurnStart(options.signal);
    const deps = await this.#turnDeps(options.signal);
    const blocks = await this.#attachmentBlocks(options.attachments, deps);
    this.#emit({ type: "agent/start", params: {} });
    try {
      this.#addPrompt(deps.session, prompt, blocks);
      const { runTurn } =
        await (import("./turn.ts" as string) as Promise<typeof import("./turn.ts")>);
      const result = await runTurn(deps);
      await deps.hooks?.onTurnEnd({ ...placeOf(deps.session), result });
      await deps.session.endTurn();
      this.#emit({ type: "state/change", params: { state: "idle" } });
      this.#emit({ type: "agent/end", params: result });
      return result;
    } catch (error) {
      throw await this.#fail(deps.session, error);
    }
  }

  async #tellTurnStart(signal: AbortSignal): Promise<void> {
    const { hooks } = this.#options;
    if (hooks === undefined) return;
    const session = await this.session();
    const isNew = this.#hookedSession !== session;
    this.#hookedSession = session;
    if (isNew) await hooks.onSessionStart(placeOf(session), { signal });
    await hooks.onTurnStart(placeOf(session), { signal });
  }

  async #attachmentBlocks(attachments: readonly Attachment[], deps: TurnDeps): Promise<string[]> {
    if (attachments.length === 0) return [];
    const { readAttachments } =
      await (import("./attachments.ts" as string) as Promise<typeof import("./attachments.ts")>);
    return await readAttachments(attachments, {
      sandbox: deps.batch.sandbox,
      redactor: deps.batch.redactor,
    });
  }

  #addPrompt(session: Session, prompt: string | undefined, blocks: readonly string[]): void {
    if (prompt === undefined) return;
    // Nobody knows whether those calls ran, so nothing that they read counts as seen.
    if (session.closeOpenCalls().length > 0) this.forgetReads();
    session.appendUserMessage([prompt, ...blocks].join("\n\n"));
  }

  async #turnDeps(signal: AbortSignal): Promise<TurnDeps> {
    const session = await this.session();
    const { registry, llmTools } = await this.tools();
    const sandbox = await this.#openSandbox();
    const hooks = this.#options.hooks === undefined ? {} : { hooks: this.#options.hooks };
    const maxOutputBytes = toolOutputLimitBytes(this.#config);
    // Whoever changes these changes the next request, also that of a running turn.
    const current = {
      model: () => this.#model,
      config: () => this.#config,
      maxTokens: () => this.#modelWatch.maxTokens,
    };
    return {
      session,
      get model() {
        return current.model();
      },
      get settings() {
        return current.config();
      },
      systemPrompt: this.#systemPrompt,
      llmTools,
      get maxTokens() {
        return current.maxTokens();
      },
      modelWatch: this.#modelWatch,
      ...(this.#options.limits === undefined ? {} : { limits: this.#options.limits }),
      steering: this.#steering,
      meter: this.#meter,
      clock: this.#clock,
      signal,
      onEvent: (event) => this.#emit(event),
      ...hooks,
      batch: {
        registry,
        ...hooks,
        policy: this.#policy,
        gate: this.#options.gate ?? denyAll,
        sandbox,
        tracker: this.#tracker,
        redactor: this.#options.modelRedactor ?? this.#redactor,
        logger: this.#options.logger ?? SILENT_LOGGER,
        maxOutputBytes,
        storeResult: (result) => storeToolResult(session, result, maxOutputBytes),
        record: conversationRecord(session),
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
    return this.#sandbox ??= (import("../security/sandbox.ts" as string) as Promise<
      typeof import("../security/sandbox.ts")
    >).then(({ SandboxRoot }) => SandboxRoot.open(this.#root));
  }

  /** Notes a failed turn in the session, tells the listener, and makes the error to throw. */
  async #fail(session: Session, error: unknown): Promise<TurnError> {
    const failure = toTurnError(error, this.#redactor);
    session.appendCustom(RHO_KINDS.turnError, {
      code: failure.code,
      message: failure.message,
    });
    await this.#options.hooks?.onTurnEnd({ ...placeOf(session), error: failure.message });
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
