import assert from "node:assert/strict";
import fc from "fast-check";
import { bytePattern, findBytes } from "../../../sessions/files/find_bytes.ts";

Deno.test("findBytes() finds what indexOf() finds", () => {
  const text = fc.array(fc.constantFrom("a", "b", "ab"), { maxLength: 40 }).map((parts) =>
    parts.join("")
  );
  fc.assert(
    fc.property(text, text, fc.nat(50), (haystack, needle, from) => {
      fc.pre(needle !== "");
      const bytes = new TextEncoder().encode(haystack);
      assert.equal(
        findBytes(bytes, bytePattern(needle), { from }),
        from > haystack.length ? -1 : haystack.indexOf(needle, from),
      );
    }),
  );
});
