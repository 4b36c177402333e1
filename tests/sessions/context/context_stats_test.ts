import assert from "node:assert/strict";
import { utilization } from "../../../sessions/context/context_stats.ts";
import { statusBar, statusLevel } from "../../../sessions/context/status_bar.ts";
import { addCall, addRead, addTalk, emptySession, fitting } from "./_sessions.ts";

Deno.test("contextStats() tells tokens by role, resolution and phase, each adding up", async () => {
  const session = await emptySession();
  session.appendUserMessage("go");
  const outlined = addRead(session, "a.ts", 40);
  const pinned = addCall(session, { name: "edit_file", args: { path: "a.ts" }, result: "done" });
  session.appendAssistantMessage({ content: "All done." });
  session.appendCustom("rho.usage.v1", {});
  session.setResolution(outlined, { level: "Outlined", outline: "a.ts, 40 lines" });
  session.pinEntry(pinned.resultEntry);
  const window = fitting(32_768);
  const stats = session.contextStats(window);
  const sum = (parts: object) => Object.values(parts).reduce((a: number, b: number) => a + b, 0);
  assert.equal(stats.promptBudget, 24_576);
  assert.equal(stats.messageCount, 7);
  assert.equal(stats.pathEntryCount, 8);
  assert.ok(stats.resolutionTokens.outlined > 0 && stats.resolutionTokens.pinned > 0);
  assert.ok(stats.phaseTokens.exploration > 0 && stats.phaseTokens.execution > 0);
  assert.ok(stats.phaseTokens.conclusion > 0 && stats.phaseTokens.unclassified > 0);
  for (const parts of [stats.resolutionTokens, stats.phaseTokens]) {
    assert.ok(Math.abs(sum(parts) - stats.conversationTokens) <= 5);
  }
  assert.ok(Math.abs(sum(stats.roleTokens) - stats.systemTokens - stats.conversationTokens) <= 5);
  assert.equal(
    stats.estimatedUsed,
    stats.systemTokens + stats.toolSchemaTokens + stats.conversationTokens,
  );
  assert.equal(stats.estimatedRemaining, stats.promptBudget - stats.estimatedUsed);
  assert.equal(stats.statusLevel, "green");
  assert.match(stats.statusBar, /│ 7 messages$/);
});

Deno.test("contextStats() saturates and counts what was compacted", async () => {
  const session = await emptySession();
  for (let i = 0; i < 40; i++) addTalk(session, `request ${i}`, "answer ".repeat(200));
  const full = session.contextStats(fitting(8192));
  assert.deepEqual([full.utilizationPercent, full.estimatedRemaining], [100, 0]);
  assert.equal(full.statusLevel, "red");
  const { compactedEntries } = session.compactOlderThan(4, fitting(8192));
  const stats = session.contextStats(fitting(8192));
  assert.equal(stats.compactedEntryCount, compactedEntries);
  assert.ok(stats.compactionTokens > 0 && stats.estimatedUsed < full.estimatedUsed);
});

Deno.test("statusBar() is the ready-made line", () => {
  const facts = {
    used: 12_300,
    contextWindow: 32_768,
    remaining: 12_300,
    utilizationPercent: 50,
    messageCount: 10,
  };
  assert.equal(
    statusBar(facts),
    "[██████████░░░░░░░░░░] 12.3k/32k tokens (50%) │ 12.3k remaining │ 10 messages",
  );
  assert.match(
    statusBar({ ...facts, used: 900, contextWindow: 1_000_000, messageCount: 1 }),
    /900\/1000k tokens .*│ 1 message$/,
  );
});

Deno.test("statusLevel() turns yellow at 60 % and red above 80 %; utilization() stays within 0 and 100", () => {
  assert.deepEqual([0, 59, 60, 80, 81, 100].map(statusLevel), [
    "green",
    "green",
    "yellow",
    "yellow",
    "red",
    "red",
  ]);
  assert.deepEqual(
    [[5, 0], [-1, 10], [50, 100], [200, 100]].map(([a = 0, b = 0]) => utilization(a, b)),
    [
      100,
      0,
      50,
      100,
    ],
  );
});
