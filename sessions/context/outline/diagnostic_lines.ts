const DIAGNOSTIC_REGEXP =
  /\b(?:fatal|panicked at|traceback|fail(?:ed|ure)?|test result)\b|assert|(?:error|exception|warning)s?\b/i;

/** Lines longer than this are not searched. */
const MAX_LINE_UNITS = 1000;

/** The lines of a text that report errors, failures and warnings, in order. */
export function diagnosticLines(lines: readonly string[], maxLines: number): string[] {
  const found: string[] = [];
  for (const line of lines) {
    if (found.length >= maxLines) break;
    if (line.length <= MAX_LINE_UNITS && DIAGNOSTIC_REGEXP.test(line)) found.push(line.trimEnd());
  }
  return found;
}
