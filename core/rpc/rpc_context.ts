import type { Logger } from "../base/log.ts";
import type { Agent } from "../agent/agent.ts";
import type { ApprovalDesk } from "./approval_desk.ts";

/** What the handlers of methods work with. */
export interface RpcContext {
  readonly agent: Agent;
  readonly desk: ApprovalDesk;
  /** The project root. */
  readonly root: string;
  readonly version: string;
  readonly logger: Logger;
  /** Runs a queued piece of work after everything that was asked before it. */
  readonly enqueue: (work: () => Promise<void>) => void;
}
