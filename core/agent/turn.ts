import { delay } from "../base/abort.ts";
import type { Clock } from "../base/clock.ts";
import { type AgentSettings, type BudgetSettings, DEFAULT_SETTINGS } from "../config/settings.ts";
import type { LlmRequest, LlmTool, LlmToolCall } from "../llm/types.ts";
import { RHO_KINDS } from "../../sessions/entry.ts";
import type { Session } from "../../sessions/session.ts";
import type { AgentHooks } from "./agent_hooks.ts";
import type { AgentModel } from "./agent_model.ts";
import type { ContextMeter } from "./context_meter.ts";
import type { AgentEventListener, FinishReason, ToolCallReport, TurnResult } from "./events.ts";
import { type ModelResponse, requestResponse } from "./model_response.ts";
import type { ModelWatch } from "./model_watch.ts";
import { ResponseRecorder } from "./response_recorder.ts";
import type { SteeringQueue } from "./steering_queue.ts";
import { StuckGuard } from "./stuck_guard.ts";
import { runToolBatch, type ToolBatchDeps } from "./tool_batch.ts";
import { type PreparedRequest, TurnContext } from "./turn_context.ts";
import { TurnLimits } from "./turn_limits.ts";
import { NOTE_KIND, NOTES } from "./turn_notes.ts";
import { finishOf, withoutDurations } from "./turn_response.ts";

/** What a turn works with. */
export interface TurnDeps {
  readonly session: Session;
  /** The model to ask next; it may change between two requests, as may what follows. */
  readonly model: AgentModel;
  readonly settings: AgentSettings;
  /** Today's system prompt; the stored one is only a record. */
  readonly systemPrompt: string;
  readonly llmTools: readonly LlmTool[];
  readonly maxTokens: number;
  readonly modelWatch: ModelWatch;
  readonly hooks?: AgentHooks;
  /**
   * What the session and this turn may use.
   * @default {no limits}
   */
  readonly limits?: BudgetSettings;
  readonly steering: SteeringQueue;
  readonly meter: ContextMeter;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onEvent: AgentEventListener;
  readonly batch: Omit<ToolBatchDeps, "onEvent" | "signal" | "clock">;
}

/** How an iteration leaves the turn: over, with a reason, or to be continued. */
type Step = { readonly finish: FinishReason } | "continue";

/**
 * Runs one turn: asks the model, runs the tools it calls, feeds back their results, until it
 * replies with text, a limit is reached or the turn is cancelled. The user's message is in the
 * session already.
 *
 * @throws {ProviderError} when a request fails and is not worth repeating.
 * @throws {ContextError} when the window is too small for what must be in it.
 */
export async function runTurn(deps: TurnDeps): Promise<TurnResult> {
  using turn = new Turn(deps);
  return await turn.run();
}

class Turn implements Disposable {
  readonly #deps: TurnDeps;
  readonly #limits: TurnLimits;
  readonly #context: TurnContext;
  readonly #recorder: ResponseRecorder;
  readonly #toolCalls: ToolCallReport[] = [];
  readonly #callGuard: StuckGuard;
  readonly #textGuard: StuckGuard;
  readonly #startedMs: number;
  /** The model of the request at hand. */
  #model: AgentModel;
  #iterations = 0;
  #emptyReplies = 0;
  #reply = "";
  /** The start of a reply that was cut at the output limit and is being continued. */
  #cutReply: string | undefined;

