import type { Provider } from "./provider.ts";

/** A well-known provider: everything but the name that a user gives it. */
export type Preset = Omit<Provider, "name" | "defaultModel" | "headers" | "apiKeyEnv"> & {
  /** The variable that usually holds the key; a hint, never used without being named. */
  readonly usualKeyEnv?: string;
};

function chat(endpoint: string, usualKeyEnv?: string): Preset {
  return {
    endpoint,
    api: "chat_completions",
    ...(usualKeyEnv === undefined ? {} : { usualKeyEnv }),
  };
}

/**
 * The endpoint of the `demo` preset: this machine, port 0, because the scripted model gets a port
 * only when it starts. Whoever makes the model's client starts it and puts its URL here.
 */
export const DEMO_ENDPOINT = "http://127.0.0.1:0/v1/chat/completions";

/** Values of a provider's `type` that name protocols which rho does not speak. */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set([
  "anthropic",
  "bedrock",
  "cohere",
  "gemini",
  "google",
  "vertex",
]);

/** Presets by id (chapter 20 of the specification). */
export const PRESETS: ReadonlyMap<string, Preset> = new Map([
  ["lm-studio", chat("http://localhost:1234/v1/chat/completions")],
  ["ollama", chat("http://localhost:11434/v1/chat/completions")],
  ["llama-cpp", chat("http://localhost:8080/v1/chat/completions")],
  ["vllm", chat("http://localhost:8000/v1/chat/completions")],
  ["openrouter", chat("https://openrouter.ai/api/v1/chat/completions", "OPENROUTER_API_KEY")],
  [
    "openai",
    {
      endpoint: "https://api.openai.com/v1/responses",
      api: "responses",
      usualKeyEnv: "OPENAI_API_KEY",
    },
  ],
  ["groq", chat("https://api.groq.com/openai/v1/chat/completions", "GROQ_API_KEY")],
  [
    "deepinfra",
    chat("https://api.deepinfra.com/v1/openai/chat/completions", "DEEPINFRA_API_KEY"),
  ],
  [
    "zai",
    {
      ...chat("https://api.z.ai/api/paas/v4/chat/completions", "ZAI_API_KEY"),
      modelsEndpoint: "https://api.z.ai/api/v1/models",
    },
  ],
  ["zai-coding", chat("https://api.z.ai/api/coding/paas/v4/chat/completions", "ZAI_API_KEY")],
  ["demo", chat(DEMO_ENDPOINT)],
]);
