import assert from "node:assert/strict";
import { responseCost } from "../../../core/llm/response_cost.ts";

const USAGE = { inputTokens: 1000, outputTokens: 100, cachedTokens: 400, reasoningTokens: 50 };
const PRICE = { input: 2, output: 10, cached: 0.5 };

Deno.test("responseCost() prefers the server's own number, and never guesses", () => {
  const table: readonly (readonly [string, ReturnType<typeof responseCost>, number, boolean])[] = [
    ["the server's", responseCost({ ...USAGE, cost: 0.5 }, PRICE), 0.5, true],
    ["a free one", responseCost({ ...USAGE, cost: 0 }, PRICE), 0, true],
    ["by price", responseCost(USAGE, PRICE), (600 * 2 + 400 * 0.5 + 100 * 10) / 1e6, true],
    ["no usage", responseCost(undefined, PRICE), 0, false],
    ["no price", responseCost(USAGE), 0, false],
    [
      "no price of cached tokens",
      responseCost(USAGE, { input: 2, output: 10 }),
      (600 * 2 + 100 * 10) / 1e6,
      false,
    ],
    [
      "nothing cached",
      responseCost({ ...USAGE, cachedTokens: 0 }, { input: 2, output: 10 }),
      (1000 * 2 + 100 * 10) / 1e6,
      true,
    ],
    [
      "beyond the tier",
      responseCost(USAGE, { ...PRICE, upToInputTokens: 999 }),
      (600 * 2 + 400 * 0.5 + 100 * 10) / 1e6,
      false,
    ],
    [
      "more cached than sent",
      responseCost({ ...USAGE, cachedTokens: 5000 }, PRICE),
      (1000 * 0.5 + 100 * 10) / 1e6,
      true,
    ],
  ];
  for (const [name, { cost, isComplete }, expected, complete] of table) {
    assert.ok(Math.abs(cost - expected) < 1e-12, name);
    assert.equal(isComplete, complete, name);
  }
});
