import assert from "node:assert/strict";
import { StartupError } from "../../../core/base/errors.ts";
import {
  chooseModel,
  ConsentError,
  type ModelQuestion,
} from "../../../core/config/model_choice.ts";
import { resolveProviders } from "../../../core/config/provider_registry.ts";
import type { ProviderEntry } from "../../../core/config/provider_schema.ts";
import { settingsFrom } from "../../../core/config/settings_from_config.ts";

const LM: ProviderEntry = { preset: "lm-studio" };
const OLLAMA: ProviderEntry = { preset: "ollama", default_model: "qwen3:8b" };
const ROUTER: ProviderEntry = { preset: "openrouter", default_model: "a/b:free" };
const GROQ: ProviderEntry = { preset: "groq", default_model: "llama" };
const CODING: ProviderEntry = { preset: "zai-coding", default_model: "glm" };
const HOST: ProviderEntry = { endpoint: "http://localhost:9000/v1", default_model: "h" };

/** Flags, configuration and environment, short. */
interface Given {
  readonly model?: string;
  readonly endpoint?: string;
  readonly apiKeyEnv?: string;
  readonly accept?: boolean;
  readonly agentModel?: string;
  readonly agentProvider?: string;
  readonly providers?: readonly ProviderEntry[];
  readonly consent?: readonly string[];
  readonly rhoModel?: string;
}

function question(given: Given): ModelQuestion {
  const agent = {
    ...(given.agentModel === undefined ? {} : { model: given.agentModel }),
    ...(given.agentProvider === undefined ? {} : { provider: given.agentProvider }),
  };
  const { providers } = resolveProviders(given.providers ?? [], "/c.toml");
  return {
    ...(given.model === undefined ? {} : { model: given.model }),
    ...(given.endpoint === undefined ? {} : { endpoint: given.endpoint }),
    ...(given.apiKeyEnv === undefined ? {} : { apiKeyEnv: given.apiKeyEnv }),
    acceptExternal: given.accept ?? false,
    env: (name) => name === "RHO_MODEL" ? given.rhoModel : undefined,
    settings: settingsFrom(
      { agent, consent: { providers: [...given.consent ?? []] } },
      providers,
    ),
  };
}

const LOCAL = "http://127.0.0.1:9/v1/chat/completions";
const AWAY = "https://llm.example/v1/chat/completions";

