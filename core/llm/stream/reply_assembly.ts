import { describeTarget, type ErrorContext, providerError } from "../error_context.ts";
import type { LlmRequest, LlmUsage, StreamEvent } from "../types.ts";
import { hasLeakedCall } from "./leaked_call.ts";
import { ThinkSplitter } from "./think_splitter.ts";
import { sameUsage, tokenUsage } from "./token_usage.ts";
import { ToolCallAssembler } from "./tool_call_assembler.ts";

/** Finish reasons in the words of other servers. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ["function_call", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["end_turn", "stop"],
  ["eos", "stop"],
  ["STOP", "stop"],
  ["max_tokens", "length"],
  ["MAX_TOKENS", "length"],
  ["max_output_tokens", "length"],
  ["model_length", "length"],
]);

/** Finish reasons after which a call may have been cut. */
const CUTTING_REASONS: ReadonlySet<string> = new Set(["length", "content_filter"]);

/** Finish reasons by which servers say that they failed. */
const FAILURE_REASONS: ReadonlySet<string> = new Set([
  "error",
  "ERROR",
  "network_error",
  "insufficient_system_resource",
]);

/** How a stream came to its end. */
export interface ReplyEnd {
  /** Whether the protocol's own end mark came. */
  readonly endMark: boolean;
  /** Frames of which nothing could be read. */
  readonly lostFrames: number;
}

/** One reply in the making, the same for both protocols: turns what decoders read into events. */
export class ReplyAssembly {
  readonly calls: ToolCallAssembler;
  readonly #out: StreamEvent[];
  readonly #request: LlmRequest;
  readonly #context: ErrorContext;
  readonly #splitter: ThinkSplitter;
  #text = "";
  #reasoning = "";
  #usage: LlmUsage | undefined;
  #finishReason: string | null = null;

  constructor(
    init: {
      readonly request: LlmRequest;
      readonly context: ErrorContext;
      readonly out: StreamEvent[];
    },
  ) {
    this.#out = init.out;
    this.#request = init.request;
    this.#context = init.context;
    this.#splitter = new ThinkSplitter({
      text: (delta) => {
        this.#text += delta;
        this.#out.push({ type: "text", delta });
      },
      reasoning: (delta) => this.reasoning(delta),
    });
    this.calls = new ToolCallAssembler({
      out: init.out,
      toolNames: new Set(init.request.tools.map(({ name }) => name)),
      usedIds: usedIds(init.request),
    });
  }

  /** Whether a finish reason has come: from then on a lost connection does no harm. */
  get finished(): boolean {
    return this.#finishReason !== null;
  }

  /** Whether anything of the answer itself has come. */
  get hasContent(): boolean {
    return this.#text !== "" || this.calls.count > 0;
  }

  /** Takes a piece of the answer's text, which may hold `<think>` at its start. */
  content(delta: string): void {
    this.#splitter.push(delta);
  }

  /** Takes a piece of reasoning and the wire's name for it. */
  reasoning(delta: string, field?: string): void {
    this.#reasoning += delta;
    this.#out.push({
      type: "reasoning",
      delta,
      ...(field === undefined ? {} : { field }),
    });
  }

  /** Takes an opaque reasoning item. */
  reasoningItem(item: unknown): void {
    this.#out.push({ type: "reasoning_item", item });
  }

  /** Takes token counts; equal ones are said once. */
  usage(wire: unknown): void {
    const usage = tokenUsage(wire);
    if (usage === undefined || (this.#usage !== undefined && sameUsage(usage, this.#usage))) return;
    this.#usage = usage;
    this.#out.push({ type: "usage", usage });
  }

  /**
   * Takes the finish reason.
   *
   * @throws {ProviderError} when it says that the server failed.
   */
  finish(reason: string): void {
    if (FAILURE_REASONS.has(reason)) {
      throw providerError(this.#context, "stream_error", {
        message: `The answer of ${describeTarget(this.#context)} ended with the finish reason ` +
          `"${reason}"; the server failed while it answered`,
        retriable: true,
      });
    }
    this.#finishReason = FINISH_REASONS.get(reason) ?? reason;
  }

  /**
   * Ends the reply: sends the calls that may run, what there is to notice, and `done`.
   *
   * @throws {ProviderError} when nothing came, or when lost frames may have changed a call.
   */
  end(end: ReplyEnd): void {
    this.#splitter.end();
    const { endMark, lostFrames } = end;
    this.#refuseDamaged(lostFrames);
    if (!this.finished && !this.hasContent) {
      throw providerError(this.#context, "empty_stream", {
        message: `The answer of ${describeTarget(this.#context)} ended without any content ` +
          "and without a finish reason; send the request again",
        retriable: true,
      });
    }
    const hadCalls = this.calls.count > 0;
    const finishReason = this.#finishReason;
    const left = this.calls.finish(
      finishReason === null
        ? endMark ? "unconfirmed" : "cut"
        : CUTTING_REASONS.has(finishReason)
        ? "cut"
        : "complete",
    );
    this.#notice(left, hadCalls, lostFrames);
    this.#out.push({ type: "done", finishReason, endMark });
  }

  #refuseDamaged(lostFrames: number): void {
    if (lostFrames === 0) return;
    if (!this.calls.hasNameless && (this.finished || this.hasContent)) return;
    throw malformedStream(this.#context, lostFrames);
  }

  #notice(left: readonly string[], hadCalls: boolean, lostFrames: number): void {
    for (const name of left) {
      this.#out.push(
        name === ""
          ? {
            type: "notice",
            code: "nameless_tool_call",
            message: "The model sent a tool call without a name; it was not run",
          }
          : {
            type: "notice",
            code: "tool_call_cut",
            message: `The call of the tool "${name}" was cut off and was not run`,
          },
      );
    }
    if (
      !hadCalls && this.#request.tools.length > 0 &&
      hasLeakedCall(this.#text === "" ? this.#reasoning : this.#text)
    ) {
      this.#out.push({
        type: "notice",
        code: "leaked_tool_call",
        message: "The model wrote a tool call as text, which is never run; its server does not " +
          "parse the tool calls of this model: check the server's chat template and tool parser",
      });
    }
    if (lostFrames > 0) {
      this.#out.push({
        type: "notice",
        code: "malformed_frames",
        message: `The server sent ${lostFrames} unreadable frames; the answer may have gaps`,
      });
    }
  }
}

/** The error for a stream with more damage than one can trust. */
export function malformedStream(context: ErrorContext, lostFrames: number): Error {
  return providerError(context, "malformed_stream", {
    message: `The answer of ${describeTarget(context)} cannot be read: ${lostFrames} of its ` +
      "frames are damaged",
    retriable: true,
  });
}

function usedIds(request: LlmRequest): Set<string> {
  const ids = new Set<string>();
  for (const message of request.messages) {
    if (message.role === "assistant") { for (const { id } of message.toolCalls) ids.add(id); }
  }
  return ids;
}
