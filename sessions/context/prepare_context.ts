import type { LlmMessage, LlmTool } from "../../core/llm/types.ts";
import { buildView, type ViewMends } from "../context_view.ts";
import type { Branch } from "./branch.ts";
import { boundLatest } from "./bound_latest.ts";
import type { ContextBudget } from "./context_budget.ts";
import { ContextError } from "./context_error.ts";
import { type Conversation, type Piece, readConversation } from "./conversation.ts";
import type { Downgrade } from "./downgraded.ts";
import { evictedEntries, evictEntries } from "./evicted_entries.ts";
import { weighMessage, weighTools } from "./message_weight.ts";
import type { PathMessage } from "./path_messages.ts";
import { planDowngrades } from "./plan_downgrades.ts";
import { planEvictions } from "./plan_evictions.ts";
import type { TokenEstimator } from "./token_estimator.ts";

/** Above this part of what a conversation may use, older messages get coarser. */
export const HIGH_WATER = 0.85;
/** Down to this part, so that many requests follow before the next change. */
export const LOW_WATER = 0.6;

/** Options of {@linkcode prepareContext}. */
export interface PrepareContextOptions {
  readonly budget: ContextBudget;
  readonly estimator: TokenEstimator;
  /** Today's system prompt. */
  readonly system: string;
  readonly tools: readonly LlmTool[];
  /** A note for this request only; it ends the request and is no part of the conversation. */
  readonly note?: string;
  /** Called when there is more to mend than was reported for this session before. */
  readonly onMend?: (mends: ViewMends) => void;
}

/** A request's messages and what was done to make them fit. */
export interface PreparedContext {
  readonly messages: LlmMessage[];
  /** Of the whole request, tools included. */
  readonly estimatedTokens: number;
  /** Messages that were made coarser, put out of sight, or cut for this request. */
  readonly downgraded: number;
  readonly evicted: number;
  readonly bounded: number;
}

/** How often the view's own repairs may ask for more room. */
const MAX_ROUNDS = 3;

/**
 * The messages of a request: a branch's path, fitted into what the conversation may use, checked
 * and repaired. Between the marks nothing is changed, so that each request begins with the one
 * before it, byte for byte; over the high mark everything is brought down to the low one at once.
 *
 * @throws {ContextError} `context_overflow` when even what is never touched does not fit.
 */
export function prepareContext(branch: Branch, options: PrepareContextOptions): PreparedContext {
  const { budget, estimator } = options;
  const system = weighMessage({ role: "system", content: options.system });
  const tools = weighTools(options.tools);
  const room = estimator.weightOf(budget.promptBudget);
  let extra = options.note === undefined
    ? 0
    : weighMessage({ role: "user", content: options.note });
  const done = { downgraded: 0, evicted: 0, bounded: 0 };
  for (let round = 1;; round++) {
    const fitted = fit(branch, { room: room - system - tools, extra });
    done.downgraded += fitted.downgraded;
    done.evicted += fitted.evicted;
    done.bounded += fitted.bounded;
    const messages = withNote(view(branch, fitted.messages, options), options.note);
    const weight = messages.reduce((sum, message) => sum + weighMessage(message), tools);
    const excess = weight - room;
    if (excess <= 0) return { messages, estimatedTokens: estimator.tokensOf(weight), ...done };
    if (round >= MAX_ROUNDS) throw overflow(excess, options);
    extra += excess + 1;
  }
}

function view(
  branch: Branch,
  messages: readonly PathMessage[],
  { system, onMend }: PrepareContextOptions,
): LlmMessage[] {
  return buildView(branch, { system, messages, ...(onMend === undefined ? {} : { onMend }) });
}

interface FitOptions {
  /** What system message and tools leave, in average characters. */
  readonly room: number;
  /** What will be added to the messages, in average characters. */
  readonly extra: number;
}

interface Fitted {
  readonly messages: readonly PathMessage[];
  readonly downgraded: number;
  readonly evicted: number;
  readonly bounded: number;
}

