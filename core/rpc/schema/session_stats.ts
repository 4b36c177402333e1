import * as v from "valibot";
import { COUNT, MONEY } from "./scalars.ts";

/** Result of `getSessionStats`; everything is in tokens unless its name says otherwise. */
export const GET_SESSION_STATS_RESULT = v.object({
  contextWindow: COUNT,
  completionReserve: COUNT,
  promptBudget: COUNT,
  systemTokens: COUNT,
  toolSchemaTokens: COUNT,
  conversationTokens: COUNT,
  estimatedUsed: COUNT,
  estimatedRemaining: COUNT,
  utilizationPercent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  messageCount: v.pipe(COUNT, v.description("Messages of the active path, system included")),
  entryCount: v.pipe(COUNT, v.description("Entries of the whole session")),
  pathEntryCount: COUNT,
  compactedEntryCount: COUNT,
  compactionTokens: COUNT,
  roleTokens: v.object({ system: COUNT, user: COUNT, assistant: COUNT, tool: COUNT }),
  resolutionTokens: v.object({ full: COUNT, outlined: COUNT, summarized: COUNT, pinned: COUNT }),
  phaseTokens: v.object({
    exploration: COUNT,
    execution: COUNT,
    verification: COUNT,
    conclusion: COUNT,
    unclassified: COUNT,
  }),
  apiUsage: v.object({
    totalInputTokens: COUNT,
    totalOutputTokens: COUNT,
    totalCachedTokens: COUNT,
    totalReasoningTokens: COUNT,
    totalTokens: COUNT,
    totalCost: MONEY,
    costIncomplete: v.boolean(),
    requestCount: COUNT,
  }),
  statusBar: v.pipe(v.string(), v.description("The ready-made line for a status bar")),
  statusLevel: v.picklist(["green", "yellow", "red"]),
});

/** Result of `getSessionStats`. */
export type GetSessionStatsResult = v.InferOutput<typeof GET_SESSION_STATS_RESULT>;
