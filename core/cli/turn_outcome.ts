import { unreachable } from "../base/errors.ts";
import type { AgentEvent, FinishReason, ToolCallReport, TurnResult } from "../agent/events.ts";
import type { TurnError } from "../agent/turn_error.ts";
import { UsageMeter } from "../agent/usage_meter.ts";
import { ProviderError } from "../llm/provider_error.ts";
import { EXIT_CODES } from "./exit_codes.ts";

/** How a one-shot ended, for its caller. */
export interface TurnOutcome {
  readonly exitCode: number;
  /** What a person should know, unless all is well. */
  readonly message?: string;
}

/** A turn that failed, in the shape of one that did not. */
export interface FailedTurn extends TurnResult {
  readonly error: string;
  /** Stable, for programs. */
  readonly code: string;
}

/** What a finished turn means for a script. */
export function outcomeOf({ finishReason, toolCalls }: TurnResult): TurnOutcome {
  const denied = toolCalls.filter(({ outcome }) => outcome.kind === "denied");
  if (finishReason !== "stop") {
    const message = `The turn ended as "${finishReason}"${ADVICE[finishReason] ?? ""}`;
    return { exitCode: exitCodeOf(finishReason), message };
  }
  if (denied.length === 0) return { exitCode: EXIT_CODES.ok };
  const names = [...new Set(denied.map(({ name }) => name))].join(", ");
  return {
    exitCode: EXIT_CODES.denied,
    message: `Calls of ${names} were denied; --approve write or --approve all lets calls run`,
  };
}

/** What a failed turn means for a script. */
export function failureOf(error: TurnError): TurnOutcome {
  const isProviders = error.cause instanceof ProviderError;
  return {
    exitCode: isProviders ? EXIT_CODES.providerFailed : EXIT_CODES.startFailed,
    message: error.message,
  };
}

const ADVICE: Partial<Record<FinishReason, string>> = {
  incomplete: ": the server ended the reply without saying that it was complete",
  max_iterations: "; --max-iterations raises the limit",
};

function exitCodeOf(finishReason: Exclude<FinishReason, "stop">): number {
  switch (finishReason) {
    case "incomplete":
    case "length":
    case "content_filter":
      return EXIT_CODES.incomplete;
    case "max_iterations":
    case "loop_detected":
    case "budget":
    case "consecutive_empty_responses":
      return EXIT_CODES.limitReached;
    case "retry_budget_exhausted":
      return EXIT_CODES.providerFailed;
    case "cancelled":
      return EXIT_CODES.interrupted;
    case "error":
      return EXIT_CODES.startFailed;
    default:
      return unreachable(finishReason);
  }
}

/** Watches a turn, so that there is something to tell should it fail. */
export class TurnWatch {
  readonly #usage = new UsageMeter();
  readonly #calls = new Map<string, ToolCallReport>();
  readonly #startedMs = performance.now();
  #iterations = 0;

  /** Takes the turn's events in order. */
  observe(event: AgentEvent): void {
    switch (event.type) {
      case "usage":
        this.#iterations = event.params.iteration;
        return this.#usage.add(event.params.usage);
      case "tool/call": {
        const { id, name, arguments: sent } = event.params;
        const outcome = { kind: "skipped" } as const;
        this.#calls.set(id, { id, name, arguments: sent, outcome, durationMs: 0 });
        return;
      }
      case "tool/result": {
        const { id, is_error, output, durationMs } = event.params;
        const outcome = { kind: is_error ? "error" : "success", output } as const;
        return this.#end(id, { outcome, durationMs });
      }
      case "tool/denied":
        return this.#end(event.params.id, { outcome: { kind: "denied" }, durationMs: 0 });
    }
  }

  /** The turn that failed, as far as it went. */
  failed(error: TurnError): FailedTurn {
    return {
      reply: "",
      iterations: this.#iterations,
      usage: this.#usage.total(),
      toolCalls: [...this.#calls.values()],
      durationMs: Math.round(performance.now() - this.#startedMs),
      finishReason: "error",
      error: error.message,
      code: error.code,
    };
  }

  #end(id: string, end: Pick<ToolCallReport, "outcome" | "durationMs">): void {
    const call = this.#calls.get(id);
    if (call !== undefined) this.#calls.set(id, { ...call, ...end });
  }
}
