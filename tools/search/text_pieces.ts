import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { readUpTo } from "../files/file_bytes.ts";
import { describeBytes, encodingOf } from "../files/text_file.ts";

/** Some whole lines of a file. */
export interface TextPiece {
  readonly text: string;
  /** The number of its first line, from 1. */
  readonly firstLine: number;
}

const CHUNK_BYTES = 4 * 1024 * 1024;
const BINARY_PROBE_BYTES = 8192;
/** What is longer is taken for several lines. */
const MAX_LINE_UNITS = 16 * 1024 * 1024;

/**
 * The text of a regular file, in one piece or, when it has more than 4 MiB, in several; nothing for
 * a binary one. What is no valid UTF-8 comes as U+FFFD, so that a file in another encoding is
 * searched as far as it is ASCII.
 *
 * @throws {SandboxError} as `SandboxRoot.openFile`.
 */
export function* textPieces(sandbox: SandboxRoot, canonical: string): Generator<TextPiece> {
  using file = sandbox.openFile(canonical);
  // One byte more than there should be, so that most files are read to their end at once.
  const wanted = Math.min(file.statSync().size + 1, CHUNK_BYTES);
  let bytes = readUpTo(file, wanted);
  let isEnd = bytes.length < wanted;
  const encoding = encodingOf(bytes);
  if (encoding === undefined || describeBytes(bytes) !== undefined) return;
  if (encoding.name === "utf-8" && bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return;
  // The decoder drops the byte order mark.
  const decoder = new TextDecoder(encoding.name);
  let open = "";
  let firstLine = 1;
  while (bytes.length > 0) {
    const text = open + decoder.decode(bytes, { stream: true });
    // The buffer for a chunk takes milliseconds to make, so none is made in vain.
    bytes = isEnd ? new Uint8Array() : readUpTo(file, CHUNK_BYTES);
    isEnd ||= bytes.length < CHUNK_BYTES;
    const feed = text.lastIndexOf("\n") + 1;
    const end = feed > 0 || text.length < MAX_LINE_UNITS ? feed : text.length;
    if (end > 0) yield { text: text.slice(0, end), firstLine };
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) firstLine += 1;
    open = text.slice(end);
  }
  open += decoder.decode();
  if (open !== "") yield { text: open, firstLine };
}
