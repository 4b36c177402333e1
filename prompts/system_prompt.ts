import BASE from "./base.md" with { type: "text" };
import COMPACT from "./compact.md" with { type: "text" };
import { environmentBlock, type EnvironmentFacts } from "./environment.ts";

/** What a system prompt is put together from. */
export interface SystemPromptParts {
  /** `base`, or `compact` for small contexts. */
  readonly style: "base" | "compact";
  /** Replaces the text of `style`, when given. */
  readonly replacement?: string;
  readonly environment: EnvironmentFacts;
}

/** The system prompt: the same parts give the same bytes. */
export function systemPrompt(parts: SystemPromptParts): string {
  const lead = parts.replacement ?? (parts.style === "compact" ? COMPACT : BASE);
  return [lead.trim(), environmentBlock(parts.environment)].join("\n\n") + "\n";
}
