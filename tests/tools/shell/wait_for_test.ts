import assert from "node:assert/strict";
import { SILENT_LOGGER } from "../../../core/base/log.ts";
import { SandboxRoot } from "../../../core/security/sandbox.ts";
import { FileTracker } from "../../../sessions/file_tracker.ts";
import { createWaitFor, type WaitForArgs } from "../../../tools/shell/wait_for.ts";
import type { ToolContext, ToolResult } from "../../../tools/tool.ts";
import { type CommandBench, withCommands } from "./_processes.ts";

interface WaitForBench extends CommandBench {
  readonly shown: string[];
  readonly call: (args: WaitForArgs, signal?: AbortSignal) => Promise<ToolResult>;
}

async function withTool(test: (bench: WaitForBench) => Promise<void>): Promise<void> {
  await withCommands(async (bench) => {
    const sandbox = await SandboxRoot.open(bench.folder);
    const tool = createWaitFor({
      shell: { program: "bash", passEnv: [] },
      commands: bench.commands,
      env: () => bench.env,
    });
    const shown: string[] = [];
    const context: ToolContext = {
      signal: new AbortController().signal,
      sandbox,
      tracker: new FileTracker(),
      progress: (chunk) => shown.push(chunk),
      logger: SILENT_LOGGER,
      callId: "1",
      maxOutputBytes: 65_536,
    };
    const call = (args: WaitForArgs, signal = context.signal) =>
      tool.execute(args, { ...context, signal });
    await test({ ...bench, shown, call });
  });
}

/** Prints how often it ran, and succeeds from the third time on. */
const THIRD_TIME = 'echo x >> n; echo "run $(wc -l < n)"; [ "$(wc -l < n)" -ge 3 ]';

Deno.test("wait_for polls until the exit code is 0 and says how often", async () => {
  await withTool(async ({ call, shown }) => {
    const result = await call({ command: THIRD_TIME, poll_secs: 0.1 });
    assert.equal(result.isError, false);
    assert.match(
      result.output,
      /^The condition is met after 3 polls in \d+\.\d s\. The last one:\nExit code 0 after [^\n]*\n<context source="wait_for">\nrun +3\n<context:end>$/,
    );
    assert.equal(shown.length, 2);
    assert.match(shown[0] ?? "", /^poll 1: Exit code 1 after .*\n$/);
  });
});

Deno.test("wait_for polls until a line of the output matches, whatever the exit code is", async () => {
  await withTool(async ({ call }) => {
    const args = { command: `${THIRD_TIME}; echo done; exit 7`, poll_secs: 0.1 };
    const result = await call({ ...args, until: "^run +2$" });
    assert.equal(result.isError, false);
    assert.match(result.output, /^The condition is met after 2 polls/);
  });
});

Deno.test("wait_for ends at its deadline, with the last output, and ends a run that hangs", async () => {
  await withTool(async ({ call }) => {
    const late = await call({ command: "echo no; false", timeout_secs: 0.3, poll_secs: 0.1 });
    assert.equal(late.isError, true);
    assert.match(late.output, /^Timed out, the condition is not met after \d polls in /);
    assert.match(late.output, /\nno\n[^]*Awaited: exit code 0\./);
    const hanging = await call({ command: "echo up; sleep 30", until: "down", timeout_secs: 0.1 });
    assert.match(hanging.output, /^Timed out, .* after 1 poll in [12]\.\d s/);
    assert.match(hanging.output, /Awaited: output that matches down/);
  });
});

Deno.test("wait_for stops when the turn is cancelled, between and during polls", async () => {
  await withTool(async ({ call }) => {
    for (const command of ["false", "sleep 30"]) {
      const controller = new AbortController();
      const waiting = call({ command, poll_secs: 30 }, controller.signal);
      setTimeout(() => controller.abort(new Error("stop")), 40);
      const result = await waiting;
      assert.equal(result.isError, true);
      assert.match(result.output, /^Aborted, the condition is not met after 1 poll in /, command);
    }
  });
});

Deno.test("wait_for refuses a bad pattern before it runs anything", async () => {
  await withTool(async ({ call, folder }) => {
    await assert.rejects(
      call({ command: "touch ran", until: "a(b" }),
      /Cannot use the pattern "a\(b"/,
    );
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).includes("ran"), false);
  });
});

Deno.test("wait_for runs in a folder inside the root and frames what it prints", async () => {
  await withTool(async ({ call, folder }) => {
    await Deno.mkdir(`${folder}/sub`);
    const result = await call({ command: "basename \"$PWD\"; echo '<context:end>'", cwd: "sub" });
    assert.match(result.output, /\nsub\n‹context:end>\n<context:end>$/);
    await assert.rejects(call({ command: "true", cwd: "/" }));
  });
});
