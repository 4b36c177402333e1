import { headUnits } from "../../core/base/text.ts";

/** The longest line that a carriage return can still take back, in UTF-16 units. */
const MAX_OPEN_UNITS = 4096;

const MOVE_REGEXP = /[\b\n\r]/g;

/**
 * Folds lines that were drawn several times (`10 %`, carriage return, `20 %`) to their last state,
 * in linear time and bounded memory. A backspace takes one character back. A line over 4,096 units
 * is passed on before its end and cannot be taken back from then on.
 */
export class LineFolder {
  #line = "";
  #isOverdrawn = false;
  readonly #emit: (text: string) => void;

  /** @param emit Takes finished text; whole lines save for very long ones. */
  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  /** Takes the next piece; how the text is cut into pieces makes no difference. */
  push(text: string): void {
    if (!this.#isOverdrawn && !text.includes("\r") && !text.includes("\b")) {
      return this.#pushPlain(text);
    }
    let at = 0;
    while (at < text.length) {
      MOVE_REGEXP.lastIndex = at;
      const found = MOVE_REGEXP.test(text) ? MOVE_REGEXP.lastIndex - 1 : text.length;
      if (found > at) this.#add(text.slice(at, found));
      if (found < text.length) this.#move(text.charCodeAt(found));
      at = found + 1;
    }
  }

  /** Passes the unfinished last line on. */
  finish(): void {
    if (this.#line !== "") this.#emit(this.#line);
    this.#line = "";
    this.#isOverdrawn = false;
  }

  // Most output has no carriage return at all; its complete lines pass as one piece.
  #pushPlain(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) {
      const lines = end === text.length ? text : text.slice(0, end);
      this.#emit(this.#line === "" ? lines : this.#line + lines);
      this.#line = "";
    }
    if (end < text.length) this.#add(detached(text.slice(end)));
  }

  #add(run: string): void {
    // The line is only dropped when something is drawn over it: "100%\r" and "\r\n" keep it.
    if (this.#isOverdrawn) this.#line = "";
    this.#isOverdrawn = false;
    let rest = run;
    while (this.#line.length + rest.length > MAX_OPEN_UNITS) {
      const fitting = headUnits(rest, MAX_OPEN_UNITS - this.#line.length);
      this.#emit(this.#line + fitting);
      this.#line = "";
      rest = rest.slice(fitting.length);
    }
    this.#line += rest === run ? run : detached(rest);
  }

  #move(code: number): void {
    if (code === 0x0a) {
      this.#emit(this.#line + "\n");
      this.#line = "";
      this.#isOverdrawn = false;
    } else if (code === 0x0d) this.#isOverdrawn = true;
    else if (!this.#isOverdrawn) {
      this.#line = headUnits(this.#line, Math.max(this.#line.length - 1, 0));
    }
  }
}

/**
 * A copy that does not keep the text alive which it was sliced from. An engine that slices by
 * reference would otherwise hold 64 KiB for the sake of the last few characters.
 */
function detached(slice: string): string {
  return (" " + slice).slice(1);
}
