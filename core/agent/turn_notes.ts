/** What rho itself tells the model in the middle of a turn. */
export const NOTES = {
  lastIteration:
    "Note from rho: this is the last response of this turn. Call no more tools; say what is done, " +
    "what is not, and what to do next.",
  callSkippedAtLimit: "Skipped: the limit of model responses for this turn is reached.",
  repetition:
    "Note from rho: you have repeated the same step with the same result several times. Try " +
    "something else, or say what stands in the way.",
  emptyReply:
    "Note from rho: your last response held neither text nor a tool call that was received. " +
    "Answer, or send the tool call again in the tool-call format.",
} as const;
