type StripperState = "text" | "escape" | "control" | "string" | "string_escape";

// Everything below U+0020 but tab, line feed and carriage return; DEL; and the C1 controls.
// deno-lint-ignore no-control-regex
const SPECIAL_REGEXP = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
// deno-lint-ignore no-control-regex
const STRING_END_REGEXP = /[\u0007\u0018\u001a\u001b\u009c\n]/g;

/**
 * Removes terminal control sequences (CSI, OSC, DCS and their 8-bit forms) and control characters
 * from a stream of text, in linear time. Tab, line feed, carriage return and backspace stay: they
 * say how a line is built and are for the {@linkcode LineFolder}.
 *
 * The grammar is that of ECMA-48 as xterm reads it. A string sequence that nobody ends stops at
 * the end of its line, so that a stray `ESC ]` cannot swallow everything after it.
 */
export class ControlStripper {
  #state: StripperState = "text";

  /** The visible part of the next piece; how the text is cut into pieces makes no difference. */
  push(text: string): string {
    let visible = "";
    let at = 0;
    while (at < text.length) {
      switch (this.#state) {
        case "text": {
          const found = indexOfMatch(SPECIAL_REGEXP, text, at);
          if (found > at) {
            visible += at === 0 && found === text.length ? text : text.slice(at, found);
          }
          at = found + 1;
          if (found < text.length && this.#special(text.charCodeAt(found))) visible += "\b";
          break;
        }
        case "string": {
          const found = indexOfMatch(STRING_END_REGEXP, text, at);
          at = found + 1;
          if (found < text.length) at = this.#endString(text.charCodeAt(found), found);
          break;
        }
        case "string_escape":
          if (text.charCodeAt(at) === 0x5c) {
            this.#state = "text";
            at += 1;
          } else this.#state = "escape";
          break;
        case "escape":
        case "control":
          at += this.#step(text.charCodeAt(at));
          break;
      }
    }
    return visible;
  }

  /** Handles a control character between texts; true when it is a backspace, which is kept. */
  #special(code: number): boolean {
    if (code === 0x1b) this.#state = "escape";
    else if (code === 0x9b) this.#state = "control";
    else if (code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f)) {
      this.#state = "string";
    }
    return code === 0x08;
  }

  #endString(code: number, at: number): number {
    this.#state = code === 0x1b ? "string_escape" : "text";
    return code === 0x0a ? at : at + 1;
  }

  /** One character of a sequence; the number of characters used up, 0 or 1. */
  #step(code: number): 0 | 1 {
    const isIntermediate = code >= 0x20 && code <= 0x2f;
    if (this.#state === "control") {
      if (isIntermediate || (code >= 0x30 && code <= 0x3f)) return 1;
      this.#state = "text";
      return code >= 0x40 && code <= 0x7e ? 1 : 0;
    }
    if (isIntermediate) return 1;
    // [ starts a control sequence; ] P X ^ _ start strings.
    if (code === 0x5b) this.#state = "control";
    else if ([0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(code)) this.#state = "string";
    else this.#state = "text";
    return code >= 0x30 && code <= 0x7e ? 1 : 0;
  }
}

function indexOfMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}
