// deno-lint-ignore-file no-console -- the one place that takes hold of it

/** The methods of `console` that print to stdout. */
const STDOUT_METHODS = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "group",
  "groupCollapsed",
  "count",
  "timeLog",
  "timeEnd",
] as const;

/**
 * Sends every print of a dependency to stderr: stdout belongs to the protocol. Our own code does
 * not print at all.
 */
export function guardConsole(): void {
  for (const method of STDOUT_METHODS) console[method] = console.error;
}
