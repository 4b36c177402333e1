import { errorMessage } from "../base/errors.ts";
import { type ToolContext, toolFailure, type ToolResult } from "../../tools/tool.ts";
import type { ReadyCall } from "./prepared_call.ts";

/** How long a tool may take to stop after it was told to, in milliseconds. */
const STOP_GRACE_MS = 5_000;

/**
 * Runs a tool and always comes back with one result: what it returns, what it throws, or, when it
 * does not stop within 5 s of being told to, the note that it was left behind.
 */
export async function executeCall(ready: ReadyCall, context: ToolContext): Promise<ToolResult> {
  const { signal } = context;
  if (signal.aborted) return toolFailure("The turn was cancelled before this call ran.");
  let graceTimer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = () => {};
  const leftBehind = new Promise<ToolResult>((resolve) => {
    onAbort = () => {
      graceTimer = setTimeout(
        () => resolve(toolFailure("The turn was cancelled; this call did not stop in time.")),
        STOP_GRACE_MS,
      );
    };
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([runTool(ready, context), leftBehind]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(graceTimer);
  }
}

async function runTool(ready: ReadyCall, context: ToolContext): Promise<ToolResult> {
  try {
    return await ready.tool.execute(ready.args, context);
  } catch (error) {
    if (context.signal.aborted) return toolFailure("The turn was cancelled while this call ran.");
    context.logger.debug(`${ready.tool.name} threw: ${errorMessage(error)}`);
    return toolFailure(errorMessage(error));
  }
}
