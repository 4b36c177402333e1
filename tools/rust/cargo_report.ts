import { unreachable } from "../../core/base/errors.ts";
import { headUnits, tailUnits } from "../../core/base/text.ts";
import { frame } from "../framing.ts";
import type { CommandOutcome } from "../shell/command_outcome.ts";
import type { CargoCommand } from "./cargo_args.ts";
import type { CargoRun } from "./cargo_run.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { DiagnosticList } from "./diagnostic_list.ts";
import { showDiagnostics } from "./diagnostic_text.ts";
import { failuresText, testCounts, testNames } from "./test_report.ts";
import type { FailedTest } from "./test_output.ts";

/** What a report is made from. */
export interface CargoReportOptions {
  readonly command: CargoCommand;
  readonly run: CargoRun;
  readonly list: DiagnosticList;
  /** The findings to show, errors first. */
  readonly diagnostics: readonly Diagnostic[];
  /** The failed tests with places relative to the root. */
  readonly failures: readonly FailedTest[];
  /** The most text, in UTF-8 bytes. */
  readonly maxBytes: number;
}

const MAX_REST_UNITS = 4000;

/**
 * What the model reads: one line of counts in rho's words, then what compiler and tests said, in a
 * frame. Failed tests come first, then errors, then warnings, as far as there is room.
 */
export function cargoReport(options: CargoReportOptions): string {
  const { command, run, list, diagnostics } = options;
  const { tests, stderr } = run;
  const units = Math.floor(options.maxBytes * 0.8);
  const body: string[] = [];
  const failed = failuresText(options.failures, { suites: stderr.suites, maxUnits: units });
  if (failed.text !== "") body.push(failed.text);
  const room = Math.max(0, units - failed.text.length);
  const shown = showDiagnostics(diagnostics, room);
  if (shown.text !== "") body.push(shown.text);
  const names = testNames(tests);
  if (names !== "") body.push(names);
  const rest = restText(options);
  if (rest !== "") body.push(rest);
  if (stderr.fixed.length > 0) body.push(`Fixed: ${stderr.fixed.slice(0, 50).join(", ")}`);
  const head = [`${headLine(options)}.`];
  if (run.wasOffline) {
    head.push("The registry was out of reach; this is the result with --offline.");
  }
  const { error, warning, note } = list.counts;
  head.push(...leftOut("diagnostics", error + warning + note - shown.shown, "fix the first ones"));
  head.push(...leftOut("failed tests", options.failures.length - failed.shown, "name a test"));
  if (command === "test" && run.outcome.end.reason === "exit" && noTestRan(options)) {
    head.push(
      tests.filteredOut > 0
        ? "No test ran: the filter matches none. Give a part of a test's path."
        : "No test ran.",
    );
  }
  return body.length === 0
    ? head.join("\n")
    : `${head.join("\n")}\n${frame({ source: `cargo_${command}` }, body.join("\n\n"))}`;
}

function headLine(options: CargoReportOptions): string {
  const { command, run, list } = options;
  const { error, warning } = list.counts;
  const parts = command === "test" && run.tests.suites > 0 ? [testCounts(run.tests)] : [];
  if (parts.length === 0 || error + warning > 0) {
    parts.push(`${count(error, "error")}, ${count(warning, "warning")}`);
  }
  return `cargo ${command}: ${parts.join("; ")}; ${endText(run.outcome)}`;
}

function endText(outcome: CommandOutcome): string {
  const duration = `${(outcome.durationMs / 1000).toFixed(1)} s`;
  const { end } = outcome;
  switch (end.reason) {
    case "exit":
      return `exit code ${end.exitCode} after ${duration}`;
    case "signal":
      return `ended by ${end.signal} after ${duration}`;
    case "timeout":
      return `timed out after ${duration}, so this is not all; choose one package or test`;
    case "aborted":
      return `aborted after ${duration}, so this is not all`;
    case "spawn_failed":
      return end.error.message;
    default:
      return unreachable(end);
  }
}

/** What else was printed, where it explains something. */
function restText(options: CargoReportOptions): string {
  const { run, list } = options;
  const { end } = run.outcome;
  const parts: string[] = [];
  const isExplained = list.counts.error > 0 || options.failures.length > 0;
  const isFine = end.reason === "exit" && end.exitCode === 0;
  const stderr = run.stderr.rest.trim();
  // Once tests run, they too print here: with --nocapture, or when their process dies.
  if (stderr !== "" && (run.tests.suites > 0 || !isFine && !isExplained)) {
    parts.push(bothEnds(stderr));
  }
  if (run.tests.rest !== "") parts.push(`Other output:\n${bothEnds(run.tests.rest)}`);
  for (const suite of run.tests.brokenSuites) {
    const name = run.stderr.suites[suite] ?? `suite ${suite + 1}`;
    parts.unshift(`${name}: the test process ended before its tests did`);
  }
  return parts.join("\n\n");
}

function noTestRan({ run, list }: CargoReportOptions): boolean {
  const { passed, failed, ignored, measured, suites, brokenSuites } = run.tests;
  return suites > 0 && brokenSuites.length === 0 && list.counts.error === 0 &&
    passed + failed + ignored + measured === 0;
}

function leftOut(what: string, many: number, next: string): string[] {
  return many > 0 ? [`${many} more ${what} are not shown; ${next} and run it again.`] : [];
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? "" : "s"}`;
}

function bothEnds(text: string): string {
  if (text.length <= MAX_REST_UNITS) return text;
  const head = headUnits(text, MAX_REST_UNITS / 4);
  const tail = tailUnits(text, MAX_REST_UNITS * 3 / 4);
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}
