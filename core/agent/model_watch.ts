import { abortable } from "../base/abort.ts";
import type { KnownFacts } from "../llm/known_facts.ts";
import type { ModelPrice } from "../llm/model_facts.ts";
import type { ServerWindow } from "../llm/server_window.ts";
import { type AgentModel, modelKey } from "./agent_model.ts";
import { type ContextMeter, isSilentCut } from "./context_meter.ts";
import type { AgentEventMap } from "./events.ts";
import { cutNotice, largerWindowNotice, smallerWindowNotice } from "./window_notices.ts";

type Notice = AgentEventMap["notice"];

/** How long a question waits for the end of the turn that it would slow down, in milliseconds. */
const START_DELAY_MS = 30;

/** Options of {@linkcode ModelWatch}. */
export interface ModelWatchOptions {
  readonly meter: ContextMeter;
  /** The window as configured, in tokens. */
  readonly tokenBudget: number;
  readonly onNotice: (notice: Notice) => void;
}

/** What a reply said about its request. */
export interface ReplyCounts {
  /** What the request was estimated at, in tokens. */
  readonly estimatedTokens: number;
  /** What the server counted, cached tokens included; `undefined` when it counted nothing. */
  readonly reportedTokens: number | undefined;
}

/**
 * Keeps the context window in step with the model: what the catalog and the user's file say before
 * the first request, what a local server says after its first reply. Each thing is told once.
 */
export class ModelWatch {
  readonly #options: ModelWatchOptions;
  readonly #told = new Set<string>();
  /** What servers told, by model. */
  readonly #servers = new Map<string, ServerWindow>();
  readonly #stop = new AbortController();
  #key = "";
  #facts: KnownFacts | undefined;
  #ready: Promise<void> = Promise.resolve();
  #asking: Promise<void> = Promise.resolve();
  /** How many requests wait for what is asked. */
  #waiting = 0;
  #hurry: () => void = () => {};

  constructor(options: ModelWatchOptions) {
    this.#options = options;
  }

  /** What the model in use costs, if that is known. */
  get price(): ModelPrice | undefined {
    return this.#facts?.price;
  }

  /** The most tokens that the next reply may have. */
  get maxTokens(): number {
    const { completionReserve } = this.#options.meter;
    return Math.min(completionReserve, this.#facts?.maxOutputTokens ?? completionReserve);
  }

  /** Fits the window to the model that is asked next. Cheap when it is the one asked last. */
  async prepare(model: AgentModel, signal?: AbortSignal): Promise<void> {
    const key = modelKey(model);
    if (key !== this.#key) {
      this.#key = key;
      this.#facts = undefined;
      this.#options.meter.useModel(key);
      this.#ready = this.#load(model, key);
    }
    await this.#ready;
    this.#waiting += 1;
    this.#hurry();
    // Whoever stops the turn need not wait for a slow server.
    await (signal === undefined ? this.#asking : abortable(this.#asking, signal).catch(() => {}));
    this.#waiting -= 1;
  }

  /** Takes note of a reply; a server that was not asked yet is asked in the background. */
  noteReply(model: AgentModel, counts: ReplyCounts): void {
    const key = modelKey(model);
    const isFirst = !this.#servers.has(key);
    const ask = isFirst && this.#facts?.isWindowTold !== true ? model.askWindow : undefined;
    const { estimatedTokens, reportedTokens } = counts;
    const isCut = reportedTokens !== undefined && isSilentCut(estimatedTokens, reportedTokens);
    if (ask === undefined && !isCut) return;
    const work = async () => {
      if (ask !== undefined) await this.#ask(ask, key);
      const kind = this.#servers.get(key)?.kind ?? "unknown";
      if (isCut) this.#tell(key, cutNotice(model, { estimatedTokens, reportedTokens, kind }));
    };
    this.#asking = this.#asking.then(() => this.#pause()).then(work);
  }

  /** Ends what runs in the background; what is known by then is still told. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#hurry();
    await this.#asking;
  }

  /** Lets the end of a turn go first; whoever needs the answer cuts it short. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#hurry(), START_DELAY_MS);
      this.#hurry = () => {
        clearTimeout(timer);
        this.#hurry = () => {};
        resolve();
      };
      if (this.#waiting > 0 || this.#stop.signal.aborted) this.#hurry();
    });
  }

  async #load(model: AgentModel, key: string): Promise<void> {
    const facts = await model.facts?.();
    if (key !== this.#key) return;
    this.#facts = facts;
    for (const message of facts?.problems ?? []) {
      this.#tell("", { code: "models_file", level: "warn", message });
    }
    this.#fit(key, { tokens: facts?.contextWindow, from: undefined });
    const server = this.#servers.get(key);
    if (server !== undefined) this.#fit(key, { tokens: server.tokens, from: server });
  }

  async #ask(ask: NonNullable<AgentModel["askWindow"]>, key: string): Promise<void> {
    if (this.#servers.has(key) || this.#stop.signal.aborted) return;
    try {
      const server = await ask(this.#stop.signal);
      this.#servers.set(key, server);
      if (key === this.#key) this.#fit(key, { tokens: server.tokens, from: server });
    } catch {
      // It was aborted; whatever else goes wrong is an answer without a window.
    }
  }

  #fit(
    key: string,
    window: { readonly tokens: number | undefined; readonly from: ServerWindow | undefined },
  ): void {
    const { tokens, from } = window;
    if (tokens === undefined) return;
    const { meter, tokenBudget } = this.#options;
    if (tokens > tokenBudget) {
      this.#tell(key, largerWindowNotice(key, { tokens, tokenBudget }));
    } else if (tokens < meter.contextWindow) {
      meter.limitWindow(tokens);
      this.#tell(key, smallerWindowNotice(key, { tokens, tokenBudget, kind: from?.kind }));
    }
  }

  #tell(key: string, notice: Notice): void {
    const what = JSON.stringify([key, notice.code, key === "" ? notice.message : ""]);
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#options.onNotice(notice);
  }
}
