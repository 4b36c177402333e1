import { newUuid } from "../base/ids.ts";
import type { LlmTool, LlmToolCall } from "../llm/types.ts";
import { RHO_KINDS } from "../../sessions/entry.ts";
import type { Session } from "../../sessions/session.ts";
import type { AgentModel } from "./agent_model.ts";
import type { ContextMeter } from "./context_meter.ts";
import type { IterationUsage, TurnUsage } from "./events.ts";
import type { ModelResponse } from "./model_response.ts";
import type { ModelWatch } from "./model_watch.ts";
import type { PreparedRequest } from "./turn_context.ts";
import { callIdsOf, partialMark } from "./turn_response.ts";
import { responseUsage, unreportedUsage, usageData, UsageMeter } from "./usage_meter.ts";

/** What a recorder works with. */
export interface ResponseRecorderDeps {
  readonly session: Session;
  readonly meter: ContextMeter;
  readonly modelWatch: ModelWatch;
  readonly llmTools: readonly LlmTool[];
}

/** The request that a response answers. */
export interface RecordedRequest {
  readonly sent: PreparedRequest;
  readonly model: AgentModel;
}

/** Puts the responses of a turn into its session, with what they cost. */
export class ResponseRecorder {
  readonly #deps: ResponseRecorderDeps;
  readonly #usage = new UsageMeter();
  readonly #usedIds: Set<string>;

  constructor(deps: ResponseRecorderDeps) {
    this.#deps = deps;
    this.#usedIds = callIdsOf(deps.session);
  }

  /** What the responses so far have cost. */
  get usage(): TurnUsage {
    return this.#usage.total();
  }

  /** Stores a response; returns the calls that may run. */
  record(answer: ModelResponse, { model }: Pick<RecordedRequest, "model">): LlmToolCall[] {
    const { response, outcome } = answer;
    const isBroken = response.finishReason === null && !response.endMark;
    const calls = outcome === "complete" && !isBroken ? this.#uniqueIds(response.calls) : [];
    const reasoning = outcome === "complete" ? response.reasoning(model.id) : undefined;
    if (response.text !== "" || calls.length > 0 || reasoning !== undefined) {
      this.#deps.session.appendAssistantMessage({
        content: response.text,
        toolCalls: calls,
        finishReason: response.finishReason,
        ...(reasoning === undefined ? {} : { reasoning }),
        ...partialMark(answer),
      });
    }
    return calls;
  }

  /** Stores what a response cost; returns it with the state of the context window. */
  recordUsage(
    answer: ModelResponse,
    { sent, model }: RecordedRequest,
  ): Omit<IterationUsage, "iteration"> {
    const { session, meter, modelWatch, llmTools } = this.#deps;
    const { requestCount, outcome, response: { usage: reported, text } } = answer;
    const { price } = modelWatch;
    const usage = responseUsage(reported, { requestCount, price });
    const { context, estimateBefore } = meter.measure(sent.messages, {
      tools: llmTools,
      reportedInputTokens: reported?.inputTokens,
    });
    this.#usage.add(usage);
    for (let failed = 1; failed < requestCount; failed++) {
      session.appendCustom(RHO_KINDS.usage, usageData(undefined, { model: model.id }));
    }
    session.appendCustom(RHO_KINDS.usage, usageData(reported, { model: model.id, price }));
    if (reported === undefined) {
      const tokens = sent.estimatedTokens + meter.estimator.estimate(text);
      session.appendCustom(RHO_KINDS.unreported, unreportedUsage(tokens));
    }
    if (outcome === "complete") {
      modelWatch.noteReply(model, {
        estimatedTokens: estimateBefore,
        reportedTokens: reported && reported.inputTokens + reported.cachedTokens,
      });
    }
    return { usage, context };
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
}
