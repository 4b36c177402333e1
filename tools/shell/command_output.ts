import { BoundedText, type CapturedText } from "./bounded_text.ts";
import { ControlStripper } from "./control_stripper.ts";
import { LineFolder } from "./line_folder.ts";

/** Options of a {@linkcode CommandOutput}. */
export interface CommandOutputOptions {
  /** The most that is kept, in UTF-8 bytes. */
  readonly maxBytes: number;
  /** Leaves control sequences and carriage returns as they are; for output that is parsed. */
  readonly keepControls: boolean;
  /** Takes live text as it comes: whole characters, no control sequences, carriage returns kept. */
  readonly onText?: (chunk: string) => void;
}

/** What one stream of a command printed. */
export interface CapturedOutput extends CapturedText {
  /** The bytes that came, control sequences and all. */
  readonly rawBytes: number;
}

/**
 * One output stream of a command on its way from bytes to text: decoded as UTF-8 across chunk
 * boundaries, freed of control sequences, redrawn lines folded, head and tail kept.
 */
export class CommandOutput {
  readonly #decoder = new TextDecoder();
  readonly #stripper = new ControlStripper();
  readonly #folder: LineFolder;
  readonly #kept: BoundedText;
  readonly #options: CommandOutputOptions;
  #rawBytes = 0;

  constructor(options: CommandOutputOptions) {
    this.#options = options;
    this.#kept = new BoundedText(options.maxBytes);
    this.#folder = new LineFolder((text) => this.#kept.append(text));
  }

  /** Takes the next bytes; the buffer may be used again afterwards. */
  push(bytes: Uint8Array<ArrayBuffer>): void {
    this.#rawBytes += bytes.length;
    this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Ends the stream and returns what was kept. Call it once. */
  finish(): CapturedOutput {
    this.#take(this.#decoder.decode());
    this.#folder.finish();
    return { ...this.#kept.capture(), rawBytes: this.#rawBytes };
  }

  #take(decoded: string): void {
    if (decoded === "") return;
    const text = this.#options.keepControls ? decoded : this.#stripper.push(decoded);
    if (text === "") return;
    if (this.#options.keepControls) this.#kept.append(text);
    else this.#folder.push(text);
    this.#options.onText?.(text);
  }
}
