import type { Branch } from "./branch.ts";
import type { ContextBudget } from "./context_budget.ts";
import { readConversation } from "./conversation.ts";
import { evictedEntries } from "./evicted_entries.ts";
import { replayPhases } from "./phase.ts";
import { statusBar, type StatusLevel, statusLevel } from "./status_bar.ts";
import type { TokenEstimator } from "./token_estimator.ts";

/** What the context holds, in tokens unless a name says otherwise. */
export interface ContextStats {
  readonly contextWindow: number;
  readonly completionReserve: number;
  readonly promptBudget: number;
  readonly systemTokens: number;
  readonly toolSchemaTokens: number;
  /** What is sent of the conversation: the sum of the resolutions, and of the phases. */
  readonly conversationTokens: number;
  readonly estimatedUsed: number;
  readonly estimatedRemaining: number;
  /** Of the prompt budget, 0 to 100. */
  readonly utilizationPercent: number;
  /** Messages of the active path, the system message included. */
  readonly messageCount: number;
  /** Entries of the whole log. */
  readonly entryCount: number;
  readonly pathEntryCount: number;
  readonly compactedEntryCount: number;
  /** The summaries of compactions. */
  readonly compactionTokens: number;
  readonly roleTokens: {
    readonly system: number;
    readonly user: number;
    readonly assistant: number;
    readonly tool: number;
  };
  readonly resolutionTokens: {
    readonly full: number;
    readonly outlined: number;
    readonly summarized: number;
    readonly pinned: number;
  };
  readonly phaseTokens: {
    readonly exploration: number;
    readonly execution: number;
    readonly verification: number;
    readonly conclusion: number;
    readonly unclassified: number;
  };
  readonly statusBar: string;
  readonly statusLevel: StatusLevel;
}

/** Options of {@linkcode contextStats}. */
export interface ContextStatsOptions {
  readonly budget: ContextBudget;
  readonly estimator: TokenEstimator;
}

/** What a branch's context holds now; nothing is changed by asking. */
export function contextStats(branch: Branch, options: ContextStatsOptions): ContextStats {
  const { budget, estimator } = options;
  const conversation = readConversation(branch.pathMessages(), branch.log);
  const evicted = evictedEntries(branch, conversation);
  const phases = replayPhases(branch.livePath);
  const roles = { user: 0, assistant: 0, tool: 0 };
  const levels = { full: 0, outlined: 0, summarized: 0, pinned: 0 };
  const byPhase = {
    exploration: 0,
    execution: 0,
    verification: 0,
    conclusion: 0,
    unclassified: 0,
  };
  let compactionWeight = 0;
  let total = 0;
  for (const piece of conversation.pieces) {
    if (evicted.has(piece.entryId)) continue;
    const { weight, message } = piece;
    total += weight;
    roles[message.role === "system" ? "user" : message.role] += weight;
    levels[levelName(piece.resolution.level)] += weight;
    byPhase[phases.get(piece.entryId) ?? "unclassified"] += weight;
    if (piece.isCompaction) compactionWeight += weight;
  }
  const conversationTokens = estimator.tokensOf(total);
  const estimatedUsed = budget.systemTokens + budget.toolSchemaTokens + conversationTokens;
  const estimatedRemaining = Math.max(0, budget.promptBudget - estimatedUsed);
  const utilizationPercent = utilization(estimatedUsed, budget.promptBudget);
  const messageCount = countMessages(branch);
  return {
    contextWindow: budget.contextWindow,
    completionReserve: budget.completionReserve,
    promptBudget: budget.promptBudget,
    systemTokens: budget.systemTokens,
    toolSchemaTokens: budget.toolSchemaTokens,
    conversationTokens,
    estimatedUsed,
    estimatedRemaining,
    utilizationPercent,
    messageCount,
    entryCount: branch.log.entries.length,
    pathEntryCount: branch.livePath.length,
    compactedEntryCount: countCompacted(branch),
    compactionTokens: estimator.tokensOf(compactionWeight),
    roleTokens: { system: budget.systemTokens, ...inTokens(roles, estimator) },
    resolutionTokens: inTokens(levels, estimator),
    phaseTokens: inTokens(byPhase, estimator),
    statusBar: statusBar({
      used: estimatedUsed,
      contextWindow: budget.contextWindow,
      remaining: estimatedRemaining,
      utilizationPercent,
      messageCount,
    }),
    statusLevel: statusLevel(utilizationPercent),
  };
}

/** How much of the prompt budget is used, in percent, 0 to 100. */
export function utilization(usedTokens: number, promptBudget: number): number {
  if (promptBudget <= 0) return 100;
  return Math.min(100, Math.max(0, Math.round(usedTokens / promptBudget * 100)));
}

function levelName(level: string): "full" | "outlined" | "summarized" | "pinned" {
  switch (level) {
    case "Pinned":
      return "pinned";
    case "Outlined":
      return "outlined";
    case "Summarized":
    case "Attached":
      return "summarized";
    default:
      return "full";
  }
}

function countMessages(branch: Branch): number {
  let count = 0;
  for (const { payload } of branch.livePath) if (payload.type === "Message") count += 1;
  return count;
}

function countCompacted(branch: Branch): number {
  let count = 0;
  for (const { id } of branch.livePath) {
    if (branch.stamps.get(id)?.level === "Compacted") count += 1;
  }
  return count;
}

function inTokens<Key extends string>(
  weights: Readonly<Record<Key, number>>,
  estimator: TokenEstimator,
): Record<Key, number> {
  return Object.fromEntries(
    Object.entries<number>(weights).map(([key, weight]) => [key, estimator.tokensOf(weight)]),
  ) as Record<Key, number>;
}
