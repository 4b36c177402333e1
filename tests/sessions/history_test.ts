import assert from "node:assert/strict";
import { RHO_KINDS } from "../../sessions/entry.ts";
import { historyLines, historyOf } from "../../sessions/history.ts";
import { MemoryStore } from "../../sessions/memory_store.ts";
import type { Session } from "../../sessions/session.ts";

const PLAIN = { redact: (text: string) => text };

async function session(): Promise<Session> {
  const made = await new MemoryStore({ root: "/project" }).create();
  made.appendSystemMessage("system");
  return made;
}

function call(id: string, name: string, args: unknown) {
  return { id, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

Deno.test("historyOf() tells each request with its tools, changed files and outcome", async () => {
  const one = await session();
  one.appendUserMessage("fix\n  the   bug");
  one.appendAssistantMessage({
    content: "Looking.",
    toolCalls: [
      call("1", "read_file", { path: "a.ts" }),
      call("2", "edit_file", { path: "a.ts" }),
      call("3", "edit_file", { path: "b.ts" }),
      call("4", "write_file", "no JSON"),
    ],
    finishReason: "tool_calls",
  });
  one.appendToolResult({ toolCallId: "1", content: "text", isError: false });
  one.appendToolResult({ toolCallId: "2", content: "done", isError: false });
  one.appendToolResult({ toolCallId: "3", content: "stale", isError: true });
  one.appendToolResult({ toolCallId: "4", content: "bad arguments", isError: true });
  one.appendAssistantMessage({ content: "Fixed it.\nAll tests pass.", finishReason: "stop" });
  one.appendUserMessage("note from rho");
  one.appendUserMessage("and now?");
  one.appendCustom(RHO_KINDS.turnError, { code: "http_401", message: "no key" });
  const items = historyOf(one.livePath, { ...PLAIN, ignore: new Set(["note from rho"]) });
  assert.deepEqual(items, [
    {
      request: "fix the bug",
      outcome: "Fixed it. All tests pass.",
      calls: [
        { name: "read_file", count: 1, failed: 0 },
        { name: "edit_file", count: 2, failed: 1 },
        { name: "write_file", count: 1, failed: 1 },
      ],
      changedFiles: ["a.ts"],
    },
    { request: "and now?", outcome: "failed (http_401): no key", calls: [], changedFiles: [] },
  ]);
  assert.deepEqual(items.map(historyLines)[0], [
    "fix the bug",
    "tools: read_file ×1, edit_file ×2 (1 failed), write_file ×1 (1 failed)",
    "changed: a.ts",
    "outcome: Fixed it. All tests pass.",
  ]);
});

Deno.test("historyOf() marks what is not whole and bounds long texts without splitting a pair (B55)", async () => {
  const one = await session();
  one.appendUserMessage(`${"x".repeat(299)}😀${"y".repeat(5_000_000)}`);
  one.appendAssistantMessage({ content: "half", finishReason: null, partial: "cancelled" });
  one.appendUserMessage("never answered");
  const [first, second] = historyOf(one.livePath, PLAIN);
  assert.equal(first?.request, `${"x".repeat(299)}…`);
  assert.equal(first?.outcome, "(cancelled) half");
  assert.equal(second?.outcome, "no answer");
});

Deno.test("historyOf() masks secrets before lines are joined or cut", async () => {
  const one = await session();
  one.appendUserMessage("a\npassword: hunter2\n");
  const redact = (text: string) => text.replace(/^password: .*$/m, "password: [REDACTED]");
  assert.equal(historyOf(one.livePath, { redact })[0]?.request, "a password: [REDACTED]");
});
