import type { AgentEvent } from "../agent/events.ts";
import type { LineWriter } from "./line_writer.ts";
import type { SESSION_NOTIFICATIONS } from "./schema/session_notifications.ts";
import { sendEvent, sendNotification } from "./server.ts";
import type * as v from "valibot";

/** The params of `ready`. */
export type ReadyParams = v.InferOutput<(typeof SESSION_NOTIFICATIONS)["ready"]>;

/**
 * Writes an agent's events as notifications. `ready` is the first of them: what is told before, by
 * the configuration or by a store that cannot write, waits for it.
 */
export class EventWriter {
  readonly #writer: LineWriter;
  #held: AgentEvent[] | undefined = [];

  constructor(writer: LineWriter) {
    this.#writer = writer;
  }

  /**
   * Writes one event, or keeps it until `ready`.
   *
   * @returns a promise when so much is queued that the model should be slowed.
   */
  send(event: AgentEvent): void | Promise<void> {
    if (this.#held === undefined) return sendEvent(this.#writer, event);
    this.#held.push(event);
  }

  /** Says `ready`, then what has waited for it. */
  ready(params: ReadyParams): void {
    sendNotification(this.#writer, "ready", params);
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.send(event);
  }
}
