import type { ErrorContext } from "../error_context.ts";
import { inBandError } from "../http/http_errors.ts";
import { ReplyAssembly } from "../stream/reply_assembly.ts";
import type { DecoderInit, ReplyDecoder } from "../stream/reply_decoder.ts";
import { ToolCallMatcher } from "./tool_call_matcher.ts";

/** The fields that reasoning comes in; where several are filled, the first counts. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning"] as const;

/** Reads the chunks of a Chat Completions stream, and whole completions, into an assembly. */
export class ChunkDecoder implements ReplyDecoder {
  readonly assembly: ReplyAssembly;
  /** Chat Completions ends with `[DONE]`, which is no payload. */
  readonly endMark = false;
  readonly #context: ErrorContext;
  readonly #matcher: ToolCallMatcher;
  #streamed = false;

  constructor(init: DecoderInit) {
    this.assembly = new ReplyAssembly(init);
    this.#context = init.context;
    this.#matcher = new ToolCallMatcher(
      this.assembly.calls,
      new Set(init.request.tools.map(({ name }) => name)),
    );
  }

  /** Takes one chunk, or a whole completion. */
  push(payload: Record<string, unknown>): void {
    if (payload["error"]) throw inBandError(payload["error"], this.#context);
    const choices = payload["choices"];
    const choice = Array.isArray(choices) ? record(choices[0]) : undefined;
    if (choice !== undefined) this.#choice(choice);
    else if (!("choices" in payload) && !("usage" in payload)) refuseError(payload, this.#context);
    if (payload["usage"]) this.assembly.usage(payload["usage"]);
    // Groq and Moonshot have places of their own for it.
    else if (payload["x_groq"]) this.assembly.usage(record(payload["x_groq"])?.["usage"]);
    else if (choice?.["usage"]) this.assembly.usage(choice["usage"]);
  }

  #choice(choice: Record<string, unknown>): void {
    if (choice["error"]) throw inBandError(choice["error"], this.#context);
    const delta = record(choice["delta"]);
    if (delta !== undefined) {
      this.#streamed = true;
      this.#delta(delta);
    } else if (!this.#streamed) {
      // A whole message: either no stream at all, or one that repeats itself at the end.
      const message = record(choice["message"]);
      if (message !== undefined) {
        this.#streamed = true;
        this.#delta(message);
      } else if (typeof choice["text"] === "string") this.#content(choice["text"]);
    }
    const reason = choice["finish_reason"];
    if (typeof reason === "string" && reason !== "") this.assembly.finish(reason);
  }

  #delta(delta: Record<string, unknown>): void {
    for (const field of REASONING_FIELDS) {
      const reasoning = delta[field];
      if (typeof reasoning === "string" && reasoning !== "") {
        this.assembly.reasoning(reasoning, field);
        break;
      }
    }
    const content = delta["content"];
    if (typeof content === "string") this.#content(content);
    else if (Array.isArray(content)) content.forEach((part) => this.#part(part));
    if (typeof delta["refusal"] === "string") this.#content(delta["refusal"]);
    const calls = delta["tool_calls"];
    if (Array.isArray(calls)) this.#matcher.push(calls);
    if (delta["function_call"]) this.#matcher.pushLegacy(delta["function_call"]);
  }

  #content(text: string): void {
    if (text !== "") this.assembly.content(text);
  }

  /** Mistral sends content as parts, thinking among them. */
  #part(part: unknown): void {
    const { type, text, thinking } = record(part) ?? {};
    if (type === "thinking") {
      for (const inner of Array.isArray(thinking) ? thinking : [thinking]) {
        const words = typeof inner === "string" ? inner : record(inner)?.["text"];
        if (typeof words === "string" && words !== "") this.assembly.reasoning(words);
      }
    } else if (typeof text === "string") this.#content(text);
  }
}

/** Some servers send their errors without the usual wrapping. */
function refuseError(payload: Record<string, unknown>, context: ErrorContext): void {
  const looksLikeError = payload["object"] === "error" || payload["type"] === "error" ||
    typeof payload["detail"] === "string" || typeof payload["message"] === "string";
  if (looksLikeError) throw inBandError(payload, context);
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : undefined;
}