function fit(branch: Branch, { room, extra }: FitOptions): Fitted {
  const path = branch.pathMessages();
  const conversation = readConversation(path, branch.log);
  let evicted = evictedEntries(branch, conversation);
  let weight = visibleWeight(conversation, evicted) + extra;
  const high = room * HIGH_WATER;
  if (weight <= high) {
    return { messages: withoutEvicted(path, evicted), downgraded: 0, evicted: 0, bounded: 0 };
  }
  const target = room * LOW_WATER;
  const plan = planDowngrades(conversation, { log: branch.log, evicted, weight, target });
  const planned = new Map(plan.downgrades.map((downgrade) => [downgrade.entryId, downgrade]));
  weight = plan.weight;
  let evictions: readonly string[] = [];
  if (weight > high) {
    const weightOf = (piece: Piece) => planned.get(piece.entryId)?.weight ?? piece.weight;
    const eviction = planEvictions(conversation, { evicted, weight, target, weightOf });
    evictions = eviction.entryIds;
    weight = eviction.weight + (evicted.size === 0 && evictions.length > 0 ? MARKER_WEIGHT : 0);
    for (const id of evictions) planned.delete(id);
  }
  let bounded: readonly Downgrade[] = [];
  if (weight > room) {
    const last = boundLatest(conversation, { log: branch.log, weight, target: room, planned });
    bounded = last.downgrades;
  }
  for (const { entryId, resolution } of [...planned.values(), ...bounded]) {
    branch.setResolution(entryId, resolution);
  }
  if (evictions.length > 0) {
    evictEntries(branch, evictions);
    evicted = new Set([...evicted, ...evictions]);
  }
  return {
    messages: withoutEvicted(branch.pathMessages(), evicted),
    downgraded: planned.size,
    evicted: evictions.length,
    bounded: bounded.length,
  };
}

function visibleWeight(conversation: Conversation, evicted: ReadonlySet<string>): number {
  if (evicted.size === 0) return conversation.weight;
  let weight = MARKER_WEIGHT;
  for (const piece of conversation.pieces) {
    if (!evicted.has(piece.entryId)) weight += piece.weight;
  }
  return weight;
}

/** What the mark of left-out messages weighs, in average characters. */
const MARKER_WEIGHT = 160;

/** The path without what is out of sight, with one mark where the first of it was. */
function withoutEvicted(
  path: readonly PathMessage[],
  evicted: ReadonlySet<string>,
): readonly PathMessage[] {
  if (evicted.size === 0) return path;
  const visible: PathMessage[] = [];
  let markAt = -1;
  let left = 0;
  for (const message of path) {
    if (!evicted.has(message.entryId)) visible.push(message);
    else {
      if (left === 0) markAt = visible.length;
      left += 1;
    }
  }
  if (left > 0) visible.splice(markAt, 0, mark(left));
  return visible;
}

function mark(count: number): PathMessage {
  const content = `[Note from rho: ${count} earlier messages of this conversation are left out ` +
    "here to save room]";
  return { entryId: "", message: { role: "user", content }, resolution: { level: "Full" } };
}

/** A strict server takes no two user messages in a row, so a note joins the last one. */
function withNote(messages: LlmMessage[], note: string | undefined): LlmMessage[] {
  if (note === undefined) return messages;
  const last = messages.at(-1);
  if (last?.role !== "user") return [...messages, { role: "user", content: note }];
  return [...messages.slice(0, -1), { role: "user", content: `${last.content}\n\n${note}` }];
}

function overflow(excess: number, { budget, estimator }: PrepareContextOptions): ContextError {
  const tokens = estimator.tokensOf(excess);
  return new ContextError(
    "context_overflow",
    `Cannot fit this request into the context window: the first and the latest request, the two ` +
      `latest steps and what is pinned need about ${tokens} tokens more than the ` +
      `${budget.promptBudget} of the prompt; ask for less at once, unpin entries, start a new ` +
      "session, or raise --token-budget if the model's window is larger",
    { data: { missingTokens: tokens, promptBudget: budget.promptBudget } },
  );
}
