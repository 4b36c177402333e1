import type { ServerKind } from "../llm/server_window.ts";
import { type AgentModel, modelKey } from "./agent_model.ts";
import type { AgentEventMap } from "./events.ts";

type Notice = AgentEventMap["notice"];

/** Where the window is set, by kind of server. */
const SETTINGS: Readonly<Record<ServerKind, string>> = {
  ollama:
    "start Ollama with OLLAMA_CONTEXT_LENGTH=<tokens>, or set num_ctx in the model's Modelfile",
  llama_cpp: "start llama-server with -c <tokens>",
  lm_studio: "load the model in LM Studio with a larger context length",
  vllm: "start vLLM with --max-model-len <tokens>",
  unknown: "raise the context length in the model server (Ollama: OLLAMA_CONTEXT_LENGTH, " +
    "llama.cpp: -c, LM Studio: the model's context length, vLLM: --max-model-len)",
};

/** The window is smaller than configured, so that one counts. */
export function smallerWindowNotice(
  key: string,
  facts: {
    readonly tokens: number;
    readonly tokenBudget: number;
    /** What serves it; `undefined` when the number comes from no server. */
    readonly kind: ServerKind | undefined;
  },
): Notice {
  const { tokens, tokenBudget, kind } = facts;
  const more = kind === undefined ? "" : `; for more, ${SETTINGS[kind]}`;
  return {
    code: "context_window_lowered",
    level: "warn",
    message: `Model "${key}" has a window of ${tokens} tokens, less than the token_budget of ` +
      `${tokenBudget}; it is used from here on${more}`,
  };
}

/** The window is larger than configured. */
export function largerWindowNotice(
  key: string,
  { tokens, tokenBudget }: { readonly tokens: number; readonly tokenBudget: number },
): Notice {
  return {
    code: "context_window_larger",
    level: "info",
    message: `Model "${key}" has a window of ${tokens} tokens, of which token_budget uses ` +
      `${tokenBudget}; to use more, set token_budget under [agent] or --token-budget`,
  };
}

/** The server counted far less than was sent. */
export function cutNotice(
  model: AgentModel,
  facts: {
    readonly estimatedTokens: number;
    readonly reportedTokens: number | undefined;
    readonly kind: ServerKind;
  },
): Notice {
  return {
    code: "prompt_cut",
    level: "warn",
    message: `The server of "${modelKey(model)}" counted ${facts.reportedTokens} tokens for a ` +
      `prompt of about ${facts.estimatedTokens}: it cuts prompts without saying so, and the ` +
      `model does not see all of the conversation; ${SETTINGS[facts.kind]}`,
  };
}
