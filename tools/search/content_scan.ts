import { MAX_WHOLE_FILE_BYTES } from "../files/load_file.ts";
import { readUpTo } from "../files/file_bytes.ts";
import type { WalkedFile } from "./file_walker.ts";
import type { LineMatcher } from "./line_matcher.ts";
import type { TimeSlices } from "./time_slices.ts";

const FIRST_READ_BYTES = 128 * 1024;
const BINARY_PROBE_BYTES = 8192;

/**
 * Reads files one after the other and gives out those that may hold a match, in the same order.
 * What it says is a hint: a file given out is read again through the sandbox.
 */
export async function* scanContents(
  files: AsyncIterable<WalkedFile> | Iterable<WalkedFile>,
  options: { readonly matcher: LineMatcher; readonly slices: TimeSlices },
): AsyncGenerator<WalkedFile> {
  const { matcher, slices } = options;
  const buffer = new Uint8Array(FIRST_READ_BYTES);
  const decoder = new TextDecoder();
  for await (const file of files) {
    if (slices.isDue) await slices.rest();
    if (slices.isOver) return;
    const bytes = readContent(file.canonical, buffer);
    if (bytes === undefined) continue;
    // UTF-16 and what is too big for one look are left to the closer one.
    if (bytes === "unknown" || matcher.mayMatch(decoder.decode(bytes))) yield file;
  }
}

/** The bytes of a text, `undefined` for what is not searched or cannot be read. */
function readContent(path: string, buffer: Uint8Array): Uint8Array | "unknown" | undefined {
  try {
    using file = Deno.openSync(path);
    const length = file.readSync(buffer) ?? 0;
    const head = buffer.subarray(0, length);
    if (isUtf16(head)) return "unknown";
    if (head.subarray(0, BINARY_PROBE_BYTES).includes(0)) return undefined;
    if (length < buffer.length) return head;
    const { size } = file.statSync();
    if (size > MAX_WHOLE_FILE_BYTES) return "unknown";
    const whole = new Uint8Array(size + 1);
    whole.set(head);
    const rest = readUpTo(file, size + 1 - length);
    whole.set(rest, length);
    return whole.subarray(0, length + rest.length);
  } catch {
    return undefined;
  }
}

function isUtf16(head: Uint8Array): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
}
