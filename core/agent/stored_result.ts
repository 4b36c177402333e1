import { completionReserve } from "../config/settings.ts";
import type { AgentSettings } from "../config/settings.ts";
import type { Session } from "../../sessions/session.ts";
import type { StoredResult } from "./tool_batch.ts";

/** The most that one result may ever have, in UTF-8 bytes. */
const MAX_RESULT_BYTES = 256 * 1024;

/** Bytes a token, about; the inverse of the estimator's usual ratio. */
const BYTES_PER_TOKEN = 3.7;

/** How large one tool result may be, in UTF-8 bytes: its share of the prompt budget. */
export function toolOutputLimitBytes(settings: AgentSettings): number {
  const promptBudget = settings.tokenBudget - completionReserve(settings);
  const share = promptBudget * settings.toolOutputFraction * BYTES_PER_TOKEN;
  return Math.min(MAX_RESULT_BYTES, Math.max(1024, Math.floor(share)));
}

/** Appends a result to the conversation, cut to size; returns the text as the model sees it. */
export function storeToolResult(session: Session, result: StoredResult, maxBytes: number): string {
  const entry = session.appendToolResult({
    toolCallId: result.callId,
    content: result.output,
    isError: result.isError,
    maxBytes,
  });
  const { payload } = entry;
  return payload.type === "Message" ? payload.message.content : result.output;
}
