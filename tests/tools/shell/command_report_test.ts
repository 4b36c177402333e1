import assert from "node:assert/strict";
import type { CommandOutcome } from "../../../tools/shell/command_outcome.ts";
import { commandReport } from "../../../tools/shell/command_report.ts";

const OUTPUT = { text: "", totalBytes: 0, omittedBytes: 0, rawBytes: 0 };

function report(outcome: Partial<CommandOutcome>): string {
  return commandReport({
    end: { reason: "exit", exitCode: 0 },
    durationMs: 123.4,
    stdout: OUTPUT,
    stderr: OUTPUT,
    backgroundPids: [],
    isOutputHeld: false,
    ...outcome,
  });
}

Deno.test("commandReport() explains exit codes (B109)", () => {
  const cases: [number, RegExp][] = [
    [0, /^Exit code 0 after 0\.12 s$/],
    [1, /^Exit code 1 after 0\.12 s$/],
    [126, /^Exit code 126 after .*not executable/],
    [127, /^Exit code 127 after .*not found/],
    [137, /^Exit code 137 after .*128 \+ 9, so probably SIGKILL$/],
    [200, /^Exit code 200 after 0\.12 s$/],
  ];
  for (const [exitCode, wanted] of cases) {
    assert.match(report({ end: { reason: "exit", exitCode } }), wanted);
  }
  const end = { reason: "signal", signal: "SIGSEGV", exitCode: 139 } as const;
  assert.match(report({ end }), /^Exit code 139 after 0\.12 s: ended by SIGSEGV$/);
});

Deno.test("commandReport() says what ended a command before its end", () => {
  const timeout = { end: { reason: "timeout", timeoutMs: 120_000 }, durationMs: 121_000 } as const;
  assert.match(report(timeout), /after 121\.0 s: timed out, the limit was 120\.0 s.*timeout_secs/);
  assert.match(report({ end: { reason: "aborted" } }), /after 0\.12 s: aborted/);
});

Deno.test("commandReport() says what still runs (B100)", () => {
  assert.match(report({ backgroundPids: [4, 5] }), /\nStill running .*: process 4, 5\.$/);
  assert.match(
    report({ isOutputHeld: true }),
    /\nSomething .* still runs and keeps the output open/,
  );
  assert.match(report({ isOutputHeld: true, backgroundPids: [4] }), /process 4\.\nIt keeps/);
});
