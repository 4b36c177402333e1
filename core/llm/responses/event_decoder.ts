import type { ErrorContext } from "../error_context.ts";
import { inBandError } from "../http/http_errors.ts";
import { ReplyAssembly } from "../stream/reply_assembly.ts";
import type { DecoderInit, ReplyDecoder } from "../stream/reply_decoder.ts";
import type { OpenCall } from "../stream/tool_call_assembler.ts";

/** What has come of one output item. */
interface OutputItem {
  call: OpenCall | undefined;
  /** Whether text came in deltas, so that the whole at the end says nothing new. */
  hasText: boolean;
  hasReasoning: boolean;
  /** Whether the whole item has been read. */
  whole: boolean;
}

/** The wire's name under which reasoning summaries are told apart from plain reasoning. */
const SUMMARY_FIELD = "summary";

/** Reads the events of a Responses stream, and whole responses, into an assembly. */
export class EventDecoder implements ReplyDecoder {
  readonly assembly: ReplyAssembly;
  readonly #context: ErrorContext;
  readonly #items = new Map<string, OutputItem>();
  #latest: OutputItem | undefined;
  #endMark = false;

  constructor(init: DecoderInit) {
    this.assembly = new ReplyAssembly(init);
    this.#context = init.context;
  }

  /** Whether the response's closing event came. */
  get endMark(): boolean {
    return this.#endMark;
  }

  /** Takes one event, or a whole response. */
  push(event: Record<string, unknown>): void {
    const { type } = event;
    switch (type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#text(event, event["delta"]);
        return;
      case "response.output_text.done":
        if (!this.#item(event).hasText) this.#text(event, event["text"]);
        return;
      case "response.refusal.done":
        if (!this.#item(event).hasText) this.#text(event, event["refusal"]);
        return;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
      case "response.reasoning.delta":
        this.#reasoning(this.#item(event), event["delta"], type);
        return;
      case "response.reasoning_summary_part.added":
        // Parts are paragraphs.
        if (this.#item(event).hasReasoning) this.assembly.reasoning("\n\n", SUMMARY_FIELD);
        return;
      case "response.output_item.added":
        this.#added(event, record(event["item"]));
        return;
      case "response.function_call_arguments.delta":
        if (typeof event["delta"] === "string") {
          this.assembly.calls.addArguments(this.#call(event), event["delta"]);
        }
        return;
      case "response.function_call_arguments.done":
        this.#wholeArguments(this.#call(event), event);
        return;
      case "response.output_item.done":
        this.#done(event, record(event["item"]));
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        this.#closed(record(event["response"]));
        return;
      case "error":
        throw inBandError(event["error"] ?? event, this.#context);
    }
    if (event["error"]) throw inBandError(event["error"], this.#context);
    // A whole response instead of a stream.
    if (Array.isArray(event["output"])) this.#closed(event);
    else if (type === undefined) refuseError(event, this.#context);
  }

  #text(event: Record<string, unknown>, text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    this.#item(event).hasText = true;
    this.assembly.content(text);
  }

  #reasoning(item: OutputItem, text: unknown, type: string): void {
    if (typeof text !== "string" || text === "") return;
    item.hasReasoning = true;
    if (type.includes("summary")) this.assembly.reasoning(text, SUMMARY_FIELD);
    else this.assembly.reasoning(text);
  }

  #added(event: Record<string, unknown>, wire: Record<string, unknown>): void {
    const item = this.#item({ ...event, item_id: event["item_id"] ?? wire["id"] });
    if (wire["type"] !== "function_call") return;
    item.call ??= this.assembly.calls.open(stringOf(wire["call_id"]) ?? stringOf(wire["id"]));
    this.assembly.calls.addName(item.call, stringOf(wire["name"]) ?? "");
    if (typeof wire["arguments"] === "string") {
      this.assembly.calls.addArguments(item.call, wire["arguments"]);
    }
  }

  /** The whole item outweighs what its deltas said. */
  #done(event: Record<string, unknown>, wire: Record<string, unknown>): void {
    const item = this.#item({ ...event, item_id: event["item_id"] ?? wire["id"] });
    if (item.whole) return;
    item.whole = true;
    switch (wire["type"]) {
      case "function_call": {
        const { calls } = this.assembly;
        item.call ??= calls.open(stringOf(wire["call_id"]) ?? stringOf(wire["id"]));
        if (item.call.name === "") calls.addName(item.call, stringOf(wire["name"]) ?? "");
        this.#wholeArguments(item.call, wire);
        return;
      }
      case "reasoning":
        if (!item.hasReasoning) this.#wholeReasoning(item, wire);
        this.assembly.reasoningItem(wire);
        return;
      case "message":
        if (!item.hasText) this.#wholeMessage(item, wire);
    }
  }

  #wholeArguments(call: OpenCall, wire: Record<string, unknown>): void {
    const whole = wire["arguments"];
    if (call.name === "") this.assembly.calls.addName(call, stringOf(wire["name"]) ?? "");
    if (typeof whole === "string" && whole !== "") this.assembly.calls.setArguments(call, whole);
    else if (typeof whole === "object" && whole !== null) {
      this.assembly.calls.setArguments(call, JSON.stringify(whole));
    }
  }

  #wholeReasoning(item: OutputItem, wire: Record<string, unknown>): void {
    for (const [field, type] of [["summary", "summary"], ["content", "text"]] as const) {
      for (const part of list(wire[field])) this.#reasoning(item, part["text"], type);
    }
  }

  #wholeMessage(item: OutputItem, wire: Record<string, unknown>): void {
    for (const part of list(wire["content"])) {
      const text = part["text"] ?? part["refusal"];
      if (typeof text !== "string" || text === "") continue;
      item.hasText = true;
      this.assembly.content(text);
    }
  }

  #closed(response: Record<string, unknown>): void {
    this.assembly.usage(response["usage"]);
    const { status } = response;
    if (status === "failed" || status === "cancelled" || response["error"]) {
      throw inBandError(response["error"] ?? { message: `response ${status}` }, this.#context);
    }
    list(response["output"]).forEach((wire, index) => {
      this.#done({ output_index: index }, wire);
    });
    this.#endMark = true;
    if (status === "incomplete") {
      const reason = stringOf(record(response["incomplete_details"])["reason"]);
      this.assembly.finish(reason ?? "incomplete");
    } else this.assembly.finish(this.assembly.calls.count > 0 ? "tool_calls" : "stop");
  }

  /** The call that an event belongs to: by its item, else the latest one. */
  #call(event: Record<string, unknown>): OpenCall {
    const item = this.#item(event);
    return item.call ??= this.assembly.calls.open(stringOf(event["call_id"]));
  }

  /** The item that an event belongs to: by `output_index`, else by `item_id`, else the latest. */
  #item(event: Record<string, unknown>): OutputItem {
    const { output_index: index, item_id: id } = event;
    const key = typeof index === "number" ? `#${index}` : stringOf(id);
    if (key === undefined) return this.#latest ??= newItem();
    let item = this.#items.get(key);
    if (item === undefined) {
      item = newItem();
      this.#items.set(key, item);
    }
    this.#latest = item;
    return item;
  }
}

function newItem(): OutputItem {
  return { call: undefined, hasText: false, hasReasoning: false, whole: false };
}

/** Some servers send their errors without the usual wrapping. */
function refuseError(payload: Record<string, unknown>, context: ErrorContext): void {
  if (typeof payload["detail"] === "string" || typeof payload["message"] === "string") {
    throw inBandError(payload, context);
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
