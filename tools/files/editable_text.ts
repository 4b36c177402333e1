import { dominantEnding, fullEnd, splitLines, type TextLine } from "./text_lines.ts";

/** A part of a text to be replaced, in UTF-16 units of the text as it is on disk. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/**
 * A text with its lines, and a view of it in which every line ends in a single line feed, as models
 * see and send text. What is edited in the view is carried over to the text so that no ending
 * outside of what changed is touched.
 */
export class EditableText {
  readonly text: string;
  readonly lines: readonly TextLine[];
  /** The text with line feeds only; a bare carriage return is data and stays. */
  readonly view: string;
  /** Where each line starts in the view; the text itself where they are the same. */
  readonly #viewStarts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.lines = splitLines(text);
    this.view = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
    let removed = 0;
    this.#viewStarts = this.lines.map((line) => {
      const start = line.start - removed;
      if (line.ending === "\r\n") removed += 1;
      return start;
    });
  }

  /** The text of a line, or `undefined` when there is no such line. */
  line(index: number): string | undefined {
    const line = this.lines[index];
    return line === undefined ? undefined : this.text.slice(line.start, line.end);
  }

  /** Where a line starts in the view. */
  viewStart(index: number): number {
    return this.#viewStarts[index] ?? this.view.length;
  }

  /** Where a line's text ends in the view. */
  viewEnd(index: number): number {
    const line = this.lines[index];
    return line === undefined ? this.view.length : this.viewStart(index) + line.end - line.start;
  }

  /** The line that an offset of the view is in; the last one at the very end. */
  lineAt(viewOffset: number): number {
    let low = 0;
    let high = this.lines.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.viewStart(middle) <= viewOffset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The ending for new lines near a line: its own, else the one that most lines have. */
  endingNear(index: number): "\n" | "\r\n" {
    return this.lines[index]?.ending || dominantEnding(this.lines);
  }

  /**
   * Carries a replacement in the view over to the text. What old and new text share at both ends is
   * left alone, so its endings survive; each new line break takes the ending of the break it stands
   * for, further ones that of the last, or `ending`.
   */
  toSplice(
    range: { readonly start: number; readonly end: number },
    insert: string,
    ending: "\n" | "\r\n",
  ): Splice {
    const old = this.view.slice(range.start, range.end);
    const head = commonHead(old, insert);
    const tail = commonTail(old.slice(head), insert.slice(head));
    const start = range.start + head;
    const end = range.end - tail;
    const endings = this.#endingsBetween(start, end);
    let seen = 0;
    const text = insert.slice(head, insert.length - tail)
      .replace(/\n/g, () => endings[seen++] ?? endings.at(-1) ?? ending);
    return { start: this.#toText(start), end: this.#toText(end), insert: text };
  }

  #endingsBetween(start: number, end: number): ("\n" | "\r\n")[] {
    const endings: ("\n" | "\r\n")[] = [];
    if (start === end) return endings;
    for (let index = this.lineAt(start); this.viewEnd(index) < end; index++) {
      const ending = this.lines[index]?.ending;
      if (ending === undefined) break;
      if (ending !== "") endings.push(ending);
    }
    return endings;
  }

  #toText(viewOffset: number): number {
    const index = this.lineAt(viewOffset);
    const line = this.lines[index];
    if (line === undefined) return 0;
    const within = viewOffset - this.viewStart(index);
    return within > line.end - line.start ? fullEnd(line) : line.start + within;
  }
}

function commonHead(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

function commonTail(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(a.length - 1 - at) === b.charCodeAt(b.length - 1 - at)) at += 1;
  return at;
}
