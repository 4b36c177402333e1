import type { ApprovalRule } from "../config/settings.ts";
import type { ToolRisk } from "../../tools/tool.ts";

/** Who answers what would be asked: `ask` the gate, `write` and `all` rho itself. */
export type ApproveMode = "ask" | "write" | "all";

/** The values of `--approve`. */
export const APPROVE_MODES: readonly ApproveMode[] = ["ask", "write", "all"];

/** Options of {@linkcode ApprovalPolicy}. */
export interface ApprovalPolicyOptions {
  readonly perTool: Readonly<Record<string, ApprovalRule>>;
  readonly approve: ApproveMode;
}

/** A call as the policy sees it. */
export interface PolicyQuestion {
  readonly tool: string;
  readonly risk: ToolRisk;
  /** The JSON text of what runs. */
  readonly arguments: string;
  /** A person must decide, whatever else is said (protected paths, secrets). */
  readonly needsPerson: boolean;
  /** The user's configuration lets exactly this run unasked. */
  readonly isApproved?: boolean;
}

/** Tools of which one answer covers only the very same call again. */
const EXACT_TOOLS: ReadonlySet<string> = new Set(["run_command", "wait_for"]);

/**
 * Decides which calls run, which are asked and which never run.
 *
 * `deny` beats everything. What needs a person is asked even under `--approve all` or a remembered
 * rule. What the configuration names (`[approval] commands`) runs. Else a rule for the tool, then
 * the risk decides: `read` runs, the rest asks.
 */
export class ApprovalPolicy {
  readonly #perTool: ReadonlyMap<string, ApprovalRule>;
  readonly #approve: ApproveMode;
  readonly #remembered = new Set<string>();

  constructor(options: ApprovalPolicyOptions) {
    this.#perTool = new Map(Object.entries(options.perTool));
    this.#approve = options.approve;
  }

  /** What becomes of a call: `auto` runs it, `ask` goes to the gate, `deny` refuses it. */
  decide(question: PolicyQuestion): ApprovalRule {
    const rule = this.#perTool.get(question.tool);
    if (rule === "deny") return "deny";
    if (question.needsPerson) return "ask";
    if (rule === "auto" || question.isApproved) return "auto";
    if (rule === undefined && question.risk === "read") return "auto";
    if (this.#remembered.has(memoryKey(question))) return "auto";
    if (this.#approve === "all") return "auto";
    if (this.#approve === "write" && (question.risk === "write" || question.risk === "read")) {
      return "auto";
    }
    return "ask";
  }

  /** Lets calls like this one run unasked from now on: the tool, or for shells the same command. */
  remember(question: Pick<PolicyQuestion, "tool" | "arguments">): void {
    this.#remembered.add(memoryKey(question));
  }
}

function memoryKey(question: Pick<PolicyQuestion, "tool" | "arguments">): string {
  return EXACT_TOOLS.has(question.tool) ? `${question.tool}\n${question.arguments}` : question.tool;
}
