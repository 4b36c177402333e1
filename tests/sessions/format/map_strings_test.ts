import assert from "node:assert/strict";
import { mapStrings } from "../../../sessions/format/map_strings.ts";

const upper = (text: string) => text.toUpperCase();

Deno.test("mapStrings() maps values and keys at any depth and shares what stays", () => {
  const same = { A: 1 };
  const value = { a: ["x", { b: "y" }], SAME: same, n: 1, t: true, z: null };
  const mapped = mapStrings(value, upper) as Record<string, unknown>;
  assert.deepEqual(mapped, { A: ["X", { B: "Y" }], SAME: { A: 1 }, N: 1, T: true, Z: null });
  assert.equal(mapped.SAME, same);
  assert.equal(mapStrings(same, upper), same);
});

Deno.test("mapStrings() leaves skipped fields whole", () => {
  const skip = new Set(["KEEP"]);
  assert.deepEqual(mapStrings({ KEEP: { a: "b" }, x: "y" }, upper, { skip }), {
    KEEP: { a: "b" },
    X: "Y",
  });
});

Deno.test("mapStrings() keeps a key named __proto__ an ordinary key (B44)", () => {
  const mapped = mapStrings(JSON.parse('{"__proto__":"x"}'), upper);
  assert.equal(JSON.stringify(mapped), '{"__PROTO__":"X"}');
  const kept = mapStrings(JSON.parse('{"__proto__":"x"}'), (text) => text === "x" ? "y" : text);
  assert.equal(JSON.stringify(kept), '{"__proto__":"y"}');
});

Deno.test("mapStrings() cuts data that is too deep for a stack", () => {
  const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  assert.ok(JSON.stringify(mapStrings(deep, upper)).length <= 200_000);
});
