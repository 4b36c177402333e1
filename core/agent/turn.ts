import { delay } from "../base/abort.ts";
import type { Clock } from "../base/clock.ts";
import { newUuid } from "../base/ids.ts";
import type { AgentSettings } from "../config/settings.ts";
import type { LlmMessage, LlmRequest, LlmTool, LlmToolCall } from "../llm/types.ts";
import { buildView } from "../../sessions/context_view.ts";
import { RHO_KINDS } from "../../sessions/entry.ts";
import type { Session } from "../../sessions/session.ts";
import type { AgentModel } from "./agent_model.ts";
import type { ContextMeter } from "./context_meter.ts";
import type { AgentEventListener, FinishReason, ToolCallReport, TurnResult } from "./events.ts";
import { type ModelResponse, requestResponse } from "./model_response.ts";
import type { SteeringQueue } from "./steering_queue.ts";
import { StuckGuard } from "./stuck_guard.ts";
import { runToolBatch, type ToolBatchDeps } from "./tool_batch.ts";
import { NOTES } from "./turn_notes.ts";
import { responseUsage, UsageMeter } from "./usage_meter.ts";

/** What a turn works with. */
export interface TurnDeps {
  readonly session: Session;
  readonly model: AgentModel;
  readonly settings: AgentSettings;
  /** Today's system prompt; the stored one is only a record. */
  readonly systemPrompt: string;
  readonly llmTools: readonly LlmTool[];
  readonly maxTokens: number;
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
 */
export async function runTurn(deps: TurnDeps): Promise<TurnResult> {
  return await new Turn(deps).run();
}

class Turn {
  readonly #deps: TurnDeps;
  readonly #usage = new UsageMeter();
  readonly #toolCalls: ToolCallReport[] = [];
  readonly #callGuard: StuckGuard;
  readonly #textGuard: StuckGuard;
  readonly #usedIds: Set<string>;
  readonly #startedMs: number;
  #iterations = 0;
  #emptyReplies = 0;
  #reply = "";

  constructor(deps: TurnDeps) {
    this.#deps = deps;
    this.#startedMs = deps.clock.monotonicMs();
    this.#usedIds = callIdsOf(deps.session);
    this.#callGuard = new StuckGuard(deps.settings.stuckLoopThreshold);
    this.#textGuard = new StuckGuard(deps.settings.stuckLoopThreshold);
  }

  async run(): Promise<TurnResult> {
    for (;;) {
      const step = await this.#iterate();
      if (step !== "continue") return this.#result(step.finish);
    }
  }

  async #iterate(): Promise<Step> {
    const { onEvent, signal } = this.#deps;
    if (signal.aborted) return { finish: "cancelled" };
    this.#applySteering();
    onEvent({ type: "state/change", params: { state: "thinking" } });
    this.#iterations += 1;
    const messages = this.#messages();
    const answer = await this.#askModel(messages);
    const calls = this.#keepResponse(answer, messages);
    if (answer.outcome === "cancelled") return { finish: "cancelled" };
    if (answer.outcome === "exhausted") return this.#giveUp(answer);
    if (calls.length > 0) return await this.#runCalls(calls, answer);
    return await this.#takeReply(answer);
  }

  /** The whole request, today's system prompt first. */
  #messages(): LlmMessage[] {
    const view = buildView(this.#deps.session);
    const rest = view[0]?.role === "system" ? view.slice(1) : view;
    const messages: LlmMessage[] = [
      { role: "system", content: this.#deps.systemPrompt },
      ...rest,
    ];
    // A note for this request only: the history stays as it was, byte for byte.
    if (this.#isLastIteration() && this.#iterations > 1) {
      messages.push({ role: "user", content: NOTES.lastIteration });
    }
    return messages;
  }

  async #askModel(messages: readonly LlmMessage[]): Promise<ModelResponse> {
    const { model, settings, llmTools, maxTokens, signal, onEvent } = this.#deps;
    const request: LlmRequest = {
      model: model.id,
      messages,
      tools: llmTools,
      maxTokens,
      ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
      ...(settings.reasoningEffort === undefined
        ? {}
        : { reasoningEffort: settings.reasoningEffort }),
    };
    return await requestResponse(request, {
      service: model.service,
      signal,
      onEvent,
      retryBudget: settings.retryBudget,
      initialBackoffMs: settings.initialBackoffMs,
    });
  }

