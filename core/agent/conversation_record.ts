import { historyOf, type HistoryOptions } from "../../sessions/history.ts";
import type { Session } from "../../sessions/session.ts";
import type { ConversationRecord } from "../../tools/tool.ts";
import { NOTES } from "./turn_notes.ts";

/** What rho itself tells the model is nobody's request. */
const OWN_NOTES: ReadonlySet<string> = new Set(Object.values(NOTES));

/** A session as tools may look at it. */
export function conversationRecord(session: Session): ConversationRecord {
  return {
    fullOutput: async (id) =>
      session.log.get(id) === undefined ? undefined : await session.fullOutput(id),
    history: () => historyOf(session.livePath, historyOptions(session)),
  };
}

/** How a session's history is told: without rho's own notes, every text masked. */
export function historyOptions(session: Session): HistoryOptions {
  return { ignore: OWN_NOTES, redact: session.log.redact };
}
