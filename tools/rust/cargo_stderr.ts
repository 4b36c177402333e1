/** What cargo tells people on stderr, where it has no machine format. */
export interface CargoStderr {
  /** The suites that `cargo test` ran, in order: `unittests src/lib.rs`, `doc-tests demo`. */
  readonly suites: readonly string[];
  /** What `cargo fix` changed, as cargo words it: `src/lib.rs (1 fix)`. */
  readonly fixed: readonly string[];
  /** The index or a download could not be reached. */
  readonly isOutOfReach: boolean;
  /** Everything that is no progress: errors of cargo itself, what programs printed. */
  readonly rest: string;
}

/** Verbs that cargo right-aligns to 12 columns in front of its progress. */
const PROGRESS_REGEXP = /^ {2,11}(?:[A-Z][a-z]+|Doc-tests) /;
const RUNNING_REGEXP = /^ +Running (.+?)(?: \(.*\))?$/;
const DOC_TESTS_REGEXP = /^ +Doc-tests (.+)$/;
const FIXED_REGEXP = /^ +Fixed (.+)$/;

/** Sentences that only repeat that something failed. */
const ECHOES: readonly RegExp[] = [
  /^error: could not compile /,
  /^error: test failed, to rerun pass /,
  /^error: doctest failed, to rerun pass /,
  /^error: \d+ targets? failed:/,
  /^warning: build failed, waiting for other jobs/,
  /^warning: .* generated \d+ warnings?/,
  /^ {4}`--.*`$/,
  /^\s*$/,
];

/** How cargo words that the network did not answer. */
const OUT_OF_REACH: readonly RegExp[] = [
  /failed to download/i,
  /download of .* failed/i,
  /unable to update registry/i,
  /failed to query replaced source/i,
  /could(?: not|n't) (?:resolve|connect to) /i,
  /spurious network error/i,
  /failed to fetch/i,
  /network failure/i,
];

/** Reads what cargo printed to stderr. */
export function readCargoStderr(text: string): CargoStderr {
  const suites: string[] = [];
  const fixed: string[] = [];
  const rest: string[] = [];
  for (const line of text.split("\n")) {
    if (!PROGRESS_REGEXP.test(line)) {
      if (!ECHOES.some((echo) => echo.test(line))) rest.push(line);
      continue;
    }
    const suite = RUNNING_REGEXP.exec(line)?.[1];
    if (suite !== undefined) suites.push(suite);
    const docTests = DOC_TESTS_REGEXP.exec(line)?.[1];
    if (docTests !== undefined) suites.push(`doc-tests ${docTests}`);
    const file = FIXED_REGEXP.exec(line)?.[1];
    if (file !== undefined) fixed.push(file);
  }
  return {
    suites,
    fixed,
    isOutOfReach: OUT_OF_REACH.some((pattern) => pattern.test(text)),
    rest: rest.join("\n"),
  };
}
