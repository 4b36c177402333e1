import { createParser, type EventSourceParser } from "eventsource-parser";

/** What a body turned out to be. */
export type BodyKind = "unknown" | "events" | "json" | "page" | "other";

/** The longest event or JSON body, in UTF-16 units. */
const MAX_EVENT_UNITS = 64 * 1024 * 1024;

/** How much is kept of a body that is no answer. */
const MAX_PAGE_UNITS = 64 * 1024;

const EVENT_START_REGEXP = /^(?:data|event|id|retry|error)?:/;

/**
 * Turns the bytes of a response into the data of its events, however they are cut. What the body
 * is, its first characters tell; `Content-Type` is often missing or wrong.
 */
export class ReplyBody {
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  #data: string[] = [];
  #kind: BodyKind = "unknown";
  #text = "";
  #overflow = false;

  constructor() {
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_UNITS,
      onEvent: ({ event, data }) => {
        this.#data.push(event === "error" ? errorPayload(data) : data);
      },
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.#overflow = true;
        // llama.cpp once sent errors under a field of this name.
        else if (error.field === "error") this.#data.push(errorPayload(error.value ?? ""));
      },
    });
  }

  /** What the body is, as far as it has come. */
  get kind(): BodyKind {
    return this.#kind;
  }

  /** Whether one event is larger than anything sound. */
  get overflow(): boolean {
    return this.#overflow;
  }

  /** The body so far when it is JSON, a page or plain words; the start of a long page only. */
  get text(): string {
    return this.#text;
  }

  /** Takes bytes as they came, and returns the data of the events that are complete now. */
  push(bytes: Uint8Array): readonly string[] {
    return this.#feed(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Takes the end of the body, which also ends a last event without its blank line. */
  end(): readonly string[] {
    const events = [...this.#feed(this.#decoder.decode())];
    if (this.#kind === "events" && !this.#overflow) events.push(...this.#feed("\n\n"));
    return events;
  }

  #feed(text: string): readonly string[] {
    if (this.#overflow) return [];
    if (this.#kind === "events") this.#parser.feed(text);
    else this.#feedStart(text);
    if (this.#data.length === 0) return this.#data;
    const data = this.#data;
    this.#data = [];
    return data;
  }

  #feedStart(text: string): void {
    this.#text += text;
    if (this.#kind === "unknown") this.#kind = sniff(this.#text);
    if (this.#kind === "events") {
      const start = this.#text;
      this.#text = "";
      this.#parser.feed(start);
    } else if (this.#kind === "json") {
      this.#overflow = this.#text.length > MAX_EVENT_UNITS;
    } else {
      this.#text = this.#text.slice(0, MAX_PAGE_UNITS);
    }
  }
}

function sniff(text: string): BodyKind {
  const start = text.trimStart();
  if (start === "") return "unknown";
  if (start[0] === "{" || start[0] === "[") return "json";
  if (start[0] === "<") return "page";
  if (EVENT_START_REGEXP.test(start)) return "events";
  // Long enough for the longest field name and the character after it.
  return start.length > 5 ? "other" : "unknown";
}

/** An event called "error" as the payload that an error inside the stream has. */
function errorPayload(data: string): string {
  try {
    const value = JSON.parse(data);
    return value !== null && typeof value === "object" && ("error" in value || "type" in value)
      ? data
      : JSON.stringify({ error: value });
  } catch {
    return JSON.stringify({ error: { message: data } });
  }
}
