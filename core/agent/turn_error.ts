import { RhoError } from "../base/errors.ts";

/** A turn that could not be brought to a result: no model, a refused request, an internal fault. */
export class TurnError extends RhoError {
  /** Whether the same prompt may succeed when it is sent again. */
  readonly retriable: boolean;

  constructor(code: string, message: string, options: { retriable: boolean; cause?: unknown }) {
    super(code, message, {
      cause: options.cause,
      data: { code, finishReason: "error", retriable: options.retriable },
    });
    this.retriable = options.retriable;
  }
}

/** A second turn asked of an agent that is still busy with one. */
export class AgentBusyError extends RhoError {
  constructor() {
    super("agent_busy", "Cannot start a turn: another one is running; await it or steer it");
  }
}

/** The reason that a cancelled turn aborts its work with. */
export class TurnCancelledError extends RhoError {
  constructor() {
    super("cancelled", "The turn was cancelled");
  }
}
