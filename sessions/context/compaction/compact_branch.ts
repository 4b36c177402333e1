import type { Entry } from "../../entry.ts";
import { openCallsOf } from "../../open_calls.ts";
import type { Branch } from "../branch.ts";
import type { ContextBudget } from "../context_budget.ts";
import { readConversation } from "../conversation.ts";
import { evictedEntries } from "../evicted_entries.ts";
import { weighStored } from "../message_weight.ts";
import { renderCompaction } from "../render_compaction.ts";
import type { TokenEstimator } from "../token_estimator.ts";
import type { CompactionSummary } from "./compaction_summary.ts";
import { KEPT_TURNS, planCompaction } from "./plan_compaction.ts";
import { summarize } from "./summarize.ts";

/** What a compaction came to. */
export interface CompactionResult {
  /** 0 when nothing was changed. */
  readonly compactedEntries: number;
  /** The estimated size of the whole prompt. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Options of {@linkcode draftCompaction}. */
export interface CompactOptions {
  readonly budget: ContextBudget;
  readonly estimator: TokenEstimator;
  /**
   * How many of the latest turns stay.
   * @default {4}
   */
  readonly keepTurns?: number;
  /** What to remember above all; goes into the notes. */
  readonly focus?: string;
}

/** A compaction that has not been carried out yet. */
export interface CompactionDraft extends CompactionResult {
  readonly summary: CompactionSummary;
  readonly firstKept: string;
  /** The entries that it stands for, oldest first. */
  readonly entries: readonly Entry[];
}

/** A compaction must save this part of the prompt. */
const MIN_SAVED_PART = 0.1;
/** The part of the prompt budget that a summary may take, about. */
const SUMMARY_PART = 0.12;
/** The part of the budget that the kept tail may take before it is cut further. */
const TAIL_PART = 0.5;

/**
 * Works out a compaction and changes nothing. Without a `draft` there is nothing that would be
 * worth it: calls are open, everything is recent, or less than 10 % would be saved.
 */
export function draftCompaction(
  branch: Branch,
  options: CompactOptions,
): { readonly result: CompactionResult; readonly draft?: CompactionDraft } {
  const { budget, estimator, keepTurns = KEPT_TURNS, focus } = options;
  const conversation = readConversation(branch.pathMessages(), branch.log);
  const evicted = evictedEntries(branch, conversation);
  const inSight = conversation.pieces.filter((piece) => !evicted.has(piece.entryId));
  const overhead = budget.systemTokens + budget.toolSchemaTokens;
  const weight = inSight.reduce((sum, piece) => sum + piece.weight, 0);
  const tokensBefore = overhead + estimator.tokensOf(weight);
  const unchanged = { compactedEntries: 0, tokensBefore, tokensAfter: tokensBefore };
  if (openCallsOf(branch.livePath).length > 0) return { result: unchanged };
  const range = planCompaction(conversation, {
    keepTurns,
    maxTailWeight: estimator.weightOf(Math.max(0, budget.conversationBudget)) * TAIL_PART,
  });
  if (range === undefined) return { result: unchanged };
  const compacted = new Set(range.pieces.map((piece) => piece.entryId));
  const saved = range.pieces.reduce(
    (sum, piece) => evicted.has(piece.entryId) ? sum : sum + piece.weight,
    0,
  );
  const summary = summarize(branch.livePath, {
    compacted,
    tokensCompacted: estimator.tokensOf(saved),
    maxUnits: Math.max(2000, estimator.weightOf(budget.promptBudget) * SUMMARY_PART),
    ...(focus === undefined ? {} : { focus }),
  });
  const tokensAfter = overhead + estimator.tokensOf(weight - saved + weightOf(summary));
  const result = { compactedEntries: compacted.size, tokensBefore, tokensAfter };
  if (tokensBefore - tokensAfter < tokensBefore * MIN_SAVED_PART) {
    return { result: { ...result, compactedEntries: 0 } };
  }
  const entries = branch.livePath.filter((entry) => compacted.has(entry.id));
  return { result, draft: { ...result, summary, firstKept: range.firstKept, entries } };
}

/** Carries a compaction out: its entry goes to the leaf, what it stands for is stamped. */
export function applyCompaction(branch: Branch, draft: CompactionDraft, notes?: string): Entry {
  const summary: CompactionSummary = notes === undefined
    ? draft.summary
    : { ...draft.summary, notes: [draft.summary.notes, notes].filter(Boolean).join("\n") };
  const entry = branch.appendPayload({
    type: "Compaction",
    compaction: { summary, first_kept: draft.firstKept, tokens_before: draft.tokensBefore },
  });
  for (const { id } of draft.entries) {
    branch.setResolution(id, { level: "Compacted", into: entry.id });
  }
  return entry;
}

/** Drafts a compaction and carries it out if it is worth it. */
export function compactBranch(branch: Branch, options: CompactOptions): CompactionResult {
  const { result, draft } = draftCompaction(branch, options);
  if (draft !== undefined) applyCompaction(branch, draft);
  return result;
}

function weightOf(summary: CompactionSummary): number {
  const content = renderCompaction({ summary, first_kept: null, tokens_before: 0 });
  return weighStored({ role: "user", content }, { withReasoning: false });
}
