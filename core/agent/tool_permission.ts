import { abortable } from "../base/abort.ts";
import { errorMessage } from "../base/errors.ts";
import type { LlmToolCall } from "../llm/types.ts";
import type { CallVerdict, ToolPreviewContext, ToolRisk } from "../../tools/tool.ts";
import type { ApprovalCall, ApprovalDecision, ApprovalGate } from "./approval_gate.ts";
import type { ApprovalPolicy } from "./approval_policy.ts";
import { approvalPreview } from "./approval_preview.ts";
import type { AgentEventListener } from "./events.ts";
import type { ReadyCall } from "./prepared_call.ts";

/** What decides about calls. */
export interface PermissionDeps {
  readonly policy: ApprovalPolicy;
  readonly gate: ApprovalGate;
  readonly onEvent: AgentEventListener;
  readonly context: ToolPreviewContext;
}

/** Whether a call may run. */
export type Permission =
  | { readonly type: "granted" }
  | { readonly type: "denied"; readonly reason: string }
  /** The denylist refuses it; nobody was asked. */
  | { readonly type: "blocked"; readonly reason: string }
  | { readonly type: "redirected"; readonly message: string };

/** Asks the policy and, where it says so, the gate. Never throws: whatever fails denies. */
export async function requestPermission(
  call: LlmToolCall,
  ready: ReadyCall,
  deps: PermissionDeps,
): Promise<Permission> {
  const { tool, args, argumentsText } = ready;
  const risk: ToolRisk = typeof tool.risk === "function" ? tool.risk(args) : tool.risk;
  const verdict = await judgeCall(ready, deps.context);
  if (verdict.type === "refused") return { type: "blocked", reason: verdict.reason };
  const asks = verdict.type === "ask" ? verdict.reason : undefined;
  const guard = joinParts([asks, await guardReason(ready, deps.context)]);
  const question = {
    tool: tool.name,
    risk,
    arguments: argumentsText,
    needsPerson: guard !== undefined,
    isApproved: verdict.type === "allowed" && verdict.isApproved === true,
  };
  switch (deps.policy.decide(question)) {
    case "auto":
      return { type: "granted" };
    case "deny":
      return { type: "denied", reason: `the approval policy denies ${tool.name}` };
    case "ask":
      break;
  }
  const preview = await previewText(ready, guard, deps.context);
  const request: ApprovalCall = {
    id: call.id,
    tool: tool.name,
    arguments: argumentsText,
    ...(preview === undefined ? {} : { preview }),
  };
  deps.onEvent({ type: "state/change", params: { state: "awaiting_approval" } });
  deps.onEvent({ type: "approval/request", params: { ...request, risk } });
  const permission = fromDecision(await askGate(request, risk, deps));
  // What had to be asked for this one call is asked for the next one, too.
  if (permission.remember && asks === undefined) deps.policy.remember(question);
  return explained(permission.permission, asks);
}

/** A denial says why it was asked at all: another form of the call may not need it. */
function explained(permission: Permission, asks: string | undefined): Permission {
  if (permission.type !== "denied" || asks === undefined) return permission;
  return { ...permission, reason: `${permission.reason} (it was asked because ${asks})` };
}

async function judgeCall(ready: ReadyCall, context: ToolPreviewContext): Promise<CallVerdict> {
  try {
    return await ready.tool.judge?.(ready.args, context) ?? { type: "allowed" };
  } catch (error) {
    // A judge that cannot tell is no reason to let a call through.
    return { type: "ask", reason: `the call could not be judged: ${errorMessage(error)}` };
  }
}

function joinParts(parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined && part !== "");
  return given.length === 0 ? undefined : given.join("\n\n");
}

async function guardReason(
  ready: ReadyCall,
  context: ToolPreviewContext,
): Promise<string | undefined> {
  try {
    return await ready.tool.guard?.(ready.args, context);
  } catch (error) {
    // A guard that cannot tell is no reason to let a call through.
    return errorMessage(error);
  }
}

async function previewText(
  ready: ReadyCall,
  guard: string | undefined,
  context: ToolPreviewContext,
): Promise<string | undefined> {
  let text: string | undefined;
  try {
    text = (await ready.tool.preview?.(ready.args, context))?.text;
  } catch {
    // The call itself will tell the model what is wrong; the preview is a courtesy.
  }
  const shown = joinParts([guard, text]);
  return shown === undefined ? undefined : await approvalPreview(shown);
}

async function askGate(
  request: ApprovalCall,
  risk: ToolRisk,
  deps: PermissionDeps,
): Promise<ApprovalDecision> {
  const { signal } = deps.context;
  try {
    return await abortable(
      Promise.resolve(deps.gate(request, risk, { signal })),
      signal,
    );
  } catch (error) {
    if (signal.aborted) return { denied: "the turn was cancelled" };
    return { denied: `asking for approval failed: ${errorMessage(error)}` };
  }
}

function fromDecision(
  decision: ApprovalDecision,
): { permission: Permission; remember: boolean } {
  if (decision === "approved") return { permission: { type: "granted" }, remember: false };
  if (decision === "approved_for_session") {
    return { permission: { type: "granted" }, remember: true };
  }
  if (decision === "denied") {
    return { permission: { type: "denied", reason: "the user denied it" }, remember: false };
  }
  if ("redirect" in decision) {
    const permission = { type: "redirected", message: decision.redirect } as const;
    return { permission, remember: false };
  }
  return { permission: { type: "denied", reason: decision.denied }, remember: false };
}
