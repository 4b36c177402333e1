import type {
  ApprovalCall,
  ApprovalDecision,
  ApprovalGateOptions,
} from "../agent/approval_gate.ts";
import type { ToolRisk } from "../../tools/tool.ts";
import { RpcError } from "./rpc_error.ts";
import type { ApprovalResponseParams } from "./schema/approval_response.ts";

const NOBODY: ApprovalDecision = { denied: "nobody can answer: the client closed the input" };

/**
 * Where tool calls wait for the client's `approvalResponse`. Each answer goes to one request, the
 * oldest open one unless it names another.
 */
export class ApprovalDesk {
  readonly #open = new Map<string, (decision: ApprovalDecision) => void>();
  #isClosed = false;

  /** The gate that the agent asks. */
  readonly gate = (
    call: ApprovalCall,
    _risk: ToolRisk,
    options: ApprovalGateOptions,
  ): Promise<ApprovalDecision> => {
    if (this.#isClosed) return Promise.resolve(NOBODY);
    return new Promise((resolve) => {
      const onAbort = () => answer({ denied: "the turn was cancelled" });
      const answer = (decision: ApprovalDecision) => {
        options.signal.removeEventListener("abort", onAbort);
        this.#open.delete(call.id);
        resolve(decision);
      };
      this.#open.set(call.id, answer);
      options.signal.addEventListener("abort", onAbort, { once: true });
    });
  };

  /**
   * Takes an answer. Without an id and with nothing open it is a no-op.
   *
   * @throws {RpcError} "not found" for an id that is not open: late, given twice or made up.
   */
  respond(params: ApprovalResponseParams): void {
    const id = params.id ?? this.#open.keys().next().value;
    if (id === undefined) return;
    const answer = this.#open.get(id);
    if (answer === undefined) throw RpcError.notFound(`No approval with the id "${id}" is open`);
    answer(decisionOf(params));
  }

  /** Denies what is open and all that will come: nobody can answer any more. */
  close(): void {
    this.#isClosed = true;
    for (const answer of [...this.#open.values()]) answer(NOBODY);
  }
}

function decisionOf(params: ApprovalResponseParams): ApprovalDecision {
  if (params.approved) return params.remember === "session" ? "approved_for_session" : "approved";
  const message = params.message?.trim() ?? "";
  return message === "" ? "denied" : { redirect: message };
}
