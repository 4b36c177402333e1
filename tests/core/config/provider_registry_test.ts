import assert from "node:assert/strict";
import { PRESETS } from "../../../core/config/presets.ts";
import { modelsUrl, type Provider } from "../../../core/config/provider.ts";
import { mergeProviders, resolveProviders } from "../../../core/config/provider_registry.ts";
import type { ProviderEntry } from "../../../core/config/provider_schema.ts";

const FILE = "/c.toml";
const ZAI = "https://api.z.ai/api/paas/v4/chat/completions";
const CHAT = { api: "chat_completions" } as const;

function resolve(...entries: ProviderEntry[]) {
  return resolveProviders(entries, FILE);
}

const TABLE: readonly (readonly [title: string, entry: ProviderEntry, provider: Provider])[] = [
  ["fills a preset in", { preset: "ollama" }, {
    name: "ollama",
    endpoint: "http://localhost:11434/v1/chat/completions",
    ...CHAT,
  }],
  ["takes the preset's protocol", { preset: "openai", api_key_env: "K" }, {
    name: "openai",
    endpoint: "https://api.openai.com/v1/responses",
    api: "responses",
    apiKeyEnv: "K",
  }],
  ["prefers an explicit name", { preset: "ollama", name: "mine" }, {
    name: "mine",
    endpoint: "http://localhost:11434/v1/chat/completions",
    ...CHAT,
  }],
  ["prefers an explicit endpoint and keeps the preset's protocol", {
    preset: "openai",
    endpoint: "http://h/v1/responses",
  }, { name: "openai", endpoint: "http://h/v1/responses", api: "responses" }],
  ["prefers an explicit protocol", { preset: "openai", ...CHAT }, {
    name: "openai",
    endpoint: "https://api.openai.com/v1/responses",
    ...CHAT,
  }],
  ["takes the preset's model list", { preset: "zai" }, {
    name: "zai",
    endpoint: ZAI,
    ...CHAT,
    modelsEndpoint: "https://api.z.ai/api/v1/models",
  }],
  ["takes it for an explicit endpoint that is the preset's own", { preset: "zai", endpoint: ZAI }, {
    name: "zai",
    endpoint: ZAI,
    ...CHAT,
    modelsEndpoint: "https://api.z.ai/api/v1/models",
  }],
  ["drops it for another endpoint", {
    preset: "zai",
    endpoint: "https://api.z.ai/api/coding/paas/v4/chat/completions",
  }, {
    name: "zai",
    endpoint: "https://api.z.ai/api/coding/paas/v4/chat/completions",
    ...CHAT,
  }],
  ["prefers an explicit model list", { preset: "zai", models_endpoint: "http://h/m" }, {
    name: "zai",
    endpoint: ZAI,
    ...CHAT,
    modelsEndpoint: "http://h/m",
  }],
  ["assumes Chat Completions without a preset", { endpoint: "http://h:1/v1", name: "x" }, {
    name: "x",
    endpoint: "http://h:1/v1",
    ...CHAT,
  }],
  ["names by type", { endpoint: "http://h:1/v1", type: "litellm" }, {
    name: "litellm",
    endpoint: "http://h:1/v1",
    ...CHAT,
  }],
  ["names by host", { endpoint: "http://h:1/v1" }, {
    name: "h:1",
    endpoint: "http://h:1/v1",
    ...CHAT,
  }],
  ["counts an unknown preset as none", { preset: "grok", endpoint: "http://h/v1" }, {
    name: "h",
    endpoint: "http://h/v1",
    ...CHAT,
  }],
  ["keeps model and headers", {
    preset: "vllm",
    default_model: "m",
    headers: { a: "$B" },
  }, {
    name: "vllm",
    endpoint: "http://localhost:8000/v1/chat/completions",
    ...CHAT,
    defaultModel: "m",
    headers: { a: "$B" },
  }],
];

for (const [title, entry, provider] of TABLE) {
  Deno.test(`resolveProviders() ${title}`, () => {
    assert.deepEqual(resolve(entry).providers, [provider]);
  });
}

Deno.test("resolveProviders() never fills in a key variable, and hints at it", () => {
  for (const [preset, { usualKeyEnv }] of PRESETS) {
    const { providers, notices } = resolve({ preset });
    assert.equal(providers[0]?.apiKeyEnv, undefined);
    assert.deepEqual(
      notices,
      usualKeyEnv === undefined ? [] : [{
        code: "key_variable_hint",
        level: "info",
        message: `Provider "${preset}" in "/c.toml" names no key variable; ` +
          `add api_key_env = "${usualKeyEnv}"`,
      }],
    );
    assert.deepEqual(resolve({ preset, api_key_env: "X" }).notices, []);
  }
});

const WARNINGS: readonly (readonly [entry: ProviderEntry, message: string])[] = [
  [
    { preset: "openroutr", endpoint: "http://h/v1" },
    'Provider "h" in "/c.toml" has the unknown preset "openroutr"; did you mean "openrouter"?',
  ],
  [
    { preset: "xyz", endpoint: "http://h/v1" },
    'Provider "h" in "/c.toml" has the unknown preset "xyz"; known are ' +
    [...PRESETS.keys()].join(", "),
  ],
  [
    { type: "Anthropic", endpoint: "http://h/v1" },
    'Provider "Anthropic" in "/c.toml" has the type "Anthropic", whose own protocol rho does not ' +
    "speak; its endpoint must be compatible with OpenAI's",
  ],
  [
    { name: "n" },
    'Provider "n" in "/c.toml" has no endpoint and is left out; set endpoint or a known preset',
  ],
];

for (const [entry, message] of WARNINGS) {
  Deno.test(`resolveProviders() warns about ${JSON.stringify(entry)}`, () => {
    assert.deepEqual(resolve(entry).notices, [{ code: "config_provider", level: "warn", message }]);
  });
}

Deno.test("resolveProviders() finds free names for entries without one, then counts", () => {
  const entry = { type: "t", endpoint: "http://h/v1" };
  const { providers, problems } = resolve(entry, entry, entry);
  assert.deepEqual(providers.map(({ name }) => name), ["t", "h", "provider-3"]);
  assert.deepEqual(problems, []);
});

Deno.test("resolveProviders() refuses two entries of one name", () => {
  assert.deepEqual(resolve({ preset: "ollama" }, { preset: "ollama" }).problems, [
    'providers[1] is the second one called "ollama"; give it another name',
  ]);
});

Deno.test("mergeProviders() replaces whole providers in their place and appends new ones", () => {
  const user = resolve({ preset: "ollama", default_model: "u" }, { preset: "vllm" }).providers;
  const project = resolve({ preset: "zai-coding" }, { preset: "ollama" }).providers;
  const merged = mergeProviders(user, project);
  assert.deepEqual(merged.map(({ name }) => name), ["ollama", "vllm", "zai-coding"]);
  assert.equal(merged[0]?.defaultModel, undefined);
});

Deno.test("modelsUrl() derives the list from the endpoint", () => {
  const at = (endpoint: string) => modelsUrl({ name: "x", endpoint, ...CHAT });
  assert.equal(at("http://h/v1/chat/completions"), "http://h/v1/models");
  assert.equal(at("https://api.openai.com/v1/responses"), "https://api.openai.com/v1/models");
  assert.equal(at("http://h/v1"), undefined);
  const own = { name: "x", endpoint: "http://h/v1", modelsEndpoint: "http://h/m", ...CHAT };
  assert.equal(modelsUrl(own), "http://h/m");
});
