import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { formatBytes, readUpTo } from "./file_bytes.ts";
import { type DecodedFile, decodeFile } from "./text_file.ts";

/** Files over this size are never read whole. */
export const MAX_WHOLE_FILE_BYTES = 10 * 1024 * 1024;

/** A file's content, as far as it could be loaded. */
export type LoadedFile =
  | DecodedFile & { readonly bytes: Uint8Array }
  | { readonly type: "too_big"; readonly sizeBytes: number };

/**
 * Reads and decodes a regular file of at most {@linkcode MAX_WHOLE_FILE_BYTES}.
 *
 * @param canonical From the sandbox.
 * @throws {SandboxError} when it is no regular file, or was replaced since it was checked.
 */
export function loadFile(sandbox: SandboxRoot, canonical: string): LoadedFile {
  using file = sandbox.openFile(canonical);
  const sizeBytes = file.statSync().size;
  if (sizeBytes > MAX_WHOLE_FILE_BYTES) return { type: "too_big", sizeBytes };
  // One byte more than expected, so that a file that grows meanwhile is noticed.
  const bytes = readUpTo(file, sizeBytes + 1);
  if (bytes.length <= sizeBytes) return { ...decodeFile(bytes), bytes };
  const rest = readUpTo(file, MAX_WHOLE_FILE_BYTES + 1 - bytes.length);
  const whole = new Uint8Array(bytes.length + rest.length);
  whole.set(bytes);
  whole.set(rest, bytes.length);
  if (whole.length > MAX_WHOLE_FILE_BYTES) return { type: "too_big", sizeBytes: whole.length };
  return { ...decodeFile(whole), bytes: whole };
}

/** Why a loaded file cannot be edited, as the end of a sentence. */
export function notTextReason(loaded: Exclude<LoadedFile, { readonly type: "text" }>): string {
  switch (loaded.type) {
    case "too_big":
      return `it has ${formatBytes(loaded.sizeBytes)}, more than 10 MiB; change it with a command`;
    case "binary":
      return `it is ${loaded.description}, not text`;
    case "unknown_encoding":
      return `${loaded.reason}; change it with a command, or convert it to UTF-8 first`;
  }
}
