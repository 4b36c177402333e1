/** Reads up to a number of bytes from where an open file stands. */
export function readUpTo(file: Deno.FsFile, maxBytes: number): Uint8Array<ArrayBuffer> {
  const buffer = new Uint8Array(maxBytes);
  let length = 0;
  while (length < maxBytes) {
    const count = file.readSync(buffer.subarray(length));
    if (count === null) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

/** Writes all bytes where an open file stands; one call may take only some of them. */
export function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

/** A number of bytes for people: `812 bytes`, `12.3 KB`, `4.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} KB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
