import PROMPT from "../../prompts/compaction.md" with { type: "text" };
import type { LlmMessage, LlmService, LlmUsage } from "../llm/types.ts";
import type { CompactionDraft } from "../../sessions/context/compaction/compact_branch.ts";
import { transcript } from "../../sessions/context/compaction/transcript.ts";
import { renderCompaction } from "../../sessions/context/render_compaction.ts";
import { textWeight } from "../../sessions/context/text_weight.ts";
import type { TokenEstimator } from "../../sessions/context/token_estimator.ts";

/** What a narrative is asked for with. */
export interface NarrativeOptions {
  readonly service: LlmService;
  readonly model: string;
  readonly estimator: TokenEstimator;
  /** What one request may take, in tokens, reply excluded. */
  readonly promptBudget: number;
  /** The most tokens of one reply. */
  readonly maxTokens: number;
  readonly focus?: string;
  readonly signal: AbortSignal;
  /** Called after each request with what the server reported. */
  readonly onUsage: (usage: LlmUsage | undefined, estimatedTokens: number) => void;
}

/** The longest narrative that is asked for, in tokens. */
const MAX_REPLY_TOKENS = 1024;
/** The part of the prompt budget that is filled: the estimate may be off. */
const FILLED_PART = 0.75;
/** The most requests of one compaction. */
const MAX_PIECES = 4;

/**
 * What the model makes of the entries that are about to be compacted. The transcript is shortened
 * and sent in pieces, so that no request is longer than the window that has just overflowed (B64).
 *
 * @throws whatever the request throws; the caller has a mechanical summary already.
 */
export async function narrate(draft: CompactionDraft, options: NarrativeOptions): Promise<string> {
  const summary = renderCompaction({
    summary: draft.summary,
    first_kept: null,
    tokens_before: draft.tokensBefore,
  });
  const room = options.estimator.weightOf(options.promptBudget * FILLED_PART) -
    textWeight(PROMPT) - textWeight(summary) - textWeight(options.focus ?? "") -
    options.estimator.weightOf(MAX_REPLY_TOKENS);
  const pieces = transcript(draft.entries, { maxWeight: room, maxPieces: MAX_PIECES });
  let narrative = "";
  for (const piece of pieces) {
    narrative = await ask(
      userMessage(piece, { summary, narrative, focus: options.focus }),
      options,
    );
  }
  return narrative;
}

function userMessage(
  piece: string,
  parts: { summary: string; narrative: string; focus: string | undefined },
): string {
  return [
    `Mechanical summary:\n${parts.summary}`,
    ...(parts.focus === undefined ? [] : [`The user wants you to focus on: ${parts.focus}`]),
    ...(parts.narrative === ""
      ? []
      : [`Your summary of the part before this one; extend and correct it:\n${parts.narrative}`]),
    `Transcript:\n${piece}`,
    "Write the summary now.",
  ].join("\n\n");
}

async function ask(content: string, options: NarrativeOptions): Promise<string> {
  const { service, model, signal, estimator } = options;
  const messages: LlmMessage[] = [
    { role: "system", content: PROMPT },
    { role: "user", content },
  ];
  const maxTokens = Math.min(MAX_REPLY_TOKENS, options.maxTokens);
  let text = "";
  let usage: LlmUsage | undefined;
  try {
    for await (
      const event of service.stream({ model, messages, tools: [], maxTokens }, { signal })
    ) {
      if (event.type === "text") text += event.delta;
      else if (event.type === "usage") usage = event.usage;
      signal.throwIfAborted();
    }
  } finally {
    const weight = textWeight(PROMPT) + textWeight(content) + textWeight(text);
    options.onUsage(usage, estimator.tokensOf(weight));
  }
  return text.trim();
}
