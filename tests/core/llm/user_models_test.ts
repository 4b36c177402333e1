import assert from "node:assert/strict";
import { joinPath } from "../../../core/base/paths.ts";
import { knownFacts } from "../../../core/llm/known_facts.ts";
import { readUserModels, userFacts } from "../../../core/llm/user_models.ts";
import { tempFolder } from "../../support/spawned_rho.ts";

async function withHome(text: string | undefined, run: (home: string) => Promise<void>) {
  const home = await tempFolder("models");
  try {
    if (text !== undefined) await Deno.writeTextFile(joinPath(home, "models.jsonc"), text);
    await run(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("readUserModels() takes no file for no facts", () =>
  withHome(undefined, async (home) => {
    const { models, problems } = await readUserModels(home);
    assert.deepEqual([[...models], problems], [[], []]);
  }));

Deno.test("readUserModels() tells what is wrong and keeps the rest", async () => {
  const table: readonly (readonly [string, RegExp | undefined])[] = [
    ['{ "m": { "contextWindow": 5 } } // fine', undefined],
    ["{ nonsense", /Cannot use ".*models\.jsonc": .*position/],
    ["[]", /must hold one object/],
    ['{ "m": { "contextWindow": 5, "odd": 1 } }', /In ".*models\.jsonc": "m\.odd" is unknown/],
  ];
  for (const [text, problem] of table) {
    await withHome(text, async (home) => {
      const { models, problems } = await readUserModels(home);
      if (problem === undefined) assert.deepEqual(problems, []);
      else assert.match(problems[0] ?? "", problem);
      if (text.includes('"m"')) assert.deepEqual(models.get("m"), { contextWindow: 5 });
    });
  }
});

Deno.test("userFacts() puts provider:id over the id, field by field", () =>
  withHome(
    `{ "m": { "contextWindow": 5, "maxOutputTokens": 2 }, "p:m": { "contextWindow": 7 } }`,
    async (home) => {
      const read = await readUserModels(home);
      assert.deepEqual(userFacts(read, { provider: "p", model: "m" }), {
        contextWindow: 7,
        maxOutputTokens: 2,
      });
      assert.deepEqual(userFacts(read, { provider: "q", model: "m" }).contextWindow, 5);
      assert.deepEqual(userFacts(read, { provider: "q", model: "x" }), {});
    },
  ));

Deno.test("knownFacts() puts the user's facts over the catalog's", () =>
  withHome('{ "gpt-4o": { "maxOutputTokens": 9 } }', async (home) => {
    const provider = {
      name: "openai",
      endpoint: "https://api.openai.com/v1/responses",
      api: "responses",
    } as const;
    const facts = await knownFacts(provider, "gpt-4o", { home });
    assert.deepEqual([facts.contextWindow, facts.maxOutputTokens], [128000, 9]);
    assert.equal(facts.isWindowTold, false);
    const none = await knownFacts(
      { ...provider, endpoint: "http://127.0.0.1:1/v1/responses" },
      "gpt-4o",
      { home: undefined },
    );
    assert.deepEqual(none, { isWindowTold: false, problems: [] });
  }));
