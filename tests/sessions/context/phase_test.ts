import assert from "node:assert/strict";
import type { StoredToolCall } from "../../../sessions/entry.ts";
import { classifyCall, replayPhases } from "../../../sessions/context/phase.ts";
import { addCall, emptySession } from "./_sessions.ts";

function call(name: string, args: unknown = {}): StoredToolCall {
  return { id: "c", type: "function", function: { name, arguments: JSON.stringify(args) } };
}

Deno.test("classifyCall() tells what a call is a sign of", () => {
  const rows: readonly (readonly [StoredToolCall, boolean, string | undefined])[] = [
    [call("read_file"), true, "exploration"],
    [call("search_files"), false, "exploration"],
    [call("edit_file"), false, "execution"],
    [call("cargo_fix"), false, "execution"],
    [call("cargo_test"), true, "verification"],
    [call("cargo_test"), false, "exploration"],
    [call("run_command", { command: "cp a b" }), true, "execution"],
    [call("run_command", { command: "cd x && deno test -A" }), true, "verification"],
    [call("run_command", { command: "npm run test:unit" }), true, "verification"],
    [call("run_command", { command: "pytest -q" }), true, "verification"],
    [call("run_command", { command: "cargo clippy" }), false, "exploration"],
    [call("run_command", { command: "echo contest" }), true, "execution"],
    [call("wait_for", { command: "make check" }), true, "verification"],
    [call("someone_elses"), true, undefined],
  ];
  for (const [one, hasEdits, phase] of rows) {
    assert.equal(classifyCall(one, hasEdits), phase, one.function.name + one.function.arguments);
  }
});

Deno.test("replayPhases() goes on to verification and back to execution, never back to exploration", async () => {
  const session = await emptySession();
  session.appendUserMessage("go");
  const steps = [
    "read_file",
    "cargo_check",
    "edit_file",
    "read_file",
    "cargo_test",
    "list_dir",
    "odd",
    "write_file",
  ];
  const entries = steps.map((name) => addCall(session, { name, result: "done" }));
  const reply = session.appendAssistantMessage({ content: "Done." });
  session.appendUserMessage("next");
  const late = addCall(session, { name: "read_file", result: "x" });
  const phases = replayPhases(session.livePath);
  assert.deepEqual(entries.map(({ resultEntry }) => phases.get(resultEntry)), [
    "exploration",
    "exploration",
    "execution",
    "execution",
    "verification",
    "verification",
    "verification",
    "execution",
  ]);
  assert.deepEqual(
    entries.map(({ callEntry, resultEntry }) => phases.get(callEntry) === phases.get(resultEntry)),
    steps.map(() => true),
  );
  assert.equal(phases.get(reply.id), "conclusion");
  assert.equal(phases.get(late.resultEntry), "exploration");
});

Deno.test("replayPhases() stays in its phase when the turn is steered", async () => {
  const session = await emptySession();
  session.appendUserMessage("go");
  addCall(session, { name: "edit_file", result: "done" });
  session.appendUserMessage("and be quick");
  const { resultEntry } = addCall(session, { name: "read_file", result: "x" });
  assert.equal(replayPhases(session.livePath).get(resultEntry), "execution");
});
