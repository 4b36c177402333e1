import { ProviderError } from "../llm/provider_error.ts";
import type { LlmMessage } from "../llm/types.ts";
import { assertWorkable } from "../../sessions/context/context_budget.ts";
import { ContextError } from "../../sessions/context/context_error.ts";
import { HIGH_WATER } from "../../sessions/context/prepare_context.ts";
import type { ViewMends } from "../../sessions/context_view.ts";
import { type CompactionDeps, compactSession } from "./compaction.ts";

/** What the context of a turn works with. */
export interface TurnContextDeps extends CompactionDeps {
  /** Utilisation from which older turns are compacted, in percent; 0 is off. */
  readonly autoCompactPercent: number;
}

/** A request as it is sent. */
export interface PreparedRequest {
  readonly messages: readonly LlmMessage[];
  readonly estimatedTokens: number;
}

/** A compaction that was not worth it is tried again after so many entries. */
const ENTRIES_BEFORE_NEXT_TRY = 10;

/** Makes each request of a turn from the session: compacted, fitted, checked, repaired. */
export class TurnContext {
  readonly #deps: TurnContextDeps;
  #nextTryAtEntries = 0;

  constructor(deps: TurnContextDeps) {
    this.#deps = deps;
  }

  /**
   * The next request's messages, today's system prompt first.
   *
   * @param note Added for this request only: the history stays as it was, byte for byte.
   * @throws {ContextError} when the window is too small for what must be in it.
   */
  async prepare(note?: string): Promise<PreparedRequest> {
    const { session, meter, systemPrompt, llmTools } = this.#deps;
    assertWorkable(meter.budget(systemPrompt, llmTools));
    await this.#compactIfFull();
    const prepared = session.prepareContext({
      budget: meter.budget(systemPrompt, llmTools),
      estimator: meter.estimator,
      system: systemPrompt,
      tools: llmTools,
      onMend: (mends) => this.#sayMends(mends),
      ...(note === undefined ? {} : { note }),
    });
    const { downgraded, evicted, bounded, messages, estimatedTokens } = prepared;
    if (downgraded + evicted + bounded > 0) this.#deps.forgetReads();
    return { messages, estimatedTokens };
  }

  /**
   * Makes room after a server refused a request as too long: compacts, and lowers the window to
   * what the server seems to take.
   *
   * @returns the request to send instead, or `undefined` when the error is another one or nothing
   *   can be done.
   */
  async recover(
    error: unknown,
    refused: PreparedRequest,
    note?: string,
  ): Promise<PreparedRequest | undefined> {
    if (!(error instanceof ProviderError) || error.code !== "context_length_exceeded") {
      return undefined;
    }
    const { meter, llmTools, onEvent } = this.#deps;
    const window = meter.lowerAfterRefusal(refused.messages, llmTools);
    const message = `The model's server refused a prompt of about ${refused.estimatedTokens} ` +
      `tokens as too long; rho makes room and goes on with a window of ${window} tokens. Set ` +
      "token_budget to the model's real window";
    onEvent({ type: "notice", params: { code: "context_refused", level: "warn", message } });
    try {
      await compactSession(this.#deps);
      const shorter = await this.prepare(note);
      return shorter.estimatedTokens < refused.estimatedTokens ? shorter : undefined;
    } catch (failure) {
      if (failure instanceof ContextError) return undefined;
      throw failure;
    }
  }

  /** Compacts when the prompt, before anything is made coarser for it, is as full as configured. */
  async #compactIfFull(): Promise<void> {
    const { autoCompactPercent, session, meter, systemPrompt, llmTools } = this.#deps;
    if (autoCompactPercent <= 0 || session.livePath.length < this.#nextTryAtEntries) return;
    const { utilizationPercent } = session.contextStats({
      budget: meter.budget(systemPrompt, llmTools),
      estimator: meter.estimator,
    });
    // Above the high mark downgrading would always come first.
    if (utilizationPercent < Math.min(autoCompactPercent, HIGH_WATER * 100)) return;
    const { compactedEntries } = await compactSession(this.#deps);
    if (compactedEntries === 0) {
      this.#nextTryAtEntries = session.livePath.length + ENTRIES_BEFORE_NEXT_TRY;
    }
  }

  #sayMends(mends: ViewMends): void {
    const parts = [
      [mends.missingResults, "calls without a result"],
      [mends.orphanResults, "results without a call"],
      [mends.namelessCalls, "calls without a name"],
      [mends.unknownPayloads, "entries of an unknown kind"],
    ] as const;
    const found = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
    const message = `The session holds ${found.join(", ")}; what the model is sent leaves them ` +
      "out or mends them, the session itself stays as it is";
    this.#deps.onEvent({
      type: "notice",
      params: { code: "session_mended", level: "warn", message },
    });
  }
}
