/** A panic as the runtime printed it. */
export interface Panic {
  /** The thread's name, which in a test is the name of the test. */
  readonly thread: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

const HEAD = " panicked at ";
const START = "thread '";
/** Lines that end a message. */
const ENDS: readonly string[] = ["note: run with `RUST_BACKTRACE", "stack backtrace:"];
const MAX_MESSAGE_LINES = 40;

/**
 * Finds the panics in what a program printed, in order. Both forms are read: place in the first
 * line and message below (since Rust 1.73), and `'message', place` in one line (before).
 */
export function findPanics(lines: readonly string[]): Panic[] {
  const found: Panic[] = [];
  for (const [index, line] of lines.entries()) {
    const start = line.indexOf(START);
    if (start < 0) continue;
    const panic = readPanic(
      line.slice(start),
      lines.slice(index + 1, index + 1 + MAX_MESSAGE_LINES),
    );
    if (panic !== undefined) found.push(panic);
  }
  return found;
}

/** A place at the end of a text, `src/lib.rs:10:24`. */
export function placeAtEnd(
  text: string,
): { readonly file: string; readonly line: number; readonly column: number } | undefined {
  const parts = text.split(":");
  const [line, column] = parts.slice(-2);
  const before = parts.slice(0, -2).join(":");
  if (before === "" || line === undefined || column === undefined) return undefined;
  if (!/^\d{1,9}$/.test(line) || !/^\d{1,9}$/.test(column)) return undefined;
  const file = before.slice(before.lastIndexOf(" ") + 1);
  return file === "" ? undefined : { file, line: Number(line), column: Number(column) };
}

function readPanic(head: string, below: readonly string[]): Panic | undefined {
  // Since Rust 1.91 the number of the thread stands behind its name.
  const at = head.indexOf(HEAD);
  const quote = head.indexOf("'", START.length);
  if (at < 0 || quote < 0 || quote > at) return undefined;
  const thread = head.slice(START.length, quote);
  const rest = head.slice(at + HEAD.length);
  if (rest.startsWith("'")) {
    const end = rest.lastIndexOf("', ");
    if (end > 0) return { thread, message: rest.slice(1, end), ...placeAtEnd(rest.slice(end + 3)) };
  }
  const end = below.findIndex((line) =>
    line === "" || ENDS.some((start) => line.startsWith(start))
  );
  const message = (end < 0 ? below : below.slice(0, end)).join("\n");
  return { thread, message, ...placeAtEnd(rest.replace(/:$/, "")) };
}
