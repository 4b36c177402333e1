import type { LlmTool } from "../llm/types.ts";
import { ToolRegistry } from "../../tools/registry.ts";
import type { Tool } from "../../tools/tool.ts";
import { toLlmTool } from "../../tools/tool_schema.ts";

/** Tools, or a function that loads them when they are first needed. */
export type ToolSource = readonly Tool[] | (() => Promise<readonly Tool[]>);

/** The tools of an agent as the loop and the model need them. */
export interface AgentTools {
  readonly registry: ToolRegistry;
  /** Sorted by name, the same bytes each time. */
  readonly llmTools: readonly LlmTool[];
}

/** Loads and registers tools. */
export async function loadAgentTools(source: ToolSource): Promise<AgentTools> {
  const tools = typeof source === "function" ? await source() : source;
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  return { registry, llmTools: registry.list().map(toLlmTool) };
}
