import assert from "node:assert/strict";
import { entriesLeftBehind, summariseBranch } from "../../sessions/branch_summary.ts";
import { MemoryStore } from "../../sessions/memory_store.ts";

const PLAIN = { redact: (text: string) => text };

Deno.test("entriesLeftBehind() is what the new place does not have on its path", async () => {
  const session = await new MemoryStore({ root: "/project" }).create();
  const system = session.appendSystemMessage("system");
  const one = session.appendUserMessage("one");
  const two = session.appendUserMessage("two");
  assert.deepEqual(entriesLeftBehind(session, one.id), [two]);
  assert.deepEqual(entriesLeftBehind(session, two.id), []);
  assert.deepEqual(entriesLeftBehind(session, system.id), [one, two]);
  session.branchTo(one.id);
  const other = session.appendUserMessage("other");
  assert.deepEqual(entriesLeftBehind(session, two.id), [other]);
});

Deno.test("summariseBranch() says the same for the same entries, and nothing for no request", async () => {
  const session = await new MemoryStore({ root: "/project" }).create();
  session.appendSystemMessage("system");
  assert.equal(summariseBranch(session.livePath, PLAIN), undefined);
  for (let i = 1; i <= 40; i++) {
    session.appendUserMessage(`request ${i}`);
    session.appendAssistantMessage({ content: `reply ${i}`, finishReason: "stop" });
  }
  const summary = summariseBranch(session.livePath, PLAIN) ?? "";
  assert.equal(summary, summariseBranch(session.livePath, PLAIN));
  assert.match(summary, /^Another branch of this conversation was left behind after 40 requests\./);
  assert.match(summary, /\n5\. request 5\n {3}outcome: reply 5\n… 10 requests left out\n16\. req/);
  assert.match(summary, /\n40\. request 40\n {3}outcome: reply 40$/);
});
