import { BoundedText } from "../shell/bounded_text.ts";
import { findPanics, placeAtEnd } from "./panic.ts";

/** A test that failed. */
export interface FailedTest {
  readonly name: string;
  /** The number of its suite, from 0. */
  readonly suite: number;
  /** What it panicked with, or the best line there is. */
  readonly message: string;
  /** As the compiler wrote it, relative to the workspace. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** What it printed. */
  readonly output: string;
}

/** The results of all suites that ran. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
  readonly measured: number;
  readonly filteredOut: number;
  readonly suites: number;
  /** Numbers of the suites that ended without a result: the process died. */
  readonly brokenSuites: readonly number[];
  readonly failures: readonly FailedTest[];
  /** Names with the reason, where one was given. */
  readonly ignoredTests: readonly string[];
  readonly passedTests: readonly string[];
  /** What was printed outside of failed tests: `--nocapture`, other harnesses. */
  readonly rest: string;
}

const MAX_NAMES = 1000;
const MAX_FAILURE_BYTES = 8 * 1024;
const MAX_REST_BYTES = 16 * 1024;
const SHOULD_PANIC = " - should panic";
const COUNT_REGEXP = /(\d+) (passed|failed|ignored|measured|filtered out)/g;

type CountName = "passed" | "failed" | "ignored" | "measured" | "filtered out";

interface OpenFailure {
  readonly name: string;
  readonly suite: number;
  readonly output: BoundedText;
}

/**
 * Reads what the test harness of Rust prints, line by line, as it has no machine format on stable
 * toolchains. The counts are those of the harness; a test that prints such lines itself can at most
 * spoil the names.
 */
export class TestOutput {
  readonly #totals: Record<CountName, number> = {
    passed: 0,
    failed: 0,
    ignored: 0,
    measured: 0,
    "filtered out": 0,
  };
  readonly #broken: number[] = [];
  readonly #failures: OpenFailure[] = [];
  readonly #failed = new Map<string, { readonly name: string; readonly suite: number }>();
  readonly #ignored: string[] = [];
  readonly #passed: string[] = [];
  readonly #rest = new BoundedText(MAX_REST_BYTES);
  #suites = 0;
  #isOpen = false;
  #inFailures = false;
  #current: OpenFailure | undefined;
  #unfinished: string | undefined;

  /** Takes one line of standard output. */
  line(line: string): void {
    if (/^running \d+ tests?$/.test(line)) return this.#startSuite();
    if (!this.#isOpen) return this.#keep(line);
    if (line.startsWith("test result: ")) return this.#endSuite(line);
    if (line === "failures:") {
      this.#inFailures = true;
      this.#current = undefined;
      return;
    }
    if (this.#inFailures) return this.#failureLine(line);
    if (line === "successes:") return this.#keep(line);
    if (!this.#testLine(line)) this.#keep(line);
  }

  /** What came until now. */
  result(): TestRun {
    const broken = this.#isOpen ? [...this.#broken, this.#suites - 1] : this.#broken;
    const { "filtered out": filteredOut, ...totals } = this.#totals;
    return {
      ...totals,
      filteredOut,
      suites: this.#suites,
      brokenSuites: broken,
      failures: this.#allFailures(),
      ignoredTests: this.#ignored,
      passedTests: this.#passed,
      rest: this.#rest.capture().text.trim(),
    };
  }

  #startSuite(): void {
    if (this.#isOpen) this.#broken.push(this.#suites - 1);
    this.#suites += 1;
    this.#isOpen = true;
    this.#inFailures = false;
    this.#current = undefined;
    this.#unfinished = undefined;
  }

  #endSuite(line: string): void {
    this.#isOpen = false;
    this.#inFailures = false;
    for (const [, count, name] of line.matchAll(COUNT_REGEXP)) {
      this.#totals[name as CountName] += Number(count);
    }
  }

  #testLine(line: string): boolean {
    if (this.#unfinished !== undefined && /^(?:ok|FAILED)$/.test(line)) {
      this.#note(this.#unfinished, line);
      this.#unfinished = undefined;
      return true;
    }
    const at = line.startsWith("test ") ? line.lastIndexOf(" ... ") : -1;
    if (at < 0) return false;
    const name = line.slice("test ".length, at);
    const status = line.slice(at + " ... ".length);
    // With --nocapture the output of a test stands between its name and its status.
    if (!this.#note(name, status)) {
      this.#unfinished = name;
      this.#keep(status);
    }
    return true;
  }

  #note(name: string, status: string): boolean {
    if (/^ok(?: <|$)/.test(status)) {
      if (this.#passed.length < MAX_NAMES) this.#passed.push(name);
    } else if (/^FAILED(?: <|$)/.test(status)) {
      const failed = { name: plainName(name), suite: this.#suites - 1 };
      if (this.#failed.size < MAX_NAMES) this.#failed.set(keyOf(failed), failed);
    } else if (/^ignored(?:, |$)/.test(status)) {
      const reason = status.slice("ignored, ".length);
      const entry = reason === "" ? name : `${name} (${reason})`;
      if (this.#ignored.length < MAX_NAMES) this.#ignored.push(entry);
    } else return /^bench: /.test(status);
    return true;
  }

  #failureLine(line: string): void {
    const isHead = line.startsWith("---- ") && line.endsWith(" stdout ----");
    const name = isHead ? line.slice("---- ".length, -" stdout ----".length) : "";
    const failed = this.#failed.get(keyOf({ name: plainName(name), suite: this.#suites - 1 }));
    if (isHead && failed !== undefined) {
      this.#current = { ...failed, output: new BoundedText(MAX_FAILURE_BYTES) };
      if (this.#failures.length < MAX_NAMES) this.#failures.push(this.#current);
    } else this.#current?.output.append(`${line}\n`);
  }

  #keep(line: string): void {
    this.#rest.append(`${line}\n`);
  }

  #allFailures(): FailedTest[] {
    const shown = this.#failures.map(toFailure);
    // Under --nocapture, or in a process that died, there is no section for them.
    const known = new Set(shown.map(keyOf));
    const silent = [...this.#failed.values()].filter((failed) => !known.has(keyOf(failed)))
      .map((failed) => ({ ...failed, message: "", output: "" }));
    return [...shown, ...silent];
  }
}

/** Finds message and place of failures without output among panics that were printed elsewhere. */
export function explainSilent(failures: readonly FailedTest[], printed: string): FailedTest[] {
  if (!failures.some(({ message }) => message === "")) return [...failures];
  const panics = findPanics(printed.split("\n"));
  return failures.map((failure) => {
    const panic = panics.find(({ thread }) => thread === failure.name);
    if (failure.message !== "" || panic === undefined) return failure;
    const { thread: _thread, ...rest } = panic;
    return { ...failure, ...rest };
  });
}

function keyOf(test: { readonly name: string; readonly suite: number }): string {
  return `${test.suite} ${test.name}`;
}

function plainName(name: string): string {
  return name.endsWith(SHOULD_PANIC) ? name.slice(0, -SHOULD_PANIC.length) : name;
}

function toFailure(open: OpenFailure): FailedTest {
  const output = open.output.capture().text.trim();
  const lines = output.split("\n");
  const panics = findPanics(lines);
  const panic = panics.find(({ thread }) => thread === open.name) ?? panics.at(-1);
  const base = { name: open.name, suite: open.suite, output };
  if (panic === undefined) {
    const message = lines.find((line) => line.trim() !== "") ?? "";
    return { ...base, message, ...placeAtEnd(message) };
  }
  const { thread: _thread, ...rest } = panic;
  return { ...base, ...rest };
}
