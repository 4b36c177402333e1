import BASE from "./base.md" with { type: "text" };
import COMPACT from "./compact.md" with { type: "text" };
import { contextFilesBlock, type PromptFile } from "./context_files.ts";
import { environmentBlock, type EnvironmentFacts } from "./environment.ts";
import { toolNotes, type ToolNotesParts } from "./tool_notes.ts";

/** What a system prompt is put together from. */
export interface SystemPromptParts {
  /** `base`, or `compact` for small contexts. */
  readonly style: "base" | "compact";
  /** Replaces the text of `style`, when given; the rest of the prompt stays. */
  readonly replacement?: string;
  /**
   * The reviewed context files, in the order of the scan list.
   * @default {[]}
   */
  readonly contextFiles?: readonly PromptFile[];
  readonly environment: EnvironmentFacts;
  /** What there is to say about tools; the notes on editing are always there. */
  readonly tools?: ToolNotesParts;
  /**
   * `[system_prompt] extensions`: what ends the prompt.
   * @default {[]}
   */
  readonly extensions?: readonly string[];
}

/**
 * The system prompt: base, context files, environment, tool notes, extensions. The same parts give
 * the same bytes.
 */
export function systemPrompt(parts: SystemPromptParts): string {
  const { style, replacement, contextFiles = [], environment, tools, extensions = [] } = parts;
  return [
    (replacement ?? (style === "compact" ? COMPACT : BASE)).trim(),
    ...(contextFiles.length === 0 ? [] : [contextFilesBlock(contextFiles)]),
    environmentBlock(environment),
    ...toolNotes(tools),
    ...extensions.map((text) => text.trim()),
  ].filter((block) => block !== "").join("\n\n") + "\n";
}
