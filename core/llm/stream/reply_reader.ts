import { describeTarget, providerError } from "../error_context.ts";
import { errorText } from "../http/error_text.ts";
import type { StreamEvent } from "../types.ts";
import { END_MARK, type RecoveredPayloads, recoverPayloads } from "./recover_payloads.ts";
import { malformedStream } from "./reply_assembly.ts";
import { ReplyBody } from "./reply_body.ts";
import type { ReplyDecoder } from "./reply_decoder.ts";
import type { ReplyTask } from "./reply_task.ts";

/** Frames that may be lost before a stream counts as unreadable. */
const MAX_LOST_FRAMES = 5;

/** What a reader needs of a task. */
export type ReplyReaderTask = Pick<ReplyTask, "request" | "context" | "protocol">;

/** Turns the bytes of one reply into events and knows when it is over. */
export class ReplyReader {
  readonly #task: ReplyReaderTask;
  readonly #decoder: ReplyDecoder;
  readonly #body = new ReplyBody();
  #lostFrames = 0;
  #endMark = false;
  /** Whether `done` was sent. */
  over = false;

  constructor(task: ReplyReaderTask, out: StreamEvent[]) {
    const { request, context } = task;
    this.#task = task;
    this.#decoder = task.protocol.decoder({ request, context, out });
  }

  /** Whether the finish reason came. */
  get finished(): boolean {
    return this.#decoder.assembly.finished;
  }

  push(bytes: Uint8Array): void {
    for (const data of this.#body.push(bytes)) {
      this.#event(data);
      if (this.#endMark) return this.#finish();
    }
    if (this.#body.overflow) throw malformedStream(this.#task.context, this.#lostFrames + 1);
    if (this.#lostFrames > MAX_LOST_FRAMES) {
      throw malformedStream(this.#task.context, this.#lostFrames);
    }
  }

  /** Takes the end of the body; `failure` says that it is no proper end. */
  end(failure: unknown): void {
    const rest = this.#body.end();
    if (this.#body.kind === "events") {
      for (const data of rest) if (!this.#last(data)) failure ??= this.#cutEvent();
    } else if (failure === undefined) this.#wholeBody();
    if (failure !== undefined && !this.finished) throw failure;
    this.#finish();
  }

  #finish(): void {
    this.#decoder.assembly.end({ endMark: this.#endMark, lostFrames: this.#lostFrames });
    this.over = true;
  }

  #event(data: string): void {
    let payload: unknown;
    try {
      payload = JSON.parse(data);
    } catch {
      return this.#recover(data);
    }
    this.#payload(payload);
  }

  #recover(data: string): void {
    const { payloads, lost } = recoverPayloads(data);
    // A frame lost after a call began may have been part of it, so the call cannot be trusted.
    if (lost > 0 && this.#decoder.assembly.calls.count > 0) {
      throw malformedStream(this.#task.context, this.#lostFrames + lost);
    }
    this.#lostFrames += lost;
    payloads.forEach((payload) => this.#payload(payload));
  }

  #payload(payload: unknown): void {
    if (payload === END_MARK) this.#endMark = true;
    else if (Array.isArray(payload)) payload.forEach((item) => this.#payload(item));
    else if (typeof payload === "object" && payload !== null) {
      try {
        this.#decoder.push(payload as Record<string, unknown>);
      } catch (thrown) {
        // The answer was whole before the server failed.
        if (!this.finished) throw thrown;
      }
      if (this.#decoder.endMark) this.#endMark = true;
    }
  }

  /** Takes the last event, which may be cut; tells whether it could be read. */
  #last(data: string): boolean {
    if (this.#endMark) return true;
    const { payloads, lost } = recoverPayloads(data);
    payloads.forEach((payload) => this.#payload(payload));
    return lost === 0;
  }

  #cutEvent(): Error {
    const { context } = this.#task;
    return providerError(context, "stream_interrupted", {
      message: `The answer of ${describeTarget(context)} ended in the middle of an event`,
      retriable: true,
    });
  }

  /** Takes a body that is no event stream: one JSON value, JSON line by line, or no answer. */
  #wholeBody(): void {
    const { kind, text } = this.#body;
    if (text.trim() === "") return;
    if (kind !== "json") throw this.#notAModelServer();
    const { payloads, lost } = parsedWhole(text);
    if (lost > 0) throw malformedStream(this.#task.context, lost);
    payloads.forEach((payload) => this.#payload(payload));
    if (
      !this.finished && !this.#decoder.assembly.hasContent && !/"(?:choices|output)"/.test(text)
    ) {
      throw this.#notAModelServer();
    }
    this.#endMark = true;
  }

  #notAModelServer(): Error {
    const { context } = this.#task;
    const { kind, text } = this.#body;
    const what = kind === "page" ? "a web page" : kind === "json" ? "other JSON" : "plain text";
    return providerError(context, "not_a_model_server", {
      message: `The answer of ${describeTarget(context)} is ${what}: ${errorText(text)}; ` +
        'check that the endpoint is the full URL, such as "…/v1/chat/completions"',
      retriable: false,
      body: text,
    });
  }
}

function parsedWhole(text: string): RecoveredPayloads {
  try {
    return { payloads: [JSON.parse(text)], lost: 0 };
  } catch {
    return recoverPayloads(text);
  }
}
