const OPEN = "<think>";
const CLOSE = "</think>";

/** Where {@linkcode ThinkSplitter} puts the two kinds of text. */
export interface ThinkSink {
  text(delta: string): void;
  reasoning(delta: string): void;
}

/**
 * Splits `<think>…</think>` off the start of a reply, as LM Studio and the DeepSeek distills send
 * it, across any cuts. The blank space around it is dropped. Tags later in a reply are text.
 */
export class ThinkSplitter {
  readonly #sink: ThinkSink;
  #state: "start" | "inside" | "after" | "text" = "start";
  #held = "";

  constructor(sink: ThinkSink) {
    this.#sink = sink;
  }

  /** Takes the next piece of content. */
  push(delta: string): void {
    if (this.#state === "text") this.#sink.text(delta);
    else this.#step(this.#held + delta);
  }

  /** Gives out what was held back, at the end of the reply. */
  end(): void {
    const held = this.#held;
    this.#held = "";
    if (held === "") return;
    if (this.#state === "start") this.#sink.text(held);
    else if (this.#state === "inside") this.#sink.reasoning(held);
  }

  #step(pending: string): void {
    this.#held = "";
    switch (this.#state) {
      case "start": {
        const start = pending.trimStart();
        if (start.startsWith(OPEN)) {
          this.#state = "inside";
          return this.#step(start.slice(OPEN.length));
        }
        if (OPEN.startsWith(start)) this.#held = pending;
        else this.#toText(pending);
        return;
      }
      case "inside": {
        const at = pending.indexOf(CLOSE);
        if (at >= 0) {
          if (at > 0) this.#sink.reasoning(pending.slice(0, at));
          this.#state = "after";
          return this.#step(pending.slice(at + CLOSE.length));
        }
        const kept = partialClose(pending);
        if (kept < pending.length) this.#sink.reasoning(pending.slice(0, pending.length - kept));
        this.#held = pending.slice(pending.length - kept);
        return;
      }
      case "after":
        return this.#toText(pending.trimStart());
      case "text":
        return this.#toText(pending);
    }
  }

  #toText(text: string): void {
    if (text === "") return;
    this.#state = "text";
    this.#sink.text(text);
  }
}

/** How many characters at the end of a text may be the start of the closing tag. */
function partialClose(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