  constructor(deps: TurnDeps) {
    const { settings, session, meter, clock, modelWatch } = deps;
    this.#deps = deps;
    this.#model = deps.model;
    this.#startedMs = clock.monotonicMs();
    this.#limits = new TurnLimits({
      limits: deps.limits ?? DEFAULT_SETTINGS.budget,
      session,
      estimator: meter.estimator,
      clock,
      signal: deps.signal,
    });
    const model = () => this.#model;
    this.#context = new TurnContext({
      session,
      meter,
      systemPrompt: deps.systemPrompt,
      llmTools: deps.llmTools,
      get model() {
        return model();
      },
      get price() {
        return modelWatch.price;
      },
      mode: settings.compactionMode,
      autoCompactPercent: settings.autoCompactPercent,
      signal: this.#limits.signal,
      onEvent: deps.onEvent,
      forgetReads: () => deps.batch.tracker.forgetReads(),
    });
    this.#recorder = new ResponseRecorder(deps);
    this.#callGuard = new StuckGuard(settings.stuckLoopThreshold);
    this.#textGuard = new StuckGuard(settings.stuckLoopThreshold);
  }

  [Symbol.dispose](): void {
    this.#limits[Symbol.dispose]();
  }

  async run(): Promise<TurnResult> {
    for (;;) {
      const step = await this.#iterate();
      if (step !== "continue") return this.#result(step.finish);
    }
  }

  async #iterate(): Promise<Step> {
    if (this.#limits.signal.aborted || this.#limits.reached !== undefined) return this.#stop();
    this.#applySteering();
    this.#deps.onEvent({ type: "state/change", params: { state: "thinking" } });
    this.#iterations += 1;
    this.#model = this.#deps.model;
    await this.#deps.modelWatch.prepare(this.#model, this.#limits.signal);
    // A note for this request only: the history stays as it was, byte for byte.
    const isClosing = this.#isLastIteration() && this.#iterations > 1;
    const note = isClosing ? NOTES.lastIteration : undefined;
    await this.#deps.hooks?.onIteration();
    const request = await this.#withHookNote(await this.#context.prepare(note));
    const { answer, sent } = await this.#ask(request, note);
    if (answer === undefined) {
      this.#iterations -= 1;
      return this.#stop();
    }
    const model = this.#model;
    const calls = this.#recorder.record(answer, { model });
    if (answer.response.text !== "") this.#reply = (this.#cutReply ?? "") + answer.response.text;
    const params = this.#recorder.recordUsage(answer, { sent, model });
    this.#deps.onEvent({ type: "usage", params: { iteration: this.#iterations, ...params } });
    if (answer.outcome === "cancelled") return this.#stop();
    if (answer.outcome === "exhausted") return this.#giveUp(answer);
    if (calls.length > 0) return await this.#runCalls(calls);
    return await this.#takeReply(answer);
  }

  /** What a hook appends is for this request only, too. */
  async #withHookNote(request: PreparedRequest): Promise<PreparedRequest> {
    const { signal } = this.#limits;
    const content = await this.#deps.hooks?.onBeforeModel(request.messages, { signal });
    if (content === undefined) return request;
    const messages = [...request.messages, { role: "user", content } as const];
    return { ...request, messages };
  }

  /** Asks the model; a prompt that its server finds too long is shortened and sent once more. */
  async #ask(
    request: PreparedRequest,
    note: string | undefined,
  ): Promise<{ answer: ModelResponse | undefined; sent: PreparedRequest }> {
    try {
      return { answer: await this.#askModel(request), sent: request };
    } catch (error) {
      const shorter = await this.#context.recover(error, request, note);
      if (shorter === undefined) throw error;
      return { answer: await this.#askModel(shorter), sent: shorter };
    }
  }

  /** One response, or `undefined` when nothing may be asked any more. */
  async #askModel(sent: PreparedRequest): Promise<ModelResponse | undefined> {
    const { settings, llmTools, onEvent } = this.#deps;
    const model = this.#model;
    // A compaction may have taken what was left, or have been cancelled.
    if (this.#limits.signal.aborted || this.#limits.reached !== undefined) return undefined;
    const maxTokens = this.#limits.replyTokens(sent.estimatedTokens, this.#deps.maxTokens);
    if (maxTokens === 0) return undefined;
    const request: LlmRequest = {
      model: model.id,
      messages: sent.messages,
      tools: llmTools,
      maxTokens,
      ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
      ...(settings.reasoningEffort === undefined
        ? {}
        : { reasoningEffort: settings.reasoningEffort }),
    };
    return await requestResponse(request, {
      service: model.service,
      signal: this.#limits.signal,
      onEvent: (event) => {
        if (event.type === "message/delta" || event.type === "reasoning/delta") {
          this.#limits.watch(event.params.delta, maxTokens);
        }
        return onEvent(event);
      },
      retryBudget: settings.retryBudget,
      initialBackoffMs: settings.initialBackoffMs,
    });
  }

  #giveUp(answer: ModelResponse): Step {
    const message = answer.error?.message ?? "The model did not answer";
    const code = answer.error?.code ?? "retry_budget_exhausted";
    this.#deps.onEvent({ type: "notice", params: { code, level: "warn", message } });
    this.#deps.session.appendCustom(RHO_KINDS.turnError, { code, message });
    return { finish: "retry_budget_exhausted" };
  }

  async #runCalls(calls: readonly LlmToolCall[]): Promise<Step> {
    const { session, onEvent, clock, batch } = this.#deps;
    const { signal } = this.#limits;
    this.#emptyReplies = 0;
    this.#cutReply = undefined;
    const isSpent = this.#limits.reached !== undefined;
    const skip = isSpent
      ? NOTES.callSkippedAtBudget
      : this.#isLastIteration()
      ? NOTES.callSkippedAtLimit
      : undefined;
    const { reports, redirect } = await runToolBatch(
      calls,
      { ...batch, signal, onEvent, clock },
      skip,
    );
    this.#toolCalls.push(...reports);
    if (signal.aborted || isSpent) return this.#stop();
    if (skip !== undefined) return { finish: "max_iterations" };
    if (redirect !== undefined) session.appendUserMessage(redirect);
    const steps = reports.map(({ name, arguments: args, outcome }) =>
      JSON.stringify([name, args, outcome.kind, withoutDurations(outcome.output ?? "")])
    );
    return this.#guard(this.#callGuard, steps);
  }

  async #takeReply(answer: ModelResponse): Promise<Step> {
    const { response } = answer;
    if (this.#continueCut(answer)) return "continue";
    if (response.text.trim() === "") return await this.#takeEmptyReply(response.finishReason);
    this.#emptyReplies = 0;
    this.#cutReply = undefined;
    if (this.#deps.steering.closeIfEmpty()) return { finish: finishOf(response.finishReason) };
    if (this.#isLastIteration()) return { finish: "max_iterations" };
    return this.#guard(this.#textGuard, [response.text]);
  }

  /** Asks for the rest of a reply that was cut at the output limit, once. */
  #continueCut({ response }: ModelResponse): boolean {
    const isCut = response.finishReason === "length" && this.#cutReply === undefined;
    if (!isCut || this.#isLastIteration() || this.#limits.reached !== undefined) return false;
    const hasText = response.text.trim() !== "";
    this.#cutReply = response.text;
    this.#deps.session.appendCustomMessage(
      RHO_KINDS.continued,
      hasText ? NOTES.continueReply : NOTES.continueCall,
    );
    return true;
  }

  /** A reply of nothing is tried again, after a wait and a bounded number of times. */
  async #takeEmptyReply(finishReason: string | null): Promise<Step> {
    const { settings, session, onEvent } = this.#deps;
    if (finishReason === "length" || finishReason === "content_filter") {
      this.#deps.steering.close();
      return { finish: finishReason };
    }
    this.#emptyReplies += 1;
    const limit = settings.maxConsecutiveEmpty;
    if (limit > 0 && this.#emptyReplies >= limit) return { finish: "consecutive_empty_responses" };
    if (this.#isLastIteration()) return { finish: "max_iterations" };
    if (this.#emptyReplies === 1) session.appendCustomMessage(NOTE_KIND, NOTES.emptyReply);
    const message = "The model sent neither text nor a tool call; asking again";
    onEvent({ type: "notice", params: { code: "empty_reply", level: "warn", message } });
    try {
      await delay(settings.initialBackoffMs, { signal: this.#limits.signal });
    } catch {
      return this.#stop();
    }
    return "continue";
  }

  #guard(guard: StuckGuard, step: readonly string[]): Step {
    switch (guard.observe(step)) {
      case "stuck":
        return { finish: "loop_detected" };
      case "nudge":
        this.#deps.session.appendCustomMessage(NOTE_KIND, NOTES.repetition);
        return "continue";
      case "ok":
        return "continue";
    }
  }

  /** Ends the turn because somebody cancelled it, or because a limit is reached. */
  #stop(): Step {
    if (this.#deps.signal.aborted) return { finish: "cancelled" };
    const message = this.#limits.reached ?? "The rest of the token limit has no room for a request";
    this.#deps.onEvent({ type: "notice", params: { code: "budget", level: "warn", message } });
    return { finish: "budget" };
  }

  #applySteering(): void {
    const { steering, session, onEvent } = this.#deps;
    for (const message of steering.drain()) {
      session.appendUserMessage(message);
      onEvent({ type: "steer/applied", params: { message } });
    }
  }

  #isLastIteration(): boolean {
    return this.#iterations >= this.#deps.settings.maxIterations;
  }

  #result(finishReason: FinishReason): TurnResult {
    return {
      reply: this.#reply,
      iterations: this.#iterations,
      usage: this.#recorder.usage,
      toolCalls: this.#toolCalls,
      durationMs: Math.round(this.#deps.clock.monotonicMs() - this.#startedMs),
      finishReason,
    };
  }
}
