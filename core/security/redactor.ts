import { type CustomPattern, RedactionEngine } from "./redaction_engine.ts";
import { secretNameKind } from "./redaction_names.ts";
import { REDACTED } from "./redaction_scan.ts";
import { isSecretLiteral } from "./redaction_values.ts";

/** What a {@linkcode Redactor} knows besides the built-in patterns. */
export interface RedactorOptions {
  /**
   * The environment whose secret values are masked wherever they appear.
   * @default {{}}
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether a path exists: a variable that names an existing path holds no secret. */
  readonly pathExists?: (path: string) => boolean;
  /** Patterns of the person's own, applied after the built-in ones. */
  readonly customPatterns?: readonly CustomPattern[];
  /**
   * Longest line that is looked at as a whole, in UTF-16 units; tests make it small.
   * @default {65_536}
   */
  readonly maxLineUnits?: number;
}

/** Ciphertext of providers, which must go back to them unchanged. */
const CIPHERTEXT_KEYS: ReadonlySet<string> = new Set([
  "encrypted_content",
  "encrypted_index",
  "encrypted_stdout",
  "signature",
  "thought_signature",
  "thoughtSignature",
  "thinkingSignature",
]);

/** Types of blocks whose `data` is ciphertext: Anthropic's and OpenRouter's. */
const CIPHERTEXT_TYPES: ReadonlySet<unknown> = new Set([
  "redacted_thinking",
  "reasoning.encrypted",
]);

/**
 * Masks secrets in copies of text: known token formats, assignments to telling names, private keys,
 * and the values of secret environment variables. What it returns is stable: redacting it again
 * changes nothing. A JSON text stays JSON.
 */
export class Redactor {
  readonly #options: RedactorOptions;
  #engine: RedactionEngine | undefined;

  /** Cheap: patterns are compiled when the first text comes. */
  constructor(options: RedactorOptions = {}) {
    this.#options = options;
  }

  /** What finds the secrets; for {@linkcode RedactionStream}. */
  get engine(): RedactionEngine {
    const { env = {}, customPatterns = [], ...others } = this.#options;
    return this.#engine ??= new RedactionEngine({ env, customPatterns, ...others });
  }

  /** The text with every secret replaced by `[REDACTED]`; the same string when there is none. */
  redact(text: string): string {
    return text.length < 3 ? text : this.engine.redact(text);
  }

  /**
   * A copy of plain JSON data with every string redacted, keys included. The name of a field counts
   * as it does in text: a password under `password` goes, also a number. Ciphertext that belongs to
   * a provider stays as it is.
   */
  redactValue<T>(value: T): T {
    return this.#walk(value) as T;
  }

  /** Whether a name in code or configuration stands for a secret: `apiKey`, not `tokenBudget`. */
  isSecretName(name: string): boolean {
    return secretNameKind(name) !== undefined;
  }

  #walk(value: unknown): unknown {
    if (typeof value === "string") return this.redact(value);
    if (Array.isArray(value)) return value.map((item) => this.#walk(item));
    if (typeof value !== "object" || value === null) return value;
    const isCipherBlock = "type" in value && CIPHERTEXT_TYPES.has(value.type);
    const entries = Object.entries(value).map(([key, field]) => {
      const isCiphertext = CIPHERTEXT_KEYS.has(key) || (isCipherBlock && key === "data");
      if (isCiphertext && typeof field === "string") return [key, field];
      return [this.redact(key), this.#field(key, field)];
    });
    return Object.fromEntries(entries);
  }

  #field(key: string, field: unknown): unknown {
    if (typeof field === "string" || typeof field === "number") {
      const kind = secretNameKind(key);
      const isSecret = kind === undefined
        ? false
        : typeof field === "string"
        ? isSecretLiteral(kind, field)
        : (kind === "password" || kind === "pin") && Math.abs(field) >= 1_000;
      if (isSecret) return REDACTED;
    }
    return this.#walk(field);
  }
}
