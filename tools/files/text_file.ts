/** Text on disk and back: encodings and line endings survive byte for byte. */

/** How the text of a file is stored. */
export interface TextEncoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be";
  /** Whether a byte order mark stands in front; it is no part of the text. */
  readonly bom: boolean;
}

/** The bytes of a file as text, or why they are none. */
export type DecodedFile =
  | { readonly type: "text"; readonly text: string; readonly encoding: TextEncoding }
  | { readonly type: "binary"; readonly description: string }
  | { readonly type: "unknown_encoding"; readonly reason: string };

/** What new files get. */
export const PLAIN_UTF8: TextEncoding = { name: "utf-8", bom: false };

const BINARY_PROBE_BYTES = 8192;

/** Formats that are told by their first bytes; `?` stands for any byte. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ["\x89PNG\r\n", "a PNG image"],
  ["\xff\xd8\xff", "a JPEG image"],
  ["GIF87a", "a GIF image"],
  ["GIF89a", "a GIF image"],
  ["RIFF????WEBP", "a WebP image"],
  ["BM????\0\0\0\0", "a BMP image"],
  ["\0\0\x01\0", "an icon"],
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive (or an Office document)"],
  ["\x1f\x8b", "a gzip archive"],
  ["\x7fELF", "an ELF binary"],
  ["MZ????????\0\0", "a Windows program"],
  ["\0asm", "a WebAssembly module"],
  ["SQLite format 3\0", "a SQLite database"],
];

/**
 * Decodes a file: UTF-8 with or without byte order mark, UTF-16 with one. A NUL in the first 8 KiB
 * makes it binary.
 *
 * @param bytes The whole file.
 */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const kind = describeBytes(bytes);
  if (kind !== undefined) return { type: "binary", description: kind };
  const encoding = encodingOf(bytes);
  if (encoding === undefined) {
    return { type: "unknown_encoding", reason: "it is UTF-32, which is not supported" };
  }
  if (encoding.name === "utf-8" && bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) {
    return { type: "binary", description: "a binary file" };
  }
  const body = bytes.subarray(bomLength(encoding));
  try {
    // `ignoreBOM` keeps a second mark, which is data; the first one is cut off above.
    const decoder = new TextDecoder(encoding.name, { fatal: true, ignoreBOM: true });
    return { type: "text", text: decoder.decode(body), encoding };
  } catch {
    const reason = encoding.name === "utf-8"
      ? `it is not valid UTF-8 (first bad byte at offset ${firstBadByte(bytes)})`
      : `it is not valid ${encoding.name.toUpperCase()}`;
    return { type: "unknown_encoding", reason };
  }
}

/** What a file is by its first bytes, or `undefined` when they tell nothing. */
export function describeBytes(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(([signature]) => matches(bytes, signature))?.[1];
}

/** The encoding that the byte order mark tells; `undefined` for UTF-32. */
export function encodingOf(bytes: Uint8Array): TextEncoding | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { name: "utf-8", bom: true };
  if (a === 0xff && b === 0xfe) {
    return c === 0 && d === 0 ? undefined : { name: "utf-16le", bom: true };
  }
  if (a === 0xfe && b === 0xff) return { name: "utf-16be", bom: true };
  return PLAIN_UTF8;
}

/** How many bytes the byte order mark of an encoding takes. */
export function bomLength(encoding: TextEncoding): number {
  return !encoding.bom ? 0 : encoding.name === "utf-8" ? 3 : 2;
}

/** The bytes of a text; the inverse of {@linkcode decodeFile}. Lone surrogates become U+FFFD. */
export function encodeFile(text: string, encoding: TextEncoding): Uint8Array<ArrayBuffer> {
  const whole = (encoding.bom ? "\ufeff" : "") + text.toWellFormed();
  if (encoding.name === "utf-8") return new TextEncoder().encode(whole);
  const bytes = new Uint8Array(whole.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < whole.length; i++) {
    view.setUint16(i * 2, whole.charCodeAt(i), encoding.name === "utf-16le");
  }
  return bytes;
}

/**
 * A text as it will be read back: a mark that now stands first in a file without one counts as the
 * file's byte order mark from then on.
 */
export function textAsRead(text: string, encoding: TextEncoding): string {
  return !encoding.bom && text.startsWith("\ufeff") ? text.slice(1) : text;
}

function matches(bytes: Uint8Array, signature: string): boolean {
  if (bytes.length < signature.length) return false;
  for (let i = 0; i < signature.length; i++) {
    if (signature[i] !== "?" && bytes[i] !== signature.charCodeAt(i)) return false;
  }
  return true;
}

/** Where UTF-8 breaks: the start of the first bad sequence, found by halving. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (good < bad) {
    const middle = Math.ceil((good + bad) / 2);
    if (isValidUtf8(bytes.subarray(0, middle), { stream: true })) good = middle;
    else bad = middle - 1;
  }
  // A stream lets the start of a sequence pass; the sequence as a whole is what is bad.
  while (good > 0 && !isValidUtf8(bytes.subarray(0, good), { stream: false })) good -= 1;
  return good;
}

function isValidUtf8(bytes: Uint8Array, options: { readonly stream: boolean }): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, options);
    return true;
  } catch {
    return false;
  }
}
