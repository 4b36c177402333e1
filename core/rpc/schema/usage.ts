import * as v from "valibot";
import { COUNT, MONEY } from "./scalars.ts";

/** Tokens and money of a turn. */
export const TURN_USAGE = v.object({
  inputTokens: COUNT,
  outputTokens: COUNT,
  totalTokens: COUNT,
  totalCost: MONEY,
  costIncomplete: v.boolean(),
  requestCount: COUNT,
});

/** Params of `usage`: one iteration and the state of the context window. */
export const USAGE_NOTIFICATION = v.object({
  iteration: COUNT,
  usage: v.object({
    inputTokens: COUNT,
    outputTokens: COUNT,
    cachedTokens: COUNT,
    cost: MONEY,
    costIncomplete: v.boolean(),
    requestCount: COUNT,
  }),
  context: v.object({
    estimatedUsed: COUNT,
    contextWindow: COUNT,
    completionReserve: COUNT,
    utilizationPercent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  }),
});
