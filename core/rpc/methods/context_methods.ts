import type { RpcContext } from "../rpc_context.ts";
import type { CompactParams, CompactResult } from "../schema/compact.ts";
import type { GetSessionStatsResult } from "../schema/session_stats.ts";

/** `compact`: a summary in place of the older part of the conversation. */
export async function compact(params: CompactParams, context: RpcContext): Promise<CompactResult> {
  const { compactedEntries, tokensBefore, tokensAfter } = await context.agent.compact(params.focus);
  return { compactedEntries, tokensBefore, tokensAfter };
}

/** `getSessionStats`: what the context holds and what the session has cost. */
export async function getSessionStats(
  _params: unknown,
  context: RpcContext,
): Promise<GetSessionStatsResult> {
  const { session, meter, systemPrompt, llmTools } = await context.agent.context();
  const stats = session.contextStats({
    budget: meter.budget(systemPrompt, llmTools),
    estimator: meter.estimator,
  });
  const { totals } = session;
  return {
    ...stats,
    apiUsage: {
      totalInputTokens: totals.inputTokens,
      totalOutputTokens: totals.outputTokens,
      totalCachedTokens: totals.cachedTokens,
      totalReasoningTokens: totals.reasoningTokens,
      totalTokens: totals.totalTokens,
      totalCost: totals.cost,
      costIncomplete: totals.costIncomplete,
      requestCount: totals.requestCount,
    },
  };
}
