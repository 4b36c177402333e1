import assert from "node:assert/strict";
import { FileStore } from "../../../sessions/file_store.ts";
import { startTestAgent, testTool } from "../../support/test_agent.ts";
import { calls, says } from "../../support/scripted_model.ts";

Deno.test("Agent.resumeSession() leaves everything as it was when the other one cannot be opened", async () => {
  await using test = await startTestAgent([says("hello")]);
  await test.agent.run("hi");
  const before = await test.agent.session();
  await assert.rejects(test.agent.resumeSession("ffffffff"), { code: "session_not_found" });
  assert.equal(await test.agent.session(), before);
  assert.equal((await test.agent.run("still here")).finishReason, "stop");
  assert.deepEqual(test.of("session/change"), []);
});

Deno.test("Agent.resumeSession() notes what holds now, and closes the session it leaves", async () => {
  const home = await Deno.makeTempDir({ prefix: "rho-agent-" });
  try {
    const store = new FileStore({ home, root: "/project", redact: (text) => text });
    await using test = await startTestAgent([says("hello")], { store });
    await test.agent.run("first");
    const first = await test.agent.session();
    await test.agent.newSession();
    await test.agent.run("second");
    const second = await test.agent.session();
    const resumed = await test.agent.resumeSession(first.id);
    assert.equal(resumed.id, first.id);
    assert.notEqual(resumed, first);
    assert.equal(second.log.closed, true);
    // Resuming what is in use changes nothing.
    assert.equal(await test.agent.resumeSession(first.id), resumed);
    await test.agent.run("third");
    const opened = resumed.entries.filter(({ payload }) =>
      payload.type === "Custom" && payload.kind === "rho.opened.v1"
    );
    assert.equal(opened.length, 1);
    const users = resumed.pathMessages().filter(({ message }) => message.role === "user");
    assert.equal(users.length, 2);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("Agent.moveTo() tells where the next turn goes, and not when it fails", async () => {
  await using test = await startTestAgent([says("hello")]);
  await test.agent.run("hi");
  const session = await test.agent.session();
  const [root] = session.livePath;
  await test.agent.moveTo((one) => one.branchTo(root?.id ?? ""));
  await assert.rejects(test.agent.moveTo((one) => one.branchTo("nope")), {
    code: "entry_not_found",
  });
  assert.deepEqual(test.of("session/change").map(({ leaf }) => leaf), [root?.id]);
});

Deno.test("Agent gives tools a way to look at the conversation", async () => {
  const seen: unknown[] = [];
  const look = testTool({
    name: "look",
    run: async (_args, { record }) => {
      seen.push(record?.history().map(({ request }) => request), await record?.fullOutput("nope"));
      return { output: "looked", isError: false };
    },
  });
  await using test = await startTestAgent([calls({ name: "look", arguments: {} }), says("done")], {
    tools: [look],
  });
  await test.agent.run("look around");
  assert.deepEqual(seen, [["look around"], undefined]);
});

Deno.test("Agent forgets what was read when it closes calls that were left open", async () => {
  const reads: boolean[] = [];
  const look = testTool({
    name: "look",
    run: (_args, { tracker }) => {
      reads.push(tracker.noteRead("/a", { content: "x", offset: 1, limit: 1 }));
      return { output: "looked", isError: false };
    },
  });
  const again = [calls({ name: "look", arguments: {} }), says("done")];
  await using test = await startTestAgent([...again, ...again, ...again], { tools: [look] });
  await test.agent.run("one");
  await test.agent.run("two");
  // As a turn leaves it that dies between a response and its tools.
  (await test.agent.session()).appendAssistantMessage({
    content: "",
    toolCalls: [{ id: "open", name: "look", arguments: "{}" }],
    finishReason: "tool_calls",
  });
  await test.agent.run("three");
  assert.deepEqual(reads, [false, true, false]);
});
