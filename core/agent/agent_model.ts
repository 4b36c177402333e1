import { isLoopbackEndpoint, type Provider } from "../config/provider.ts";
import type { AskServerOptions } from "../llm/http/ask_server.ts";
import type { KnownFacts } from "../llm/known_facts.ts";
import type { ServerWindow } from "../llm/server_window.ts";
import type { LlmService } from "../llm/types.ts";

/** A model that an agent talks to. */
export interface AgentModel {
  /** The model's id as the server knows it. */
  readonly id: string;
  /** The provider's name, for messages. */
  readonly provider: string;
  readonly service: LlmService;
  /** What is known about it without asking its server; called before its first request. */
  readonly facts?: () => Promise<KnownFacts>;
  /** Asks its server for the window that it has there; called after its first reply. */
  readonly askWindow?: (signal: AbortSignal) => Promise<ServerWindow>;
}

/** What models of any provider need beside the provider. */
export interface AgentModelDeps extends Pick<AskServerOptions, "env" | "redact" | "requestLog"> {
  /** rho's home folder, where the user's own facts about models are kept. */
  readonly home: string | undefined;
  readonly makeService: (provider: Provider) => LlmService;
}

/** The longest wait for one answer about a window, in milliseconds. */
const WINDOW_TIMEOUT_MS = 1000;

/** A model of a provider. Nothing is loaded, read or contacted before it is used. */
export function agentModel(provider: Provider, id: string, deps: AgentModelDeps): AgentModel {
  const { home, makeService, ...asking } = deps;
  return {
    id,
    provider: provider.name,
    service: makeService(provider),
    facts: async () => {
      const { knownFacts } = await (import("../llm/known_facts.ts" as string) as Promise<
        typeof import("../llm/known_facts.ts")
      >);
      return await knownFacts(provider, id, { home });
    },
    ...(isLoopbackEndpoint(provider.endpoint)
      ? {
        askWindow: async (signal: AbortSignal) => {
          const { serverWindow } = await (import("../llm/server_window.ts" as string) as Promise<
            typeof import("../llm/server_window.ts")
          >);
          return await serverWindow(provider, id, {
            ...asking,
            signal,
            timeoutMs: WINDOW_TIMEOUT_MS,
          });
        },
      }
      : {}),
  };
}

/** What tells a model from all others: `provider:id`. */
export function modelKey(model: Pick<AgentModel, "id" | "provider">): string {
  return `${model.provider}:${model.id}`;
}
