/** A byte pattern made ready for searching. */
export interface BytePattern {
  readonly bytes: Uint8Array;
  /** How far a search may jump when a window ends with this byte. */
  readonly skip: Uint8Array;
}

/** Prepares an ASCII text of at most 255 characters. */
export function bytePattern(text: string): BytePattern {
  const bytes = new TextEncoder().encode(text);
  const skip = new Uint8Array(256).fill(bytes.length);
  bytes.subarray(0, -1).forEach((byte, i) => skip[byte] = bytes.length - 1 - i);
  return { bytes, skip };
}

/** The next place of a pattern at or after `from`, or -1 (Horspool, 1980). */
export function findBytes(
  haystack: Uint8Array,
  pattern: BytePattern,
  options: { readonly from: number },
): number {
  const { bytes, skip } = pattern;
  const last = bytes.length - 1;
  const lastByte = bytes[last];
  for (let end = options.from + last; end < haystack.length;) {
    const byte = haystack[end] ?? 0;
    if (byte === lastByte && matchesAt(haystack, bytes, end - last)) return end - last;
    end += skip[byte] ?? 1;
  }
  return -1;
}

function matchesAt(haystack: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < bytes.length; i++) if (haystack[at + i] !== bytes[i]) return false;
  return true;
}