/** `provider model`, or the code of the error. */
const ROWS: readonly (readonly [given: Given, chosen: string])[] = [
  // The six steps.
  [{ model: "m", agentModel: "a", providers: [OLLAMA], rhoModel: "r" }, "ollama m"],
  [{ agentModel: "a", providers: [OLLAMA], rhoModel: "r" }, "ollama a"],
  [{ agentProvider: "ollama", providers: [HOST, OLLAMA], rhoModel: "r" }, "ollama qwen3:8b"],
  [{ providers: [OLLAMA, HOST], rhoModel: "r" }, "ollama qwen3:8b"],
  [{ agentProvider: "lm-studio", providers: [HOST, LM] }, "lm-studio h"],
  [{ providers: [LM, OLLAMA], rhoModel: "r" }, "lm-studio r"],
  [{ rhoModel: "r" }, "lm-studio r"],
  [{ rhoModel: " ", accept: true }, "openrouter anthropic/claude-sonnet-4"],
  [{ accept: true }, "openrouter anthropic/claude-sonnet-4"],
  [{ providers: [LM], accept: true }, "openrouter anthropic/claude-sonnet-4"],
  [{ providers: [LM] }, "consent_missing openrouter"],
  [{}, "consent_missing openrouter"],
  [{ consent: ["openrouter"] }, "openrouter anthropic/claude-sonnet-4"],
  // provider:id, in every step; ids may hold ":" and "/".
  [{ model: "ollama:llama3:8b", providers: [LM, OLLAMA] }, "ollama llama3:8b"],
  [{ model: "openrouter:a/b:free", providers: [LM, ROUTER], accept: true }, "openrouter a/b:free"],
  [{ agentModel: "ollama:x", providers: [LM, OLLAMA] }, "ollama x"],
  [{ rhoModel: "ollama:x", providers: [LM, { preset: "ollama" }] }, "ollama x"],
  [{ providers: [{ ...LM, default_model: "ollama:x" }, OLLAMA] }, "ollama x"],
  [{ model: "localhost:9000:x:y", providers: [LM, HOST] }, "localhost:9000 x:y"],
  [{ model: "nobody:x", providers: [LM, OLLAMA] }, "lm-studio nobody:x"],
  [{ model: "ollama:", providers: [LM, OLLAMA] }, "lm-studio ollama:"],
  [{ model: "openrouter:x" }, "lm-studio openrouter:x"],
  [{ model: "lm-studio:x" }, "lm-studio x"],
  [{ model: "zai:glm-4", providers: [CODING], accept: true }, "zai-coding glm-4"],
  // A bare id.
  [{ model: "m", agentProvider: "ollama", providers: [LM, OLLAMA] }, "ollama m"],
  [{ model: "qwen3:8b", providers: [LM, OLLAMA] }, "ollama qwen3:8b"],
  [
    { model: "qwen3:8b", agentProvider: "lm-studio", providers: [LM, OLLAMA] },
    "lm-studio qwen3:8b",
  ],
  [{ model: "m", providers: [HOST, OLLAMA] }, "localhost:9000 m"],
  [{ model: "m" }, "lm-studio m"],
  [{ agentProvider: "zai", providers: [LM, CODING], accept: true }, "zai-coding glm"],
  [{ agentProvider: "lm-studio", model: "m" }, "lm-studio m"],
  // --endpoint comes first, whatever the configuration prefers.
  [{ endpoint: LOCAL, model: "m" }, "127.0.0.1:9 m"],
  [{ endpoint: LOCAL, model: "m", agentProvider: "groq", providers: [GROQ] }, "127.0.0.1:9 m"],
  [{ endpoint: LOCAL, agentModel: "a", providers: [ROUTER] }, "127.0.0.1:9 a"],
  [{ endpoint: LOCAL, rhoModel: "r", providers: [GROQ] }, "127.0.0.1:9 r"],
  [{ endpoint: AWAY, model: "m" }, "llm.example m"],
  [{ endpoint: LOCAL }, "startup"],
  [{ endpoint: LOCAL, providers: [OLLAMA] }, "startup"],
  [{ endpoint: LOCAL, model: "ollama:x", providers: [OLLAMA] }, "ollama x"],
  // --endpoint does not agree to being sent elsewhere.
  [{ endpoint: LOCAL, agentModel: "groq:x", providers: [GROQ] }, "consent_missing groq"],
  [{ endpoint: LOCAL, agentModel: "groq:x", providers: [GROQ], accept: true }, "groq x"],
  // Consent for whatever is configured.
  [{ model: "lm-studio:m", providers: [LM, GROQ] }, "consent_missing groq"],
  [{ model: "m", providers: [ROUTER, GROQ] }, "consent_missing openrouter,groq"],
  [{ model: "m", providers: [ROUTER, GROQ], consent: ["openrouter"] }, "consent_missing groq"],
  [{ model: "m", providers: [ROUTER, GROQ], consent: ["groq", "openrouter"] }, "openrouter m"],
  [{ model: "m", providers: [ROUTER, GROQ], accept: true }, "openrouter m"],
  // What cannot be.
  [{ model: "m", agentProvider: "nobody", providers: [LM] }, "startup"],
  [{ model: "ollama:m", agentProvider: "nobody", providers: [OLLAMA] }, "ollama m"],
  [{ agentProvider: "groq", providers: [{ preset: "groq" }], accept: true }, "startup"],
  [
    { agentProvider: "openrouter", providers: [{ preset: "openrouter" }], accept: true },
    "openrouter anthropic/claude-sonnet-4",
  ],
];

function choose(given: Given): string {
  try {
    const { provider, model } = chooseModel(question(given));
    return `${provider.name} ${model}`;
  } catch (error) {
    if (error instanceof ConsentError) {
      const { providers } = error.data as { providers: { name: string }[] };
      return `${error.code} ${providers.map(({ name }) => name).join()}`;
    }
    assert.ok(error instanceof StartupError, String(error));
    return error.code;
  }
}

for (const [given, chosen] of ROWS) {
  Deno.test(`chooseModel() of ${JSON.stringify(given)} is ${chosen}`, () => {
    assert.equal(choose(given), chosen);
  });
}