  /** Stores the response and its usage; returns the calls that may run. */
  #keepResponse(answer: ModelResponse, messages: readonly LlmMessage[]): LlmToolCall[] {
    const { session, model } = this.#deps;
    const { response, outcome } = answer;
    const isBroken = response.finishReason === null && !response.endMark;
    const calls = outcome === "complete" && !isBroken ? this.#uniqueIds(response.calls) : [];
    const reasoning = outcome === "complete" ? response.reasoning(model.id) : undefined;
    if (response.text !== "" || calls.length > 0 || reasoning !== undefined) {
      session.appendAssistantMessage({
        content: response.text,
        toolCalls: calls,
        finishReason: response.finishReason,
        ...(reasoning === undefined ? {} : { reasoning }),
        ...partialMark(answer),
      });
    }
    if (response.text !== "") this.#reply = response.text;
    this.#reportUsage(answer, messages);
    return calls;
  }

  #reportUsage(answer: ModelResponse, messages: readonly LlmMessage[]): void {
    const { session, meter, llmTools, onEvent } = this.#deps;
    const usage = responseUsage(answer.response.usage, answer.requestCount);
    const context = meter.measure(messages, {
      tools: llmTools,
      reportedInputTokens: answer.response.usage?.inputTokens,
    });
    this.#usage.add(usage);
    const kind = answer.response.usage === undefined ? RHO_KINDS.unreported : RHO_KINDS.usage;
    const estimate = answer.response.usage === undefined
      ? { estimatedTokens: context.estimatedUsed }
      : {};
    session.appendCustom(kind, { ...usage, ...estimate, model: this.#deps.model.id });
    onEvent({ type: "usage", params: { iteration: this.#iterations, usage, context } });
  }

  #giveUp(answer: ModelResponse): Step {
    const message = answer.error?.message ?? "The model did not answer";
    const code = answer.error?.code ?? "retry_budget_exhausted";
    this.#deps.onEvent({ type: "notice", params: { code, level: "warn", message } });
    this.#deps.session.appendCustom(RHO_KINDS.turnError, { code, message });
    return { finish: "retry_budget_exhausted" };
  }

  async #runCalls(calls: readonly LlmToolCall[], answer: ModelResponse): Promise<Step> {
    const { session, signal, onEvent, clock, batch } = this.#deps;
    this.#emptyReplies = 0;
    const skip = this.#isLastIteration() ? NOTES.callSkippedAtLimit : undefined;
    const { reports, redirect } = await runToolBatch(
      calls,
      { ...batch, signal, onEvent, clock },
      skip,
    );
    this.#toolCalls.push(...reports);
    if (signal.aborted) return { finish: "cancelled" };
    if (skip !== undefined) return { finish: "max_iterations" };
    if (redirect !== undefined) session.appendUserMessage(redirect);
    const steps = reports.map((report) =>
      JSON.stringify([report.name, report.arguments, report.outcome])
    );
    return this.#guard(this.#callGuard, [answer.response.text, ...steps]);
  }

  async #takeReply(answer: ModelResponse): Promise<Step> {
    const { response } = answer;
    if (response.text.trim() === "") return await this.#takeEmptyReply(response.finishReason);
    this.#emptyReplies = 0;
    if (this.#deps.steering.closeIfEmpty()) return { finish: finishOf(response.finishReason) };
    if (this.#isLastIteration()) return { finish: "max_iterations" };
    return this.#guard(this.#textGuard, [response.text]);
  }

  /** A reply of nothing is tried again, after a wait and a bounded number of times. */
  async #takeEmptyReply(finishReason: string | null): Promise<Step> {
    const { settings, signal, session, onEvent } = this.#deps;
    if (finishReason === "length" || finishReason === "content_filter") {
      this.#deps.steering.close();
      return { finish: finishReason };
    }
    this.#emptyReplies += 1;
    const limit = settings.maxConsecutiveEmpty;
    if (limit > 0 && this.#emptyReplies >= limit) return { finish: "consecutive_empty_responses" };
    if (this.#isLastIteration()) return { finish: "max_iterations" };
    if (this.#emptyReplies === 1) session.appendUserMessage(NOTES.emptyReply);
    const message = "The model sent neither text nor a tool call; asking again";
    onEvent({ type: "notice", params: { code: "empty_reply", level: "warn", message } });
    try {
      await delay(settings.initialBackoffMs, { signal });
    } catch {
      return { finish: "cancelled" };
    }
    return "continue";
  }

  #guard(guard: StuckGuard, step: readonly string[]): Step {
    switch (guard.observe(step)) {
      case "stuck":
        return { finish: "loop_detected" };
      case "nudge":
        this.#deps.session.appendUserMessage(NOTES.repetition);
        return "continue";
      case "ok":
        return "continue";
    }
  }

  #applySteering(): void {
    const { steering, session, onEvent } = this.#deps;
    for (const message of steering.drain()) {
      session.appendUserMessage(message);
      onEvent({ type: "steer/applied", params: { message } });
    }
  }

  /** Ids as the session needs them: none twice, though servers number calls from 0 each time. */
  #uniqueIds(calls: readonly LlmToolCall[]): LlmToolCall[] {
    return calls.map((call) => {
      const isTaken = this.#usedIds.has(call.id);
      const id = isTaken ? `${call.id}_${newUuid().slice(0, 8)}` : call.id;
      this.#usedIds.add(id);
      return isTaken ? { ...call, id } : call;
    });
  }

  #isLastIteration(): boolean {
    return this.#iterations >= this.#deps.settings.maxIterations;
  }

  #result(finishReason: FinishReason): TurnResult {
    return {
      reply: this.#reply,
      iterations: this.#iterations,
      usage: this.#usage.total(),
      toolCalls: this.#toolCalls,
      durationMs: Math.round(this.#deps.clock.monotonicMs() - this.#startedMs),
      finishReason,
    };
  }
}

/** The ids of all calls on the active path. */
function callIdsOf(session: Session): Set<string> {
  const ids = new Set<string>();
  for (const { payload } of session.livePath) {
    if (payload.type !== "Message" || payload.message.role !== "assistant") continue;
    for (const call of payload.message.tool_calls ?? []) ids.add(call.id);
  }
  return ids;
}

function partialMark(
  { outcome, response }: ModelResponse,
): { partial?: "cancelled" | "interrupted" | "incomplete" } {
  if (outcome === "cancelled") return { partial: "cancelled" };
  if (outcome === "exhausted") return { partial: "interrupted" };
  return response.finishReason === null ? { partial: "incomplete" } : {};
}

/** The turn's reason from the wire's: an unknown word is never a success. */
function finishOf(wire: string | null): FinishReason {
  switch (wire) {
    case "stop":
    case "end_turn":
    case "eos":
      return "stop";
    case "length":
    case "content_filter":
      return wire;
    default:
      return "incomplete";
  }
}
