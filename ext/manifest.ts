import type { JsonSchema } from "../core/llm/types.ts";
import type { ToolRisk } from "../tools/tool.ts";

/** The hooks that an extension may have. */
export const HOOK_NAMES = [
  "onLoad",
  "onUnload",
  "onSessionStart",
  "onTurnStart",
  "onTurnEnd",
  "onBeforeModel",
  "onToolCall",
  "onToolResult",
] as const;

/** One of {@linkcode HOOK_NAMES}. */
export type HookName = (typeof HOOK_NAMES)[number];

/** A tool as its extension describes it. */
export interface ManifestTool {
  readonly name: string;
  readonly description: string;
  readonly risk: ToolRisk;
  readonly parameters: JsonSchema;
}

/** A command as its extension describes it. */
export interface ManifestCommand {
  readonly name: string;
  readonly description: string;
}

/** A manifest that was checked. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly ManifestTool[];
  readonly hooks: readonly HookName[];
  readonly commands: readonly ManifestCommand[];
}
