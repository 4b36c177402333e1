import type { RpcContext } from "../rpc_context.ts";
import type { GetMessagesResult, SessionMessage } from "../schema/messages.ts";
import type { NewSessionResult } from "../schema/new_session.ts";
import type { GetStateResult } from "../schema/state.ts";
import type { StoredMessage } from "../../../sessions/entry.ts";

/** `clear`: back to the system message; the old branch stays. */
export async function clear(
  _params: unknown,
  context: RpcContext,
): Promise<Record<string, never>> {
  await context.agent.clear();
  return {};
}

/** `newSession`: ends the session and begins a new one. */
export async function newSession(
  _params: unknown,
  context: RpcContext,
): Promise<NewSessionResult> {
  const session = await context.agent.newSession();
  return { sessionId: session.id, path: session.savePath ?? "" };
}

/** `getState`: where rho stands, also in the middle of a turn. */
export async function getState(_params: unknown, context: RpcContext): Promise<GetStateResult> {
  const { agent } = context;
  const session = await agent.session();
  return {
    model: agent.model.id,
    provider: agent.model.provider,
    cwd: context.root,
    messageCount: session.messageCount,
    sessionId: session.id,
    sessionPath: session.savePath ?? "",
    cursorId: session.cursorId,
    leaf: session.leaf ?? "",
    state: agent.state,
    reasoningEffort: agent.config.reasoningEffort ?? null,
    version: context.version,
    persisted: session.persisted,
    ...(session.recovered === undefined ? {} : { recovered: session.recovered }),
  };
}

/** `getMessages`: the messages of the active path. */
export async function getMessages(
  _params: unknown,
  context: RpcContext,
): Promise<GetMessagesResult> {
  const session = await context.agent.session();
  const messages: SessionMessage[] = [];
  for (const entry of session.livePath) {
    if (entry.payload.type === "Message") {
      messages.push(toWire(entry.payload.message, entry.id));
    }
  }
  return { messages };
}

function toWire(message: StoredMessage, entryId: string): SessionMessage {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content, entryId };
    case "assistant":
      return {
        role: "assistant",
        content: message.content,
        entryId,
        ...(message.tool_calls === undefined ? {} : { tool_calls: [...message.tool_calls] }),
        ...(message.finish_reason === undefined ? {} : { finish_reason: message.finish_reason }),
        ...(message.reasoning === undefined ? {} : { reasoning: message.reasoning.text }),
        ...(message.partial === undefined ? {} : { partial: message.partial }),
      };
    case "tool":
      return {
        role: "tool",
        content: message.content,
        entryId,
        tool_call_id: message.tool_call_id,
        ...(message.is_error === undefined ? {} : { is_error: message.is_error }),
      };
  }
}
