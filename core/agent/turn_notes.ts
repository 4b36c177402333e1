/** What rho itself tells the model in the middle of a turn. */
export const NOTES = {
  lastIteration:
    "Note from rho: this is the last response of this turn. Call no more tools; say what is done, " +
    "what is not, and what to do next.",
  callSkippedAtLimit: "Skipped: the limit of model responses for this turn is reached.",
  callSkippedAtBudget: "Skipped: a limit of this session or turn is reached.",
  repetition:
    "Note from rho: you have repeated the same step with the same result several times. Try " +
    "something else, or say what stands in the way.",
  emptyReply:
    "Note from rho: your last response held neither text nor a tool call that was received. " +
    "Answer, or send the tool call again in the tool-call format.",
  continueReply:
    "Note from rho: your response was cut at the output limit. Continue exactly where it ends; " +
    "repeat nothing.",
  continueCall:
    "Note from rho: your response was cut at the output limit before a tool call was complete; " +
    "nothing of it was run. Send it again in smaller parts.",
} as const;

/** The kind of the messages that carry them; the model reads them like a user's. */
export const NOTE_KIND = "rho.note.v1";
