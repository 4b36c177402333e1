import { errorMessage } from "../../base/errors.ts";
import type { RpcContext } from "../rpc_context.ts";
import type { ApprovalResponseParams } from "../schema/approval_response.ts";
import type { PromptParams, PromptResult } from "../schema/prompt.ts";

/** `prompt`: runs a turn to its end, or steers the running one. */
export async function prompt(params: PromptParams, context: RpcContext): Promise<PromptResult> {
  const { message, attachments } = params;
  if (params.steer === true) return steer(message, context);
  const options = attachments === undefined ? {} : { attachments };
  const { reply, finishReason, iterations, usage } = await context.agent.run(message, options);
  continueWithSteering(finishReason !== "cancelled", context);
  return { reply, finishReason, iterations, usage };
}

/** `abort`: cancels the running turn. */
export function abort(_params: unknown, context: RpcContext): Record<string, never> {
  context.agent.abort();
  return {};
}

/** `approvalResponse`: answers an open approval. */
export function approvalResponse(
  params: ApprovalResponseParams,
  context: RpcContext,
): Record<string, never> {
  context.desk.respond(params);
  return {};
}

function steer(message: string, context: RpcContext): Record<string, never> {
  if (!context.agent.steer(message)) startTurn(message, context);
  return {};
}

/** Messages that came too late for a turn that ended by a limit start the next one. */
function continueWithSteering(isWanted: boolean, context: RpcContext): void {
  if (isWanted && context.agent.hasPendingSteering) startTurn(undefined, context);
}

function startTurn(message: string | undefined, context: RpcContext): void {
  context.enqueue(async () => {
    try {
      await context.agent.run(message);
    } catch (error) {
      // `agent/error` told the client already; nobody waits for a reply to this turn.
      context.logger.debug(`A steered turn failed: ${errorMessage(error)}`);
    }
  });
}
