import { RhoError } from "../core/base/errors.ts";
import { toolFailure, type ToolResult } from "./tool.ts";

/**
 * Runs the body of a tool; an error of our own becomes a result with its message, which says what
 * to do next. Anything else is a bug or an abort and goes on to the caller.
 */
export async function withFailures(body: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof RhoError) return toolFailure(error.message);
    throw error;
  }
}
