import { errorMessage } from "../base/errors.ts";
import type { ModelPrice } from "../llm/model_facts.ts";
import type { LlmTool, LlmUsage } from "../llm/types.ts";
import {
  applyCompaction,
  type CompactionDraft,
  type CompactionResult,
  draftCompaction,
} from "../../sessions/context/compaction/compact_branch.ts";
import { RHO_KINDS } from "../../sessions/entry.ts";
import type { Session } from "../../sessions/session.ts";
import type { AgentModel } from "./agent_model.ts";
import type { ContextMeter } from "./context_meter.ts";
import type { AgentEventListener } from "./events.ts";
import { sideUsage, unreportedUsage } from "./usage_meter.ts";

/** What a compaction works with. */
export interface CompactionDeps {
  readonly session: Session;
  readonly model: AgentModel;
  readonly meter: ContextMeter;
  readonly systemPrompt: string;
  readonly llmTools: readonly LlmTool[];
  /** What the model costs, if that is known. */
  readonly price?: ModelPrice | undefined;
  /** Who writes the notes: nobody, or the model in addition. */
  readonly mode: "mechanical" | "llm";
  readonly signal: AbortSignal;
  readonly onEvent: AgentEventListener;
  /** Called when earlier results may have left the context. */
  readonly forgetReads: () => void;
}

/** Options of {@linkcode compactSession}. */
export interface CompactSessionOptions {
  readonly focus?: string;
  /** How many of the latest turns stay. */
  readonly keepTurns?: number;
}

/**
 * Compacts the session if that is worth it. The mechanical summary is always made; whatever happens
 * to the model's narrative, it stands.
 */
export async function compactSession(
  deps: CompactionDeps,
  options: CompactSessionOptions = {},
): Promise<CompactionResult> {
  const { session, meter, onEvent } = deps;
  const budget = meter.budget(deps.systemPrompt, deps.llmTools);
  const { result, draft } = draftCompaction(session, {
    budget,
    estimator: meter.estimator,
    ...options,
  });
  if (draft === undefined) return result;
  const notes = deps.mode === "llm"
    ? await narrative(draft, deps, { promptBudget: budget.promptBudget, focus: options.focus })
    : undefined;
  applyCompaction(session, draft, notes);
  deps.forgetReads();
  const mode = notes === undefined ? "mechanical" : "llm";
  onEvent({ type: "compaction", params: { mode, ...result } });
  return result;
}

/** Compacts a session that no turn works in; calls that were left open are closed first. */
export async function compactIdle(
  deps: CompactionDeps,
  focus: string | undefined,
): Promise<CompactionResult> {
  if (deps.session.closeOpenCalls().length > 0) deps.forgetReads();
  const result = await compactSession(deps, focus === undefined ? {} : { focus });
  await deps.session.endTurn();
  return result;
}

/** The model's notes, or `undefined` when it could not be asked; then the listener is told. */
async function narrative(
  draft: CompactionDraft,
  deps: CompactionDeps,
  request: { readonly promptBudget: number; readonly focus: string | undefined },
): Promise<string | undefined> {
  const { model, meter, signal } = deps;
  try {
    const { narrate } = await (import("./compaction_narrative.ts" as string) as Promise<
      typeof import("./compaction_narrative.ts")
    >);
    const text = await narrate(draft, {
      service: model.service,
      model: model.id,
      estimator: meter.estimator,
      promptBudget: request.promptBudget,
      maxTokens: meter.completionReserve,
      signal,
      onUsage: (usage, estimatedTokens) => noteUsage(usage, estimatedTokens, deps),
      ...(request.focus === undefined ? {} : { focus: request.focus }),
    });
    if (text !== "") return text;
    sayFallback("the model answered with nothing", deps);
  } catch (error) {
    sayFallback(signal.aborted ? "it was cancelled" : errorMessage(error), deps);
  }
  return undefined;
}

function noteUsage(
  usage: LlmUsage | undefined,
  estimatedTokens: number,
  { session, model, price }: CompactionDeps,
): void {
  session.appendCustom(RHO_KINDS.sideUsage, sideUsage(usage, { model: model.id, price }));
  if (usage === undefined) {
    session.appendCustom(RHO_KINDS.unreported, unreportedUsage(estimatedTokens));
  }
}

function sayFallback(reason: string, { onEvent }: CompactionDeps): void {
  const message = `The model could not summarise the earlier conversation (${reason}); the ` +
    "summary was made from the log alone";
  onEvent({ type: "notice", params: { code: "compaction_fallback", level: "warn", message } });
}
