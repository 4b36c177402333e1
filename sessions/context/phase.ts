import type { Entry, StoredToolCall } from "../entry.ts";
import { stringField } from "../json_value.ts";
import { callArguments } from "./outline/outline_input.ts";

/** What a turn is at. */
export type Phase = "exploration" | "execution" | "verification" | "conclusion";

const EXPLORATION_TOOLS: ReadonlySet<string> = new Set([
  "read_file",
  "batch_read",
  "list_dir",
  "find_files",
  "search_files",
  "rustc_explain",
  "rustdoc_lookup",
  "crates_io_lookup",
  "session_summary",
  "read_output",
]);
const EXECUTION_TOOLS: ReadonlySet<string> = new Set(["edit_file", "write_file", "cargo_fix"]);
const VERIFICATION_TOOLS: ReadonlySet<string> = new Set([
  "cargo_check",
  "cargo_clippy",
  "cargo_test",
]);
const COMMAND_TOOLS: ReadonlySet<string> = new Set(["run_command", "wait_for"]);

/** Commands that test or check; a word of them is enough, wherever it stands in a pipeline. */
const CHECK_COMMAND_REGEXP =
  /(?:^|[\s;&|(/])(?:pytest|tox|nox|mypy|ruff|flake8|pylint|eslint|tsc|jest|vitest|mocha|ctest|rspec|phpunit|shellcheck|golangci-lint|(?:cargo|go|deno|npm|pnpm|yarn|bun|make|just|dotnet|mvn|gradle|gradlew|mix|swift|zig|bazel|rake|composer|ninja|meson|task)\s(?:[\w:.@/-]{1,40}\s){0,3}(?:test|tests|check|clippy|lint|vet|verify|typecheck|type-check|build)(?::[\w-]{1,40})?)(?=$|[\s;&|)])/;

/** What a call is a sign of, before the state of the turn is looked at; unknown tools of nothing. */
export function classifyCall(call: StoredToolCall, hasEdits: boolean): Phase | undefined {
  const { name } = call.function;
  if (EXPLORATION_TOOLS.has(name)) return "exploration";
  if (EXECUTION_TOOLS.has(name)) return "execution";
  if (VERIFICATION_TOOLS.has(name)) return hasEdits ? "verification" : "exploration";
  if (!COMMAND_TOOLS.has(name)) return undefined;
  if (!isCheckCommand(call)) return "execution";
  return hasEdits ? "verification" : "exploration";
}

/** Whether a call runs tests or checks. */
export function isCheck(call: StoredToolCall): boolean {
  const { name } = call.function;
  return VERIFICATION_TOOLS.has(name) || COMMAND_TOOLS.has(name) && isCheckCommand(call);
}

function isCheckCommand(call: StoredToolCall): boolean {
  const command = stringField(callArguments(call.function.arguments), "command") ?? "";
  return CHECK_COMMAND_REGEXP.test(command.slice(0, 2000));
}

/** The phase after a sign: looking something up ends neither execution nor verification. */
export function nextPhase(phase: Phase, sign: Phase | undefined): Phase {
  if (sign === undefined || phase === "conclusion") return phase;
  return sign === "exploration" ? phase : sign;
}

/**
 * The phase of each message of the model and each result on a path, by entry; found by replaying
 * the path, nothing is stored for it. A request of the user begins a new turn in exploration.
 */
export function replayPhases(path: readonly Entry[]): Map<string, Phase> {
  const phases = new Map<string, Phase>();
  const calls = new Map<string, StoredToolCall>();
  let phase: Phase = "exploration";
  let hasEdits = false;
  let before = "";
  for (const { id, payload } of path) {
    if (payload.type !== "Message") continue;
    const { message } = payload;
    // A message behind results steers the turn that runs; any other begins one.
    if (message.role === "user") phase = before === "tool" ? phase : "exploration";
    else if (message.role === "tool") {
      const call = calls.get(message.tool_call_id);
      if (call !== undefined) {
        const sign = classifyCall(call, hasEdits);
        phase = nextPhase(phase, sign);
        if (EXECUTION_TOOLS.has(call.function.name) && message.is_error !== true) hasEdits = true;
      }
      phases.set(id, phase);
    } else if (message.role === "assistant") {
      const ownCalls = message.tool_calls ?? [];
      for (const call of ownCalls) calls.set(call.id, call);
      if (ownCalls.length === 0) phase = nextPhase(phase, "conclusion");
      const sign = ownCalls[0] === undefined ? undefined : classifyCall(ownCalls[0], hasEdits);
      phases.set(id, nextPhase(phase, sign));
    }
    before = message.role;
  }
  return phases;
}
