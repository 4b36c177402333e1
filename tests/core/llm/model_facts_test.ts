import assert from "node:assert/strict";
import { readModelFacts } from "../../../core/llm/model_facts.ts";

Deno.test("readModelFacts() takes what is right", () => {
  const facts = {
    contextWindow: 1000,
    maxOutputTokens: 100,
    price: { input: 0, output: 2.5, cached: 0.1, upToInputTokens: 500 },
  };
  assert.deepEqual(readModelFacts(facts, "m"), { facts, problems: [] });
  assert.deepEqual(readModelFacts({}, "m"), { facts: {}, problems: [] });
});

Deno.test("readModelFacts() leaves out what is wrong, and says so", () => {
  const table: readonly (readonly [unknown, RegExp])[] = [
    [5, /"m" must be an object/],
    [[], /"m" must be an object/],
    [{ contextWindow: "big" }, /"m\.contextWindow" must be a whole number of tokens/],
    [{ maxOutputTokens: 0 }, /"m\.maxOutputTokens" must be a whole number/],
    [{ price: { input: 1 } }, /"m\.price" needs "input" and "output"/],
    [{ price: 3 }, /"m\.price" needs "input" and "output"/],
    [{ price: { input: -1, output: 1 } }, /"m\.price\.input" must be a number from 0/],
    [{ window: 5 }, /"m\.window" is unknown; known are contextWindow/],
    [{ price: { input: 1, output: 1, caching: 1 } }, /"m\.price\.caching" is unknown/],
  ];
  for (const [value, problem] of table) {
    const { facts, problems } = readModelFacts(value, "m");
    assert.match(problems[0] ?? "", problem);
    assert.deepEqual(Object.keys(facts).filter((key) => key !== "price"), []);
  }
});
