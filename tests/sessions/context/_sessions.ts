/** Sessions to fit, compact and count, and what they are fitted with. */

import type { LlmTool } from "../../../core/llm/types.ts";
import { type ContextBudget, contextBudget } from "../../../sessions/context/context_budget.ts";
import type {
  PrepareContextOptions,
  PreparedContext,
} from "../../../sessions/context/prepare_context.ts";
import { TokenEstimator } from "../../../sessions/context/token_estimator.ts";
import type { Cursor } from "../../../sessions/cursor.ts";
import { MemoryStore } from "../../../sessions/memory_store.ts";
import type { Session } from "../../../sessions/session.ts";

export const SYSTEM = "You are a coding agent. Use the tools.";

const TOOLS: readonly LlmTool[] = [
  { name: "read_file", description: "Reads a file.", parameters: { type: "object" } },
];

/** A session that holds nothing but its system message. */
export async function emptySession(): Promise<Session> {
  const session = await new MemoryStore({ root: "/project" }).create();
  session.appendSystemMessage(SYSTEM);
  return session;
}

/** What a session is fitted with. */
export interface Fitting {
  readonly estimator: TokenEstimator;
  readonly budget: ContextBudget;
  prepare(cursor: Cursor, options?: Partial<PrepareContextOptions>): PreparedContext;
}

/** A window of so many tokens, a quarter of them for the reply. */
export function fitting(contextWindow: number, model = "qwen3"): Fitting {
  const estimator = new TokenEstimator(model);
  const budget = contextBudget({
    contextWindow,
    completionReserve: Math.floor(contextWindow / 4),
    systemPrompt: SYSTEM,
    tools: TOOLS,
    estimator,
  });
  return {
    estimator,
    budget,
    prepare: (cursor, options) =>
      cursor.prepareContext({ budget, estimator, system: SYSTEM, tools: TOOLS, ...options }),
  };
}

let nextCall = 0;

/** One iteration: a call and its result. */
export function addCall(
  cursor: Cursor,
  call: {
    readonly name: string;
    readonly args?: Readonly<Record<string, unknown>>;
    readonly result: string;
    readonly isError?: boolean;
    readonly text?: string;
  },
): { readonly callEntry: string; readonly resultEntry: string } {
  const id = `call_${nextCall++}`;
  const callEntry = cursor.appendAssistantMessage({
    content: call.text ?? "",
    toolCalls: [{ id, name: call.name, arguments: JSON.stringify(call.args ?? {}) }],
    finishReason: "tool_calls",
  });
  const result = cursor.appendToolResult({
    toolCallId: id,
    content: call.result,
    isError: call.isError ?? false,
  });
  return { callEntry: callEntry.id, resultEntry: result.id };
}

/** A file as `read_file` shows it. */
export function fileText(path: string, lines: number): string {
  const rows = Array.from(
    { length: lines },
    (_, i) => `${i + 1}#QVKT:  const value${i} = compute(${i}, "${path}"); // step ${i}`,
  );
  return `<context path="${path}" lines="1-${lines}/${lines}">\n${rows.join("\n")}\n<context:end>`;
}

/** A read of a file with so many lines. */
export function addRead(cursor: Cursor, path: string, lines: number): string {
  return addCall(cursor, {
    name: "read_file",
    args: { path },
    result: fileText(path, lines),
  }).resultEntry;
}

/** A whole turn without tools. */
export function addTalk(cursor: Cursor, request: string, reply: string): void {
  cursor.appendUserMessage(request);
  cursor.appendAssistantMessage({ content: reply, finishReason: "stop" });
}
