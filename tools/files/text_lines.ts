/** How a line ends; the last line of a file may have no ending. */
export type LineEnding = "\n" | "\r\n" | "";

/** One line of a text. A carriage return that is not followed by a line feed is data. */
export interface TextLine {
  /** Where the line starts in the text, in UTF-16 units. */
  readonly start: number;
  /** Where its text ends and its ending begins. */
  readonly end: number;
  readonly ending: LineEnding;
}

/** The lines of a text; an empty text has none, and a final ending starts no further line. */
export function splitLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf("\n", start);
    if (feed < 0) {
      lines.push({ start, end: text.length, ending: "" });
      break;
    }
    const crlf = feed > start && text.charCodeAt(feed - 1) === 13;
    lines.push({ start, end: crlf ? feed - 1 : feed, ending: crlf ? "\r\n" : "\n" });
    start = feed + 1;
  }
  return lines;
}

/** Where the next line would start: behind the ending. */
export function fullEnd(line: TextLine): number {
  return line.end + line.ending.length;
}

/** The ending that most lines have; a line feed where there is none to go by. */
export function dominantEnding(lines: readonly TextLine[]): "\n" | "\r\n" {
  let balance = 0;
  for (const { ending } of lines) balance += ending === "\r\n" ? 1 : ending === "\n" ? -1 : 0;
  return balance > 0 ? "\r\n" : "\n";
}
