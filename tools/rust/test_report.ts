import { headUnits } from "../../core/base/text.ts";
import type { FailedTest, TestRun } from "./test_output.ts";

const MAX_OUTPUT_UNITS = 1500;
const MAX_MESSAGE_UNITS = 1000;
const MAX_NAMES = 20;

/** The counts of a run in one line. */
export function testCounts(tests: TestRun): string {
  const parts = [
    `${tests.passed} passed`,
    `${tests.failed} failed`,
    `${tests.ignored} ignored`,
    ...(tests.measured > 0 ? [`${tests.measured} measured`] : []),
    ...(tests.filteredOut > 0 ? [`${tests.filteredOut} filtered out`] : []),
  ];
  return `${parts.join(", ")} in ${tests.suites} ${tests.suites === 1 ? "suite" : "suites"}`;
}

/** The failed tests, one below the other, as many as fit; the first one always. */
export function failuresText(
  failures: readonly FailedTest[],
  options: { readonly suites: readonly string[]; readonly maxUnits: number },
): { readonly text: string; readonly shown: number } {
  const entries: string[] = [];
  let units = 0;
  for (const failure of failures) {
    const entry = failureText(failure, options.suites[failure.suite]);
    units += entry.length + 2;
    if (entries.length > 0 && units > options.maxUnits) break;
    entries.push(entry);
  }
  return { text: entries.join("\n\n"), shown: entries.length };
}

/** Names of ignored tests, and of the passed ones when they are few. */
export function testNames(tests: TestRun): string {
  const lines: string[] = [];
  const { passedTests, ignoredTests } = tests;
  if (passedTests.length > 0 && tests.passed <= MAX_NAMES) {
    lines.push(`Passed: ${passedTests.join(", ")}`);
  }
  if (ignoredTests.length > 0) {
    const more = ignoredTests.length > MAX_NAMES ? ", …" : "";
    lines.push(`Ignored: ${ignoredTests.slice(0, MAX_NAMES).join(", ")}${more}`);
  }
  return lines.join("\n");
}

function failureText(failure: FailedTest, suite: string | undefined): string {
  const place = failure.file === undefined
    ? ""
    : ` at ${failure.file}:${failure.line}:${failure.column}`;
  const lines = [`FAILED ${failure.name}${suite === undefined ? "" : ` (${suite})`}${place}`];
  if (failure.message !== "") lines.push(indent(headUnits(failure.message, MAX_MESSAGE_UNITS)));
  const output = otherOutput(failure);
  if (output !== "") lines.push("  output:", indent(indent(output)));
  return lines.join("\n");
}

/** What the test printed besides the message that is shown already. */
function otherOutput({ output, message }: FailedTest): string {
  const at = message === "" ? -1 : output.indexOf(message);
  const kept = (at < 0 ? output : output.slice(0, at) + output.slice(at + message.length))
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("note: run with `RUST_BACKTRACE"))
    .filter((line, _, all) => all.length > 1 || !/^thread '.*' .*panicked at /.test(line))
    .join("\n");
  return kept.length <= MAX_OUTPUT_UNITS ? kept : `${headUnits(kept, MAX_OUTPUT_UNITS)}\n…`;
}

function indent(text: string): string {
  return "  " + text.replaceAll("\n", "\n  ");
}
