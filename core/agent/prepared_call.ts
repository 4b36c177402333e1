import { parseToolArguments } from "../llm/lenient_json.ts";
import type { LlmToolCall } from "../llm/types.ts";
import { checkArguments } from "../../tools/arguments.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import type { Tool } from "../../tools/tool.ts";
import { visibleJson } from "./approval_preview.ts";

/** A call that can run. */
export interface ReadyCall {
  readonly type: "ready";
  readonly tool: Tool;
  readonly args: unknown;
  /** The JSON text of exactly what runs. */
  readonly argumentsText: string;
  /** A line for the model when what runs is not what it sent. */
  readonly changed?: string;
}

/** A call that cannot run; the message tells the model why. */
export interface UnusableCall {
  readonly type: "unusable";
  readonly message: string;
}

/** Finds the tool of a call and makes sense of its arguments. Nothing is run. */
export function prepareCall(call: LlmToolCall, registry: ToolRegistry): ReadyCall | UnusableCall {
  const tool = registry.get(call.name);
  if (tool === undefined) return unusable(unknownTool(call.name, registry));
  const parsed = parseToolArguments(call.arguments);
  if (!parsed.ok) {
    return unusable(
      `Cannot run ${call.name}: its arguments are not valid JSON (${parsed.error}). ` +
        "Send the call again with one complete JSON object.",
    );
  }
  const checked = checkArguments(tool, parsed.value);
  if (!checked.ok) return unusable(checked.message);
  return {
    type: "ready",
    tool,
    args: checked.args,
    argumentsText: visibleJson(checked.args),
    ...(parsed.repaired
      ? { changed: "Note: the arguments were broken JSON and were repaired before the call ran." }
      : {}),
  };
}

function unusable(message: string): UnusableCall {
  return { type: "unusable", message };
}

function unknownTool(name: string, registry: ToolRegistry): string {
  const near = registry.near(name);
  const hint = near.length > 0
    ? `Did you mean ${near.map((candidate) => `"${candidate}"`).join(" or ")}?`
    : `The tools are: ${registry.list().map((tool) => tool.name).join(", ")}.`;
  return `There is no tool "${name}". ${hint}`;
}
