import type { Session } from "../../sessions/session.ts";
import type { SessionStore } from "../../sessions/session_store.ts";

/** A new session that begins with the system message. Its file appears with the first prompt. */
export async function beginSession(store: SessionStore, systemPrompt: string): Promise<Session> {
  const session = await store.create();
  session.appendSystemMessage(systemPrompt);
  return session;
}
