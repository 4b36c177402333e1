import assert from "node:assert/strict";
import { PRESETS } from "../../../core/config/presets.ts";
import { endpointHost } from "../../../core/config/provider.ts";
import { builtInCatalog, catalogFacts } from "../../../core/llm/catalog.ts";
import { readModelFacts } from "../../../core/llm/model_facts.ts";
import { refreshedCatalog } from "../../support/write_catalog.ts";

const OPENAI = "https://api.openai.com/v1/responses";

Deno.test("the catalog is dated, names its sources, and every fact of it can be used", () => {
  const { checked, providers } = builtInCatalog();
  assert.match(checked, /^\d{4}-\d{2}-\d{2}$/);
  const hosts = new Set([...PRESETS.values()].map(({ endpoint }) => endpointHost(endpoint)));
  for (const { host, source, models } of providers) {
    assert.ok(hosts.has(host), host);
    assert.match(source, /^https:/);
    for (const [id, facts] of Object.entries(models)) {
      assert.deepEqual(readModelFacts(facts, id), { facts, problems: [] });
      assert.ok((facts.contextWindow ?? 0) >= 8192, id);
    }
  }
});

Deno.test("catalogFacts() knows a model at its own host only, snapshots included", () => {
  const facts = catalogFacts(OPENAI, "gpt-4o");
  assert.equal(facts?.contextWindow, 128000);
  assert.deepEqual(catalogFacts(OPENAI, "gpt-4o-2024-08-06"), facts);
  for (
    const [endpoint, model] of [
      ["http://localhost:1234/v1/chat/completions", "gpt-4o"],
      ["https://api.groq.com/openai/v1/chat/completions", "gpt-4o"],
      [OPENAI, "gpt-4o-audio"],
      [OPENAI, "toString"],
      [OPENAI, ""],
    ] as const
  ) assert.equal(catalogFacts(endpoint, model), undefined, `${endpoint} ${model}`);
});

Deno.test("deno task catalog changes numbers, adds nothing and guesses nothing", () => {
  const catalog = {
    checked: "2026-01-01",
    providers: [
      {
        host: "api.openai.com",
        source: "https://x",
        models: { a: { contextWindow: 1 }, b: { contextWindow: 2 } },
      },
      { host: "openrouter.ai", source: "https://y", models: { "o/a": { contextWindow: 3 } } },
    ],
  };
  const listed = {
    "a": {
      max_input_tokens: 10,
      max_output_tokens: 5,
      input_cost_per_token: 1.25e-6,
      output_cost_per_token: 1e-5,
      cache_read_input_token_cost: 1.25e-7,
      input_cost_per_token_above_272k_tokens: 2e-6,
    },
    "c": { max_input_tokens: 99 },
    "openrouter/o/a": { max_input_tokens: 30, input_cost_per_token: 1, output_cost_per_token: 1 },
  };
  const price = { input: 1.25, output: 10, cached: 0.125, upToInputTokens: 272000 };
  assert.deepEqual(refreshedCatalog(catalog, listed, "2026-02-02"), {
    checked: "2026-02-02",
    providers: [
      {
        host: "api.openai.com",
        source: "https://x",
        models: {
          a: { contextWindow: 10, maxOutputTokens: 5, price },
          b: { contextWindow: 2 },
        },
      },
      { host: "openrouter.ai", source: "https://y", models: { "o/a": { contextWindow: 30 } } },
    ],
  });
});

Deno.test("deno task catalog says so when there is no network, and changes nothing", async () => {
  const script = new URL("../../support/write_catalog.ts", import.meta.url).pathname;
  const file = new URL("../../../core/llm/catalog.jsonc", import.meta.url);
  const before = await Deno.readTextFile(file);
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", script, "http://127.0.0.1:1/"],
  }).output();
  assert.equal(code, 1);
  assert.match(
    new TextDecoder().decode(stderr),
    /^Cannot refresh the catalog, which needs the net/,
  );
  assert.equal(await Deno.readTextFile(file), before);
});
