import type { LlmUsage } from "../core/llm/types.ts";
import { type Entry, RHO_KINDS } from "./entry.ts";
import { isRecord, type JsonRecord, numberField, stringField } from "./json_value.ts";

/** Data of `rho.usage.v1`: what one response of the conversation cost. */
export interface UsageData {
  /** As the server counted; with `reported: false` an estimate that no total includes. */
  readonly usage: LlmUsage;
  /** In US dollars, or `null` when no price is known. */
  readonly cost: number | null;
  readonly reported: boolean;
  readonly model?: string;
}

/** Data of `rho.unreported.v1`: tokens that a request without a report may have used. */
export interface UnreportedData {
  readonly tokens: number;
}

/** Data of `rho.side_usage.v1`: a request outside the conversation, or a child's own report. */
export interface SideUsageData extends UsageData {
  /** What it was for, such as `compaction` or `child`. */
  readonly purpose: string;
  /** The child run that this reports on. */
  readonly childId?: string;
  /** The part of the child's debits that this report includes, in tokens. */
  readonly coveredTokens?: number;
}

/** Data of `rho.child_debit.v1`: tokens that a child run spent, until its own report covers them. */
export interface ChildDebitData {
  readonly childId: string;
  readonly tokens: number;
}

/** What a session has cost so far. */
export interface AccountTotals {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** Input and output. */
  readonly totalTokens: number;
  /** In US dollars; the least it can have been when `costIncomplete` is set. */
  readonly cost: number;
  readonly costIncomplete: boolean;
  readonly requestCount: number;
  /** Estimated tokens of requests without a report. */
  readonly unreportedTokens: number;
  /** Tokens of child runs that no report covers yet. */
  readonly pendingChildTokens: number;
  /** What counts against a token budget: reported, unreported and pending together. */
  readonly spentTokens: number;
}

/**
 * Adds up the accounting entries of a log. The log is the only truth, so a crash, a cancel or a
 * resume neither drops nor doubles anything.
 */
export class Accounting {
  readonly #pending = new Map<string, number>();
  #input = 0;
  #output = 0;
  #cached = 0;
  #reasoning = 0;
  #cost = 0;
  #costIncomplete = false;
  #requests = 0;
  #unreported = 0;

  /** The accounting of some entries. */
  static of(entries: Iterable<Entry>): Accounting {
    const accounting = new Accounting();
    for (const entry of entries) accounting.add(entry);
    return accounting;
  }

  /** Adds one entry; any other than an accounting entry changes nothing. */
  add(entry: Entry): void {
    const { payload } = entry;
    if (payload.type !== "Custom" || !isRecord(payload.data)) return;
    const { kind, data } = payload;
    if (kind === RHO_KINDS.usage) this.#addUsage(data);
    else if (kind === RHO_KINDS.unreported) this.#addUnreported(data);
    else if (kind === RHO_KINDS.childDebit) this.#addDebit(data);
    else if (kind === RHO_KINDS.sideUsage) {
      this.#addUsage(data);
      this.#coverDebit(data);
    }
  }

  /** The sums of what was added. */
  totals(): AccountTotals {
    const pendingChildTokens = [...this.#pending.values()].reduce((sum, n) => sum + n, 0);
    const totalTokens = this.#input + this.#output;
    return {
      inputTokens: this.#input,
      outputTokens: this.#output,
      cachedTokens: this.#cached,
      reasoningTokens: this.#reasoning,
      totalTokens,
      cost: this.#cost,
      costIncomplete: this.#costIncomplete || this.#unreported > 0 || pendingChildTokens > 0,
      requestCount: this.#requests,
      unreportedTokens: this.#unreported,
      pendingChildTokens,
      spentTokens: totalTokens + this.#unreported + pendingChildTokens,
    };
  }

  #addUsage(data: JsonRecord): void {
    this.#requests += 1;
    if (data.reported === false || !isRecord(data.usage)) {
      // The reservation of such a request is an `unreported` entry; an estimate never counts.
      this.#costIncomplete = true;
      return;
    }
    this.#input += count(data.usage, "inputTokens");
    this.#output += count(data.usage, "outputTokens");
    this.#cached += count(data.usage, "cachedTokens");
    this.#reasoning += count(data.usage, "reasoningTokens");
    if (typeof data.cost === "number") this.#cost += count(data, "cost");
    else this.#costIncomplete = true;
  }

  #addUnreported(data: JsonRecord): void {
    this.#unreported += count(data, "tokens");
  }

  #addDebit(data: JsonRecord): void {
    const child = stringField(data, "childId") ?? "";
    this.#pending.set(child, (this.#pending.get(child) ?? 0) + count(data, "tokens"));
  }

  #coverDebit(data: JsonRecord): void {
    const child = stringField(data, "childId");
    if (child === undefined) return;
    const left = (this.#pending.get(child) ?? 0) - count(data, "coveredTokens");
    if (left > 0) this.#pending.set(child, left);
    else this.#pending.delete(child);
  }
}

/** A number that can only add. */
function count(data: JsonRecord, key: string): number {
  return Math.max(numberField(data, key), 0);
}
