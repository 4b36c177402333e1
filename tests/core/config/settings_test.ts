import assert from "node:assert/strict";
import { completionReserve, DEFAULT_SETTINGS } from "../../../core/config/settings.ts";

const TABLE:
  readonly (readonly [window: number, configured: number | undefined, reserve: number])[] = [
    [8192, undefined, 2048],
    [32_768, undefined, 8192],
    [200_000, undefined, 8192],
    [32_768, 12_000, 12_000],
    [8192, 16_384, 4096],
    [1024, 32_000, 512],
  ];

for (const [tokenBudget, configured, reserve] of TABLE) {
  Deno.test(`B65 completionReserve() of ${configured ?? "nothing"} in ${tokenBudget} leaves room`, () => {
    const agent = {
      ...DEFAULT_SETTINGS.agent,
      tokenBudget,
      ...(configured === undefined ? {} : { completionReserve: configured }),
    };
    assert.equal(completionReserve(agent), reserve);
  });
}
