import assert from "node:assert/strict";
import type { SideUsageData, UsageData } from "../../sessions/accounting.ts";
import { RHO_KINDS } from "../../sessions/entry.ts";
import { MemoryStore } from "../../sessions/memory_store.ts";
import { temporaryStore } from "./session_support.ts";

function usage(inputTokens: number, outputTokens: number, cost: number | null): UsageData {
  return {
    usage: { inputTokens, outputTokens, cachedTokens: 1, reasoningTokens: 2 },
    cost,
    reported: true,
  };
}

Deno.test("Session.totals adds reported, unreported, side and child spending up once", async () => {
  const session = await new MemoryStore({ root: "/" }).create();
  assert.equal(session.totals.costIncomplete, false);
  session.appendCustom(RHO_KINDS.usage, usage(100, 10, 0.5));
  const side: SideUsageData = { ...usage(20, 5, 0.25), purpose: "compaction" };
  session.appendCustom(RHO_KINDS.sideUsage, side);
  assert.deepEqual(session.totals, {
    inputTokens: 120,
    outputTokens: 15,
    cachedTokens: 2,
    reasoningTokens: 4,
    totalTokens: 135,
    cost: 0.75,
    costIncomplete: false,
    requestCount: 2,
    unreportedTokens: 0,
    pendingChildTokens: 0,
    spentTokens: 135,
  });
});

Deno.test("Session.totals makes the cost a minimum when any part is unknown", async () => {
  const parts: readonly (readonly [string, unknown])[] = [
    [RHO_KINDS.usage, usage(1, 1, null)],
    [RHO_KINDS.usage, { ...usage(1, 1, 1), reported: false }],
    [RHO_KINDS.unreported, { tokens: 5 }],
    [RHO_KINDS.childDebit, { childId: "k", tokens: 5 }],
  ];
  for (const [kind, data] of parts) {
    const session = await new MemoryStore({ root: "/" }).create();
    session.appendCustom(RHO_KINDS.usage, usage(1, 1, 0.5));
    session.appendCustom(kind, data);
    assert.equal(session.totals.costIncomplete, true, kind);
    assert.equal(session.totals.cost, 0.5, kind);
  }
});

Deno.test("Session.totals lets a child's report replace only the debit it includes", async () => {
  const session = await new MemoryStore({ root: "/" }).create();
  session.appendCustom(RHO_KINDS.childDebit, { childId: "a", tokens: 100 });
  session.appendCustom(RHO_KINDS.childDebit, { childId: "a", tokens: 50 });
  session.appendCustom(RHO_KINDS.childDebit, { childId: "b", tokens: 7 });
  const report: SideUsageData = {
    ...usage(80, 20, 0.1),
    purpose: "child",
    childId: "a",
    coveredTokens: 100,
  };
  session.appendCustom(RHO_KINDS.sideUsage, report);
  assert.equal(session.totals.pendingChildTokens, 57);
  assert.equal(session.totals.spentTokens, 157);
  session.appendCustom(RHO_KINDS.sideUsage, { ...report, coveredTokens: 999 });
  assert.equal(session.totals.pendingChildTokens, 7);
});

Deno.test("Session.totals are the same after reopening, and ignore nonsense", async () => {
  await using temporary = await temporaryStore();
  const session = await temporary.store.create();
  session.appendUserMessage("hi");
  session.appendCustom(RHO_KINDS.usage, usage(3, 4, 0.5));
  session.appendCustom(RHO_KINDS.usage, "nonsense");
  session.appendCustom(RHO_KINDS.unreported, { tokens: -5 });
  session.appendCustom(RHO_KINDS.unreported, { tokens: 9 });
  const { totals } = session;
  assert.equal(totals.unreportedTokens, 9);
  await session.close("done");
  const opened = await temporary.another().open(session.id);
  assert.deepEqual(opened.totals, totals);
  await opened.close("done");
});
