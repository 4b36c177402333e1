import type { AgentEvent } from "../agent/events.ts";
import { RedactionStream } from "../security/redaction_stream.ts";
import type { Redactor } from "../security/redactor.ts";

/** Shows a model's reasoning to a person while it comes, secrets masked. */
export class ReasoningView {
  readonly #stream: RedactionStream;
  readonly #write: (text: string) => void;
  #isOpen = false;

  /** @param write Takes text, line ends included. */
  constructor(redactor: Redactor, write: (text: string) => void) {
    this.#stream = new RedactionStream(redactor);
    this.#write = write;
  }

  /** Takes a turn's events in order; whatever is no reasoning ends the thought. */
  observe(event: AgentEvent): void {
    if (event.type !== "reasoning/delta") return this.end();
    this.#isOpen = true;
    this.#write(this.#stream.push(event.params.delta));
  }

  /** Shows what was held back, and ends the line. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#write(`${this.#stream.end()}\n`);
  }
}
