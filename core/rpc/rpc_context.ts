import type { Logger } from "../base/log.ts";
import type { Agent } from "../agent/agent.ts";
import type { ExtensionManager } from "../../ext/extension_manager.ts";
import type { ApprovalDesk } from "./approval_desk.ts";
import type { TrustDesk } from "./trust_desk.ts";

/** The extensions of a rho: none are managed before there is something to manage. */
export interface ExtensionAccess {
  readonly manager: ExtensionManager | undefined;
  /** The manager, made now if need be; `undefined` when extensions are off. */
  ensure(): Promise<ExtensionManager | undefined>;
}

/** What the handlers of methods work with. */
export interface RpcContext {
  readonly agent: Agent;
  readonly desk: ApprovalDesk;
  readonly trust: TrustDesk;
  readonly extensions: ExtensionAccess;
  /** The project root. */
  readonly root: string;
  readonly version: string;
  readonly logger: Logger;
  /** Runs a queued piece of work after everything that was asked before it. */
  readonly enqueue: (work: () => Promise<void>) => void;
}
