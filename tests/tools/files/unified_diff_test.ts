import { equal, match, ok } from "node:assert/strict";
import { unifiedDiff } from "../../../tools/files/unified_diff.ts";

Deno.test("unifiedDiff() shows a change with its context and a missing final newline", async () => {
  equal(
    await unifiedDiff("src/a.ts", { before: "a\nb\n", after: "a\nc" }),
    "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n",
  );
});

Deno.test("unifiedDiff() hides carriage returns that all lines have, and shows those that differ", async () => {
  const uniform = await unifiedDiff("a", { before: "a\r\nb\r\n", after: "a\r\nc\r\n" });
  ok(!uniform.includes("\r"));
  const mixed = await unifiedDiff("a", { before: "a\r\nb\n", after: "a\nb\n" });
  match(mixed, /-a\r\n\+a\n/);
});

Deno.test("unifiedDiff() gives up in time on big texts that have nothing in common", async () => {
  const lines = (step: number) =>
    Array.from({ length: 20_000 }, (_, index) => `${index * step}\n`).join("");
  const start = performance.now();
  match(await unifiedDiff("a", { before: lines(3), after: lines(7) }), /too big or too different/);
  ok(performance.now() - start < 2000);
  const huge = "x".repeat(5_000_000);
  match(await unifiedDiff("a", { before: huge, after: `${huge}y` }), /too big or too different/);
});
