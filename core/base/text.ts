// deno-lint-ignore-file no-control-regex -- control characters are what makeVisible() looks for
const ENCODER = new TextEncoder();

/** The length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 2;
      i += 1;
    } else bytes += 2;
  }
  return bytes;
}

/** A text as UTF-8 bytes; lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return ENCODER.encode(text);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The start of a text, at most `maxUnits` UTF-16 units long, never ending inside a pair. */
export function headUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const cut = isLowSurrogate(text.charCodeAt(maxUnits)) ? maxUnits - 1 : maxUnits;
  return text.slice(0, Math.max(cut, 0));
}

/** The end of a text, at most `maxUnits` UTF-16 units long, never starting inside a pair. */
export function tailUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const start = text.length - maxUnits;
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

/** Controls, bidi overrides, zero-width and other invisible characters; line feed and tab stay. */
const INVISIBLE_REGEXP =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

/**
 * Shows what cannot be seen as `\u{hex}`, so that a command on screen cannot look like another one.
 * Line feeds and tabs are kept.
 */
export function makeVisible(text: string): string {
  return text.replace(
    INVISIBLE_REGEXP,
    (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * The nearest of some known names to a mistyped one, or `undefined` when none is near: at most a
 * third of the letters may differ, case ignored.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  return nearestNames(name, known)[0];
}

/** Like {@linkcode nearestName}, up to three names, nearest first. */
export function nearestNames(name: string, known: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  return [...known]
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) =>
      distance <= Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3))
    )
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Optimal string alignment: insertions, deletions, substitutions, swaps of neighbours. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 16) return Number.MAX_SAFE_INTEGER;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (beforePrevious[j - 2] ?? 0) + 1 : substitution;
      row.push(Math.min(substitution, swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
