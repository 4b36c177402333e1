import assert from "node:assert/strict";
import type { HistoryItem } from "../../../sessions/history.ts";
import { SESSION_SUMMARY } from "../../../tools/session/session_summary.ts";
import { withWorkspace } from "../files/_workspace.ts";

async function summary(items: readonly HistoryItem[], maxOutputBytes = 64 * 1024): Promise<string> {
  let output = "";
  await withWorkspace(
    async ({ context }) => {
      const record = { fullOutput: () => Promise.resolve(undefined), history: () => items };
      output = (await SESSION_SUMMARY.execute({}, { ...context, record })).output;
    },
    { maxOutputBytes },
  );
  return output;
}

function item(request: string): HistoryItem {
  return { request, outcome: "done", calls: [], changedFiles: [] };
}

Deno.test("session_summary numbers requests and outcomes inside a frame", async () => {
  assert.equal(await summary([]), "Nothing was asked in this conversation so far.");
  assert.equal(
    await summary([item("one"), {
      ...item("two"),
      calls: [{ name: "edit_file", count: 2, failed: 1 }],
      changedFiles: ["a.ts"],
    }]),
    '<context source="session_summary">\n1. one\n   outcome: done\n2. two\n' +
      "   tools: edit_file ×2 (1 failed)\n   changed: a.ts\n   outcome: done\n<context:end>",
  );
});

Deno.test("session_summary keeps the newest when not all fit, with their numbers", async () => {
  const items = Array.from({ length: 200 }, (_, i) => item(`request ${i + 1}`));
  const output = await summary(items, 2048);
  assert.ok(output.length <= 2048);
  assert.match(
    output,
    /\n200\. request 200\n {3}outcome: done\n<context:end>\nThe first \d+ of 200 /,
  );
  assert.doesNotMatch(output, /\n1\. request/);
});
