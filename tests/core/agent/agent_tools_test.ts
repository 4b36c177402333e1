import assert from "node:assert/strict";
import type { ApprovalDecision } from "../../../core/agent/approval_gate.ts";
import { Redactor } from "../../../core/security/redactor.ts";
import { calls, says } from "../../support/scripted_model.ts";
import { startTestAgent, testTool } from "../../support/test_agent.ts";

const WRITE = testTool({ name: "write", risk: "write" });
const READ = testTool({ name: "read" });

function answering(...decisions: ApprovalDecision[]): () => ApprovalDecision {
  return () => decisions.shift() ?? "denied";
}

Deno.test("Agent runs reads unasked and asks for the rest", async () => {
  await using test = await startTestAgent(
    [calls({ name: "read", arguments: {} }, { name: "write", arguments: {} }), says("Done")],
    { tools: [READ, WRITE], gate: answering("approved") },
  );
  await test.agent.run("go");
  assert.deepEqual(test.of("approval/request"), [
    { id: "c2", tool: "write", arguments: "{}", risk: "write" },
  ]);
  assert.deepEqual(test.of("tool/result").map(({ id }) => id), ["c1", "c2"]);
  assert.deepEqual(test.of("state/change").map(({ state }) => state), [
    "thinking",
    "executing_tool",
    "awaiting_approval",
    "executing_tool",
    "thinking",
    "idle",
  ]);
});

Deno.test("Agent tells the model about a denial and goes on", async () => {
  await using test = await startTestAgent([calls({ name: "write", arguments: {} }), says("OK")], {
    tools: [WRITE],
    gate: answering("denied"),
  });
  const result = await test.agent.run("go");
  assert.equal(result.reply, "OK");
  assert.deepEqual(result.toolCalls[0]?.outcome, { kind: "denied" });
  assert.deepEqual(test.of("tool/denied"), [
    { id: "c1", name: "write", reason: "the user denied it" },
  ]);
  assert.deepEqual(test.of("tool/result"), []);
  assert.match(test.model.requests[1]?.messages.at(-1)?.content ?? "", /not run: the user denied/);
});

Deno.test("Agent without a gate denies what would be asked", async () => {
  await using test = await startTestAgent([calls({ name: "write", arguments: {} }), says("OK")], {
    tools: [WRITE],
  });
  const result = await test.agent.run("go");
  assert.equal(result.toolCalls[0]?.outcome.kind, "denied");
});

Deno.test("Agent skips the rest of a batch that is redirected and hears the user", async () => {
  await using test = await startTestAgent(
    [
      calls(
        { name: "read", arguments: {} },
        { name: "write", arguments: {} },
        { name: "read", arguments: {} },
      ),
      says("OK"),
    ],
    { tools: [READ, WRITE], gate: answering({ redirect: "use b.txt" }) },
  );
  const result = await test.agent.run("go");
  assert.deepEqual(result.toolCalls.map((call) => call.outcome.kind), [
    "success",
    "skipped",
    "skipped",
  ]);
  assert.deepEqual(test.of("tool/denied"), []);
  assert.deepEqual(test.of("tool/result").map(({ id }) => id), ["c1", "c2", "c3"]);
  assert.deepEqual(test.model.requests[1]?.messages.at(-1), { role: "user", content: "use b.txt" });
});

Deno.test("Agent remembers an approval for the tool until it ends", async () => {
  await using test = await startTestAgent(
    [
      calls({ name: "write", arguments: {} }),
      calls({ name: "write", arguments: { text: "x" } }),
      says("OK"),
    ],
    { tools: [WRITE], gate: answering("approved_for_session") },
  );
  const result = await test.agent.run("go");
  assert.deepEqual(result.toolCalls.map((call) => call.outcome.kind), ["success", "success"]);
  assert.equal(test.of("approval/request").length, 1);
});

Deno.test("Agent denies what the policy denies without asking", async () => {
  await using test = await startTestAgent([calls({ name: "read", arguments: {} }), says("OK")], {
    tools: [READ],
    config: { approvalPerTool: { read: "deny" } },
    gate: answering("approved"),
  });
  const result = await test.agent.run("go");
  assert.equal(result.toolCalls[0]?.outcome.kind, "denied");
  assert.deepEqual(test.of("approval/request"), []);
});

Deno.test("Agent asks a person for guarded calls, whatever --approve says", async () => {
  const guarded = testTool({
    name: "write",
    risk: "write",
    guard: () => Promise.resolve("the path is protected"),
  });
  await using test = await startTestAgent([calls({ name: "write", arguments: {} }), says("OK")], {
    tools: [guarded],
    config: { approve: "all", approvalPerTool: { write: "auto" } },
  });
  const result = await test.agent.run("go");
  assert.equal(result.toolCalls[0]?.outcome.kind, "denied");
  assert.equal(test.of("approval/request")[0]?.preview, "the path is protected");
});

