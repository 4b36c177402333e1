/** How a long text is counted when it is read in pieces. */

/** A line longer than this counts as several rows, in UTF-16 units. */
export const MAX_ROW_UNITS = 2000;

/**
 * The rows of a text: its lines, the long ones in pieces, so that every part of it can be asked for
 * by number. A last line break starts no row of its own, and no cut splits a surrogate pair.
 */
export function outputRows(text: string): string[] {
  const rows: string[] = [];
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    pushPieces(rows, text.slice(start, end));
    start = end + 1;
  }
  return rows;
}

function pushPieces(rows: string[], line: string): void {
  let at = 0;
  while (line.length - at > MAX_ROW_UNITS) {
    const end = at + MAX_ROW_UNITS -
      (isHighSurrogate(line.charCodeAt(at + MAX_ROW_UNITS - 1)) ? 1 : 0);
    rows.push(line.slice(at, end));
    at = end;
  }
  rows.push(line.slice(at));
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
