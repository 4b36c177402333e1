/** Messages that people send while a turn runs, kept in order until the turn can take them. */
export class SteeringQueue {
  #messages: string[] = [];
  #isOpen = false;

  /** Opens the queue: a turn runs that will look at it again. */
  open(): void {
    this.#isOpen = true;
  }

  /**
   * Adds a message for the running turn.
   *
   * @returns `false` when no turn would ever see it; the caller then starts one with it.
   */
  push(message: string): boolean {
    if (!this.#isOpen) return false;
    this.#messages.push(message);
    return true;
  }

  /** Takes all messages out. */
  drain(): string[] {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  /** Closes the queue if nothing waits in it; otherwise the turn has to go on. */
  closeIfEmpty(): boolean {
    if (this.#messages.length > 0) return false;
    this.#isOpen = false;
    return true;
  }

  /** Closes the queue; what waits in it stays for the next turn. */
  close(): void {
    this.#isOpen = false;
  }

  /** Whether messages wait that no turn has taken. */
  get hasMessages(): boolean {
    return this.#messages.length > 0;
  }
}
