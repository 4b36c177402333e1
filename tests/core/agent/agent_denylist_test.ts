import assert from "node:assert/strict";
import type { CallVerdict, Tool } from "../../../tools/tool.ts";
import type { ApprovalDecision } from "../../../core/agent/approval_gate.ts";
import { calls, says } from "../../support/scripted_model.ts";
import { startTestAgent, testTool } from "../../support/test_agent.ts";

function judgedTool(verdict: CallVerdict | (() => never)): Tool {
  return {
    ...testTool({ name: "run_command", risk: "destructive" }),
    judge: () => Promise.resolve(typeof verdict === "function" ? verdict() : verdict),
  };
}

const CALL = () => calls({ name: "run_command", arguments: { text: "x" } });
const REFUSED = { type: "refused", rule: "curl", reason: 'denied (rule "curl")' } as const;
const ASK = { type: "ask", reason: "its name is not known" } as const;

Deno.test("Agent answers a refused command with a blocked result, whatever may be approved", async () => {
  const ways = [
    { config: { approve: "all" as const } },
    { config: { approvalPerTool: { run_command: "auto" as const } } },
    { gate: (): ApprovalDecision => "approved" },
  ];
  for (const options of ways) {
    await using test = await startTestAgent([CALL(), says("OK")], {
      tools: [judgedTool(REFUSED)],
      ...options,
    });
    const result = await test.agent.run("go");
    assert.equal(result.toolCalls[0]?.outcome.kind, "blocked");
    assert.deepEqual(test.of("tool/denied"), []);
    assert.deepEqual(test.of("approval/request"), []);
    assert.match(test.of("tool/result")[0]?.output ?? "", /^Not run: denied \(rule "curl"\)\./);
    assert.equal(test.of("tool/result")[0]?.is_error, true);
    assert.equal(result.finishReason, "stop");
  }
});

Deno.test("Agent asks about a command that cannot be judged even under --approve all", async () => {
  await using test = await startTestAgent([CALL(), says("OK")], {
    tools: [judgedTool(ASK)],
    config: { approve: "all", approvalPerTool: { run_command: "auto" } },
    gate: () => "approved",
  });
  const result = await test.agent.run("go");
  assert.equal(result.toolCalls[0]?.outcome.kind, "success");
  assert.equal(test.of("approval/request")[0]?.preview, "its name is not known");
});

Deno.test("Agent refuses a command that cannot be judged where nobody can be asked", async () => {
  await using test = await startTestAgent([CALL(), says("OK")], { tools: [judgedTool(ASK)] });
  const result = await test.agent.run("go");
  assert.equal(result.toolCalls[0]?.outcome.kind, "denied");
  assert.match(test.of("tool/denied")[0]?.reason ?? "", /asked because its name is not known/);
});

Deno.test("Agent never remembers the approval of a command that had to be asked", async () => {
  await using test = await startTestAgent([CALL(), CALL(), says("OK")], {
    tools: [judgedTool(ASK)],
    gate: () => "approved_for_session",
  });
  await test.agent.run("go");
  assert.equal(test.of("approval/request").length, 2);
});

Deno.test("Agent asks when the judge fails", async () => {
  await using test = await startTestAgent([CALL(), says("OK")], {
    tools: [judgedTool(() => {
      throw new RangeError("broken");
    })],
    config: { approve: "all" },
  });
  const result = await test.agent.run("go");
  assert.equal(result.toolCalls[0]?.outcome.kind, "denied");
  assert.match(test.of("approval/request")[0]?.preview ?? "", /could not be judged: broken/);
});

Deno.test("Agent runs a configured command unasked, unless its tool is denied (B115)", async () => {
  const rules = [["ask", "success"], ["deny", "denied"]] as const;
  for (const [rule, kind] of rules) {
    await using test = await startTestAgent([CALL(), says("OK")], {
      tools: [judgedTool({ type: "allowed", isApproved: true })],
      config: { approvalPerTool: { run_command: rule } },
    });
    const result = await test.agent.run("go");
    assert.equal(result.toolCalls[0]?.outcome.kind, kind);
    assert.deepEqual(test.of("approval/request"), []);
  }
});
