import { textWeight } from "./text_weight.ts";

/** How much a new observation counts against the earlier ones (exponential moving average). */
const ALPHA = 0.3;

/** Tokens a character, by model family: published vocabularies compared on prose and code. */
const FAMILY_RATIOS: readonly (readonly [RegExp, number])[] = [
  [/gemma|gemini/i, 0.26],
  [/qwen|qwq/i, 0.27],
  [/claude/i, 0.29],
  [/gpt|(?:^|[/:])o[134]\b|codex/i, 0.25],
  [/deepseek/i, 0.27],
  [/glm/i, 0.27],
  [/mistral|mixtral|devstral|codestral|magistral/i, 0.28],
  [/llama/i, 0.26],
];

/** Tokens a character of an unknown family. */
const FALLBACK_RATIO = 0.27;

/**
 * A report of less than this part of the family's estimate is no measurement: the server cut the
 * prompt, left out what it had cached, or counts nothing at all.
 */
const LEAST_PLAUSIBLE = 0.5;

/** No tokenizer makes more of a text than this; what is above is a fault of the report. */
const MOST_PLAUSIBLE = 4;

interface Calibration {
  /** The moving average of observed by estimated, not yet corrected for its start at 0. */
  average: number;
  /** The sum of the weights in it: 1 − (1 − α)ⁿ. */
  certainty: number;
}

/**
 * Estimates how many tokens a text takes, without the model's own tokenizer: characters × a ratio
 * of the model's family, calibrated by what the server reports for that model.
 *
 * Weights of texts do not depend on the model, so they may be cached and added up; calibration
 * rescales their sum. The moving average is corrected for its start (Kingma & Ba 2015, section 3),
 * so the first report counts in full instead of by a third.
 */
export class TokenEstimator {
  #model = "";
  #familyRatio = FALLBACK_RATIO;
  #calibrations = new Map<string, Calibration>();

  /** @param model The model's id; its family sets the ratio until the server reports. */
  constructor(model: string) {
    this.useModel(model);
  }

  /** The model that estimates are made for. */
  get model(): string {
    return this.#model;
  }

  /** Estimates for another model from here on; what is known of each one is kept. */
  useModel(model: string): void {
    this.#model = model;
    this.#familyRatio = familyRatio(model);
  }

  /** Tokens a character of the model in use, as calibrated. */
  get ratio(): number {
    const known = this.#calibrations.get(this.#model);
    return this.#familyRatio * (known === undefined ? 1 : known.average / known.certainty);
  }

  /** The estimated tokens of a text, a whole number. */
  estimate(text: string): number {
    return this.tokensOf(textWeight(text));
  }

  /** The tokens of a weight, a whole number. */
  tokensOf(weight: number): number {
    return Math.ceil(weight * this.ratio);
  }

  /** The weight that a number of tokens has room for. */
  weightOf(tokens: number): number {
    return tokens / this.ratio;
  }

  /**
   * Learns from a report. One that cannot be a count of the whole request is ignored.
   *
   * @param weight The weight of everything that was sent, in average characters.
   * @param tokens What the server counted.
   * @param model The model that answered.
   */
  observe(weight: number, tokens: number, model: string = this.#model): void {
    if (!(weight > 0) || !(tokens > 0)) return;
    const scale = tokens / (weight * familyRatio(model));
    if (scale < LEAST_PLAUSIBLE || scale > MOST_PLAUSIBLE) return;
    const known = this.#calibrations.get(model) ?? { average: 0, certainty: 0 };
    this.#calibrations.set(model, {
      average: known.average + ALPHA * (scale - known.average),
      certainty: known.certainty + ALPHA * (1 - known.certainty),
    });
  }
}

function familyRatio(model: string): number {
  return FAMILY_RATIOS.find(([family]) => family.test(model))?.[1] ?? FALLBACK_RATIO;
}
