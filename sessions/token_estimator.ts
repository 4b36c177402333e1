/** How fast a new observation moves the calibration (exponential moving average). */
const ALPHA = 0.3;

/** Tokens a character of ASCII text, by model family; measured averages over prose and code. */
const FAMILY_RATIOS: readonly (readonly [RegExp, number])[] = [
  [/gemma/i, 0.26],
  [/qwen/i, 0.27],
  [/claude/i, 0.29],
  [/gpt|o[134]-/i, 0.25],
  [/llama/i, 0.26],
  [/deepseek/i, 0.27],
  [/glm/i, 0.27],
  [/mistral|mixtral|devstral/i, 0.28],
];

const FALLBACK_RATIO = 0.27;

/** Tokens a code point beyond ASCII: most of them are CJK or symbols. */
const NON_ASCII_TOKENS = 0.9;

/** Estimates how many tokens a text takes, without the model's own tokenizer. */
export class TokenEstimator {
  readonly #ratio: number;
  #scale = 1;

  /** @param model The model's id; its family sets the ratio. */
  constructor(model: string) {
    this.#ratio = FAMILY_RATIOS.find(([family]) => family.test(model))?.[1] ?? FALLBACK_RATIO;
  }

  /** The estimated tokens of a text, a whole number. */
  estimate(text: string): number {
    return this.scaled(this.weigh(text));
  }

  /** The uncalibrated weight of a text: weights may be cached and added up. */
  weigh(text: string): number {
    let wide = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      // The second half of a surrogate pair belongs to a code point that was counted.
      if (unit > 0x7f && (unit < 0xdc00 || unit > 0xdfff)) wide += 1;
    }
    return (text.length - wide) * this.#ratio + wide * NON_ASCII_TOKENS;
  }

  /** A weight as calibrated tokens. */
  scaled(weight: number): number {
    return Math.ceil(weight * this.#scale);
  }

  /** Learns from what the server counted for a request of the given weight. */
  observe(weight: number, tokens: number): void {
    if (weight <= 0 || tokens <= 0) return;
    this.#scale += ALPHA * (tokens / weight - this.#scale);
  }
}
