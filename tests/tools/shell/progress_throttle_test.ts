import assert from "node:assert/strict";
import { ProgressThrottle } from "../../../tools/shell/progress_throttle.ts";

function throttle(options: { maxUnits?: number } = {}) {
  const chunks: string[] = [];
  let nowMs = 0;
  const progress = new ProgressThrottle({
    emit: (chunk) => chunks.push(chunk),
    clock: { monotonicMs: () => nowMs, epochMs: () => 0 },
    ...options,
  });
  return { chunks, progress, pass: (ms: number) => nowMs += ms };
}

Deno.test("ProgressThrottle shows the first chunk at once and the rest at the end", () => {
  const { chunks, progress } = throttle();
  for (const text of ["a\n", "b\n", "c\n"]) progress.push(text);
  assert.deepEqual(chunks, ["a\n"]);
  progress.finish();
  assert.deepEqual(chunks, ["a\n", "b\nc\n"]);
});

Deno.test("ProgressThrottle shows at most ten chunks a second", () => {
  const { chunks, progress, pass } = throttle();
  for (let i = 0; i < 1000; i++) {
    progress.push("x");
    pass(1);
  }
  progress.finish();
  assert.equal(chunks.join("").length, 1000);
  assert(chunks.length <= 11, `${chunks.length}`);
});

Deno.test("ProgressThrottle shows what waits when nothing follows", async () => {
  const chunks: string[] = [];
  const progress = new ProgressThrottle({ emit: (chunk) => chunks.push(chunk), intervalMs: 10 });
  progress.push("a");
  progress.push("b");
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.deepEqual(chunks, ["a", "b"]);
  progress.finish();
  assert.deepEqual(chunks, ["a", "b"]);
});

Deno.test("ProgressThrottle folds redrawn lines within a chunk", () => {
  const { chunks, progress } = throttle();
  progress.push("start\n");
  progress.push("10%\r20%\r30%");
  progress.push("\r\nnext\r");
  progress.push("\nlast\r");
  progress.finish();
  assert.deepEqual(chunks, ["start\n", "\r30%\nnext\nlast"]);
});

Deno.test("ProgressThrottle shows only the end of a flood, in whole characters", () => {
  const { chunks, progress } = throttle({ maxUnits: 5 });
  progress.push("first");
  for (let i = 0; i < 10; i++) progress.push("😀😀😀😀");
  progress.finish();
  assert.deepEqual(chunks, ["first", "[… 76 characters not shown …]\n😀😀"]);
});