function messageOf(given: Given): string {
  try {
    chooseModel(question(given));
  } catch (error) {
    assert.ok(error instanceof Error);
    return error.message;
  }
  assert.fail("chosen");
}

const SENT = "your prompts, the files that rho reads and the output of commands would be sent to ";
const ADD = "No local provider is configured; to add one, write [[providers]] and below it " +
  'preset = "lm-studio" (or "ollama", "llama-cpp", "vllm") in your config.toml. ';

Deno.test("chooseModel() asks for consent with all that is external, and what is sent", () => {
  assert.equal(
    messageOf({ model: "m", providers: [ROUTER, GROQ] }),
    `Providers "openrouter" and "groq" are external: ${SENT}openrouter.ai ("openrouter") and ` +
      `api.groq.com ("groq"). ${ADD}Start with --accept-external-provider to agree, write ` +
      'providers = ["openrouter", "groq"] under [consent] in your own config.toml to agree for ' +
      "good, or use a local server with --endpoint and --model",
  );
  assert.equal(
    messageOf({ model: "m", providers: [GROQ, LM] }),
    `Provider "groq" is external: ${SENT}api.groq.com. Start with --accept-external-provider to ` +
      'agree, write providers = ["groq"] under [consent] in your own config.toml to agree for ' +
      "good, or use a local server with --endpoint and --model",
  );
  assert.match(
    messageOf({}),
    /openrouter\.ai\. Nobody names a model, so it would be "anthropic\/claude-sonnet-4"\. No local /,
  );
});

const ERRORS: readonly (readonly [given: Given, message: string])[] = [
  [
    { model: "m", agentProvider: "olama", providers: [LM, OLLAMA] },
    'Cannot find the provider "olama" of agent.provider: did you mean "ollama"?',
  ],
  [
    { model: "m", agentProvider: "groq" },
    'Cannot find the provider "groq" of agent.provider: write [[providers]] and below it ' +
    'preset = "groq" in your config.toml',
  ],
  [
    { model: "m", agentProvider: "xyz", providers: [LM, OLLAMA] },
    'Cannot find the provider "xyz" of agent.provider: there is only "lm-studio" and "ollama"',
  ],
  [
    { endpoint: LOCAL },
    'Cannot choose a model for "127.0.0.1:9": pass --model <id> or set RHO_MODEL, agent.model or ' +
    "the provider's default_model",
  ],
];

for (const [given, message] of ERRORS) {
  Deno.test(`chooseModel() explains ${JSON.stringify(given)}`, () => {
    assert.equal(messageOf(given), message);
  });
}

Deno.test("chooseModel() names a key variable only for the OpenRouter of step 6", () => {
  const key = (given: Given) => chooseModel(question(given)).provider.apiKeyEnv;
  assert.equal(key({ accept: true }), "OPENROUTER_API_KEY");
  assert.equal(key({ model: "m", providers: [ROUTER], accept: true }), undefined);
  assert.equal(key({ model: "m", providers: [OLLAMA], apiKeyEnv: "K" }), "K");
  assert.equal(key({ model: "m", endpoint: LOCAL, apiKeyEnv: "K" }), "K");
  assert.equal(key({ apiKeyEnv: "K", accept: true }), "K");
});

Deno.test("chooseModel() gives all providers to switch to, with the key where it belongs", () => {
  const choice = chooseModel(question({
    model: "m",
    endpoint: LOCAL,
    apiKeyEnv: "K",
    providers: [OLLAMA, LM],
  }));
  assert.deepEqual(choice.providers.map(({ name }) => name), [
    "127.0.0.1:9",
    "ollama",
    "lm-studio",
  ]);
  assert.deepEqual(choice.providers.map(({ apiKeyEnv }) => apiKeyEnv), ["K", undefined, undefined]);
  assert.equal(choice.preferred, choice.providers[0]);
  const other = chooseModel(question({
    model: "lm-studio:m",
    agentProvider: "ollama",
    providers: [LM, OLLAMA],
  }));
  assert.equal(other.preferred?.name, "ollama");
  assert.equal(chooseModel(question({ model: "m" })).preferred, undefined);
});

Deno.test("chooseModel() works without settings", () => {
  const choice = chooseModel({ model: "m", acceptExternal: false, env: () => undefined });
  assert.equal(choice.provider.name, "lm-studio");
});
