import type { Clock } from "../base/clock.ts";
import { unreachable } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { LlmToolCall } from "../llm/types.ts";
import type { Redactor } from "../security/redactor.ts";
import { RedactionStream } from "../security/redaction_stream.ts";
import type { SandboxRoot } from "../security/sandbox.ts";
import type { FileTracker } from "../../sessions/file_tracker.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import type { ConversationRecord, ToolContext } from "../../tools/tool.ts";
import type { AgentHooks } from "./agent_hooks.ts";
import type { AgentEventListener, ToolCallOutcome, ToolCallReport } from "./events.ts";
import { hookedCall, hookedResult } from "./hooked_call.ts";
import { prepareCall, type ReadyCall } from "./prepared_call.ts";
import { executeCall } from "./tool_execution.ts";
import { type PermissionDeps, requestPermission } from "./tool_permission.ts";

/** What tool calls need to run. */
export interface ToolBatchDeps extends Omit<PermissionDeps, "context"> {
  readonly registry: ToolRegistry;
  readonly sandbox: SandboxRoot;
  readonly tracker: FileTracker;
  readonly hooks?: AgentHooks;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onEvent: AgentEventListener;
  /** The most text of one result, in UTF-8 bytes. */
  readonly maxOutputBytes: number;
  /** Cuts a redacted result to size and stores it; returns the text as the model will see it. */
  readonly storeResult: (result: StoredResult) => string;
  /** What tools may look up of the conversation. */
  readonly record: ConversationRecord;
}

/** A finished call on its way into the conversation. */
export interface StoredResult {
  readonly callId: string;
  /** Redacted, at full length. */
  readonly output: string;
  readonly isError: boolean;
}

/** What became of all calls of one response. */
export interface ToolBatchResult {
  /** One report a call, in call order. */
  readonly reports: readonly ToolCallReport[];
  /** What the user wants instead, when one call was redirected. */
  readonly redirect?: string;
}

/**
 * Runs the calls of one response in order. Every call gets exactly one result, whatever happens.
 *
 * @param skipReason When given, no call runs and each is answered with this.
 */
export async function runToolBatch(
  calls: readonly LlmToolCall[],
  deps: ToolBatchDeps,
  skipReason?: string,
): Promise<ToolBatchResult> {
  const reports: ToolCallReport[] = [];
  let redirect: string | undefined;
  for (const call of calls) {
    const runner = new ToolCallRunner(call, deps);
    if (skipReason !== undefined) reports.push(runner.skip(skipReason));
    else if (redirect !== undefined) reports.push(runner.skip(REDIRECTED));
    else {
      const { report, redirectedTo } = await runner.run();
      reports.push(report);
      redirect = redirectedTo;
    }
  }
  return { reports, ...(redirect === undefined ? {} : { redirect }) };
}

const REDIRECTED = "Skipped: the user answered with something else to do; see the next message.";
const BLOCKED =
  "Do not try to reach the same effect another way; do something else, or say what you wanted.";
const CANCELLED = "The turn was cancelled before this call ran.";

/** Takes one call from `tool/call` to its one `tool/result` or `tool/denied`. */
class ToolCallRunner {
  readonly #call: LlmToolCall;
  readonly #deps: ToolBatchDeps;
  #startedMs: number;
  #argumentsText: string;

  constructor(call: LlmToolCall, deps: ToolBatchDeps) {
    this.#call = call;
    this.#deps = deps;
    this.#startedMs = deps.clock.monotonicMs();
    this.#argumentsText = call.arguments;
    const { id, name, arguments: sent } = call;
    deps.onEvent({ type: "tool/call", params: { id, name, arguments: sent } });
  }

  skip(reason: string): ToolCallReport {
    return this.#finish("skipped", reason);
  }

  async run(): Promise<{ report: ToolCallReport; redirectedTo?: string }> {
    const { signal, registry, sandbox, tracker } = this.#deps;
    if (signal.aborted) return { report: this.#finish("error", CANCELLED) };
    const prepared = prepareCall(this.#call, registry);
    const ready = prepared.type === "unusable"
      ? prepared
      : await hookedCall(this.#call, prepared, this.#deps);
    if (ready.type === "unusable") return { report: this.#finish("error", ready.message) };
    if (ready.type === "blocked") return { report: this.#finish("blocked", ready.message) };
    this.#argumentsText = ready.argumentsText;
    const context = { sandbox, tracker, signal };
    const permission = await requestPermission(this.#call, ready, { ...this.#deps, context });
    switch (permission.type) {
      case "granted":
        return { report: await this.#execute(ready) };
      case "denied":
        return { report: this.#deny(permission.reason) };
      case "blocked":
        return { report: this.#finish("blocked", `Not run: ${permission.reason}. ${BLOCKED}`) };
      case "redirected":
        return { report: this.skip(REDIRECTED), redirectedTo: permission.message };
      default:
        return unreachable(permission);
    }
  }

  async #execute(ready: ReadyCall): Promise<ToolCallReport> {
    const { onEvent, redactor, clock } = this.#deps;
    onEvent({ type: "state/change", params: { state: "executing_tool" } });
    // The time a person took to approve is not the call's.
    this.#startedMs = clock.monotonicMs();
    const live = new RedactionStream(redactor);
    const result = await executeCall(ready, this.#context((chunk) => this.#show(live.push(chunk))));
    this.#show(live.end());
    const output = ready.changed === undefined
      ? result.output
      : `${ready.changed}\n${result.output}`;
    const hooked = await hookedResult(this.#call, { ...result, output }, this.#deps);
    return this.#finish(hooked.isError ? "error" : "success", hooked.output);
  }

  #context(progress: (chunk: string) => void): ToolContext {
    const { signal, sandbox, tracker, logger, maxOutputBytes, record } = this.#deps;
    const callId = this.#call.id;
    return { signal, sandbox, tracker, progress, logger, maxOutputBytes, record, callId };
  }

  #show(chunk: string): void {
    if (chunk === "") return;
    const { id, name } = this.#call;
    this.#deps.onEvent({ type: "tool/progress", params: { id, name, chunk } });
  }

  #finish(kind: ToolCallOutcome["kind"], output: string): ToolCallReport {
    const { onEvent, redactor, storeResult } = this.#deps;
    const { id, name } = this.#call;
    const isError = kind !== "success";
    const shown = storeResult({ callId: id, output: redactor.redact(output), isError });
    const durationMs = this.#durationMs();
    onEvent({
      type: "tool/result",
      params: { id, name, is_error: isError, output: shown, durationMs },
    });
    return this.#report({ kind, output: shown }, durationMs);
  }

  #deny(reason: string): ToolCallReport {
    const { onEvent, redactor, storeResult } = this.#deps;
    const { id, name } = this.#call;
    const safeReason = redactor.redact(reason);
    const output = `This call was not run: ${safeReason}. Do not try to reach the same effect ` +
      "another way; do something else, or say what you wanted and why.";
    storeResult({ callId: id, output, isError: true });
    onEvent({ type: "tool/denied", params: { id, name, reason: safeReason } });
    return this.#report({ kind: "denied" }, this.#durationMs());
  }

  #report(outcome: ToolCallOutcome, durationMs: number): ToolCallReport {
    const { id, name } = this.#call;
    return { id, name, arguments: this.#argumentsText, outcome, durationMs };
  }

  #durationMs(): number {
    return Math.round(this.#deps.clock.monotonicMs() - this.#startedMs);
  }
}
