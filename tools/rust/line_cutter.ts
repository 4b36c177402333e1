/** Options of a {@linkcode LineCutter}. */
export interface LineCutterOptions {
  /** Takes each line, its end removed. */
  readonly onLine: (line: string) => void;
  /** The longest line, in UTF-16 units; of a longer one nothing comes. */
  readonly maxUnits: number;
}

/** Cuts text that comes in pieces into lines. */
export class LineCutter {
  readonly #options: LineCutterOptions;
  #pending = "";
  #isTooLong = false;

  constructor(options: LineCutterOptions) {
    this.#options = options;
  }

  /** Takes the next piece. */
  push(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#keep(text.slice(start, end));
      this.#finishLine();
      start = end + 1;
    }
    this.#keep(text.slice(start));
  }

  /** Ends the text: what stands behind the last line feed is a line too. */
  finish(): void {
    if (this.#pending !== "" || this.#isTooLong) this.#finishLine();
  }

  #keep(text: string): void {
    this.#isTooLong ||= this.#pending.length + text.length > this.#options.maxUnits;
    this.#pending = this.#isTooLong ? "" : this.#pending + text;
  }

  #finishLine(): void {
    const line = this.#pending;
    const isWhole = !this.#isTooLong;
    this.#pending = "";
    this.#isTooLong = false;
    if (isWhole) this.#options.onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }
}
