import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_ROW_UNITS, outputRows } from "../../sessions/output_rows.ts";

Deno.test("outputRows() gives lines, long ones in pieces, never through a pair (B55)", () => {
  assert.deepEqual(outputRows(""), []);
  assert.deepEqual(outputRows("a\n\nb\n"), ["a", "", "b"]);
  const long = `${"x".repeat(MAX_ROW_UNITS - 1)}😀tail`;
  assert.deepEqual(outputRows(long), ["x".repeat(MAX_ROW_UNITS - 1), "😀tail"]);
});

Deno.test("outputRows() loses nothing of any text", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom("x", "😀", "é", "\n"), fc.integer({ min: 1, max: 4500 })), {
        maxLength: 6,
      }),
      (parts) => {
        const text = parts.map(([unit, count]) => unit.repeat(count)).join("");
        const rows = outputRows(text);
        assert.equal(rows.join(""), text.replaceAll("\n", ""));
        assert.ok(rows.every((row) => row.length <= MAX_ROW_UNITS && row.isWellFormed()));
      },
    ),
    { numRuns: 50 },
  );
});
