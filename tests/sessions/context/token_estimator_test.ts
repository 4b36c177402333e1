import assert from "node:assert/strict";
import fc from "fast-check";
import USAGES from "../../fixtures/context/usages.json" with { type: "json" };
import type { LlmMessage } from "../../../core/llm/types.ts";
import { weighMessage } from "../../../sessions/context/message_weight.ts";
import { textWeight, weighText } from "../../../sessions/context/text_weight.ts";
import { TokenEstimator } from "../../../sessions/context/token_estimator.ts";

/** Vocabularies from before 2023, which no model in use has: other alphabets cost them far more. */
const OLD_VOCABULARIES = ["p50k_base", "r50k_base"];

for (const { model, vocabulary, conversation, tokens } of USAGES.usages) {
  const limit = OLD_VOCABULARIES.includes(vocabulary) && conversation === "prose" ? 20 : 10;
  Deno.test(`TokenEstimator is within ${limit} % by the third response: ${model} (${vocabulary}), ${conversation}`, () => {
    const requests = USAGES.conversations[conversation as "code"] as unknown as LlmMessage[][];
    const estimator = new TokenEstimator(model);
    let weight = 0;
    requests.forEach((added, index) => {
      for (const message of added) weight += weighMessage(message);
      const reported = tokens[index] ?? NaN;
      const error = Math.abs(estimator.tokensOf(weight) / reported - 1);
      const most = index < 2 ? 0.35 : limit / 100;
      assert.ok(error <= most, `request ${index + 1} is ${(error * 100).toFixed(1)} % off`);
      estimator.observe(weight, reported, model);
    });
  });
}

Deno.test("TokenEstimator B73 estimates without a single report, each family by its own ratio", () => {
  const text = "export function add(a: number, b: number): number { return a + b; }\n".repeat(20);
  const estimates = ["gpt-5", "claude-sonnet-4", "mistral-small", "no-such-model"].map((model) =>
    new TokenEstimator(model).estimate(text)
  );
  assert.equal(new Set(estimates).size, 4);
  for (const tokens of estimates) assert.ok(tokens > text.length / 8 && tokens < text.length / 2);
});

Deno.test("TokenEstimator rescales cached weights instead of computing them anew", () => {
  const estimator = new TokenEstimator("qwen3");
  const weight = textWeight("some words to weigh ".repeat(20));
  const before = estimator.tokensOf(weight);
  estimator.observe(1000, 540);
  assert.ok(Math.abs(estimator.tokensOf(weight) - 2 * before) <= 2);
  assert.ok(Math.abs(estimator.weightOf(estimator.tokensOf(weight)) - weight) < 4);
});

Deno.test("TokenEstimator counts the first report in full and later ones by three tenths", () => {
  const estimator = new TokenEstimator("gpt-5");
  estimator.observe(1000, 300);
  assert.ok(Math.abs(estimator.ratio - 0.3) < 1e-9);
  estimator.observe(1000, 250);
  assert.ok(estimator.ratio < 0.29 && estimator.ratio > 0.26);
});

Deno.test("TokenEstimator ignores reports that count no whole request", () => {
  const estimator = new TokenEstimator("qwen3");
  const { ratio } = estimator;
  for (const [weight, tokens] of [[1000, 0], [1000, 20], [0, 20], [10, 900], [NaN, 3], [9, NaN]]) {
    estimator.observe(weight ?? 0, tokens ?? 0);
  }
  assert.equal(estimator.ratio, ratio);
});

Deno.test("TokenEstimator keeps what it learned of each model", () => {
  const estimator = new TokenEstimator("qwen3");
  estimator.observe(1000, 400);
  const { ratio } = estimator;
  estimator.useModel("claude-sonnet-4");
  assert.equal(estimator.ratio, 0.29);
  estimator.observe(1000, 300, "qwen3");
  assert.equal(estimator.ratio, 0.29);
  estimator.useModel("qwen3");
  assert.notEqual(estimator.ratio, 0.27);
  assert.ok(estimator.ratio < ratio);
});

Deno.test("weighText() B55 weighs any text, lone surrogates included, and grows with it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (a, b) => {
      const weight = weighText(a + b);
      assert.ok(Number.isFinite(weight) && weight >= 0);
      assert.ok(weight >= weighText(a) - 1e-9);
      assert.equal(textWeight(a + b), weight);
    }),
  );
  assert.ok(weighText("错误错误") > weighText("abcd") * 2);
});