Deno.test("Agent answers every call that cannot run with one error result", async () => {
  const failing = testTool({
    name: "fails",
    run: () => {
      throw new TypeError("it broke");
    },
  });
  await using test = await startTestAgent(
    [
      calls(
        { name: "raed", arguments: {} },
        { name: "__proto__", arguments: {} },
        { name: "read", arguments: "{nope" },
        { name: "read", arguments: { count: "many" } },
        { name: "read", arguments: "[1]" },
        { name: "fails", arguments: {} },
      ),
      says("OK"),
    ],
    { tools: [READ, failing] },
  );
  const result = await test.agent.run("B44");
  const outputs = result.toolCalls.map(({ outcome }) => `${outcome.kind}: ${outcome.output}`);
  assert.match(outputs[0] ?? "", /^error: There is no tool "raed"\. Did you mean "read"\?/);
  assert.match(
    outputs[1] ?? "",
    /^error: There is no tool "__proto__"\. The tools are: fails, read/,
  );
  assert.match(outputs[2] ?? "", /^error: .*not valid JSON/);
  assert.match(outputs[3] ?? "", /^error: .*"count" must be a number/);
  assert.match(outputs[4] ?? "", /^error: /);
  assert.equal(outputs[5], "error: it broke");
  assert.equal(test.of("tool/result").length, 6);
  assert.equal(test.of("tool/call").length, 6);
});

Deno.test("Agent B43 coerces without loss and runs, shows and reports what it coerced to", async () => {
  let seen: unknown;
  const tool = testTool({
    name: "write",
    risk: "write",
    run: (args) => {
      seen = args;
      return { output: "", isError: false };
    },
  });
  await using test = await startTestAgent(
    [calls({ name: "write", arguments: { count: "50" } }), says("OK")],
    { tools: [tool], gate: answering("approved") },
  );
  const result = await test.agent.run("go");
  assert.deepEqual(seen, { count: 50 });
  assert.equal(test.of("tool/call")[0]?.arguments, '{"count":"50"}');
  assert.equal(test.of("approval/request")[0]?.arguments, '{"count":50}');
  assert.equal(result.toolCalls[0]?.arguments, '{"count":50}');
});

Deno.test("Agent says in the first line of a result that arguments were repaired", async () => {
  await using test = await startTestAgent(
    [calls({ name: "read", arguments: '{"text":"a",}' }), says("OK")],
    { tools: [READ] },
  );
  const result = await test.agent.run("go");
  assert.match(result.toolCalls[0]?.outcome.output ?? "", /^Note: the arguments were broken JSON/);
});

Deno.test("Agent B119 shows invisible characters of what is to be approved", async () => {
  const tool = testTool({
    name: "write",
    risk: "write",
    preview: () => Promise.resolve({ text: "rm\u202e x" }),
  });
  await using test = await startTestAgent(
    [calls({ name: "write", arguments: { text: "a\u200bb" } }), says("OK")],
    { tools: [tool] },
  );
  await test.agent.run("go");
  const [request] = test.of("approval/request");
  assert.equal(request?.preview, "rm\\u{202e} x");
  assert.equal(request?.arguments, '{"text":"a\\u200bb"}');
  assert.deepEqual(JSON.parse(request?.arguments ?? ""), { text: "a\u200bb" });
});

Deno.test("Agent cuts a preview over 16 KiB and tells its size and digest", async () => {
  const tool = testTool({
    name: "write",
    risk: "write",
    preview: () => Promise.resolve({ text: "é".repeat(9_000) }),
  });
  await using test = await startTestAgent([calls({ name: "write", arguments: {} }), says("OK")], {
    tools: [tool],
  });
  await test.agent.run("go");
  assert.match(
    test.of("approval/request")[0]?.preview ?? "",
    /\n\[… 18000 bytes in all, SHA-256 [0-9a-f]{64} …\]\n/,
  );
});

Deno.test("Agent masks secrets in results and live output before anybody sees them", async () => {
  const secret = "hunter2-hunter2-hunter2";
  const tool = testTool({
    name: "read",
    run: (_args, { progress }) => {
      progress(`live ${secret.slice(0, 9)}`);
      progress(`${secret.slice(9)} end\n`);
      return { output: `key is ${secret}`, isError: false };
    },
  });
  await using test = await startTestAgent([calls({ name: "read", arguments: {} }), says("OK")], {
    tools: [tool],
    redactor: new Redactor({ env: { MY_TOKEN: secret } }),
  });
  await test.agent.run("B152");
  assert.ok(!JSON.stringify([test.events, test.model.requests]).includes(secret));
  const live = test.of("tool/progress").map(({ chunk }) => chunk).join("");
  assert.equal(live, "live [REDACTED] end\n");
});

Deno.test("Agent B151 hands arguments to the tool unmasked", async () => {
  let seen: unknown;
  const tool = testTool({
    name: "read",
    run: ({ text }) => {
      seen = text;
      return { output: "", isError: false };
    },
  });
  const text = 'auth = "Bearer abcdefghijklmnopqrstuvwx"';
  await using test = await startTestAgent(
    [calls({ name: "read", arguments: { text } }), says("OK")],
    { tools: [tool] },
  );
  await test.agent.run("go");
  assert.equal(seen, text);
});
