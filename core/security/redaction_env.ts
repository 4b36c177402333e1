import { isSecretEnvName } from "./redaction_names.ts";
import {
  BASE64,
  DASH,
  REDACTED,
  type RedactionAnchor,
  type RedactionScan,
} from "./redaction_scan.ts";

/** Shortest value that is masked, in UTF-16 units: shorter ones occur everywhere. */
const MIN_VALUE = 8;
const MIN_KEY_LINE = 40;
const BOOLEAN_REGEXP = /^(?:true|false|yes|no|on|off|enabled?|disabled?|none|null)$/i;

/** Which variables count, and what is known about their values. */
export interface EnvSecretsOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly pathExists?: (path: string) => boolean;
}

/** One form of a secret value. */
interface SecretLiteral {
  readonly text: string;
  /** Whether the ends of the form depend on what surrounds the value; they go, too. */
  readonly isBase64: boolean;
}

/** The values of secret environment variables, in all the forms in which they are looked for. */
export class EnvSecrets {
  readonly anchors: readonly RedactionAnchor[];
  readonly #splittable: readonly string[];

  constructor(options: EnvSecretsOptions) {
    const literals = new Map<string, SecretLiteral>();
    for (const [name, raw] of Object.entries(options.env)) {
      if (!isSecretEnvName(name)) continue;
      const value = raw.trim();
      if (!isSecretValue(value, options.pathExists)) continue;
      for (const literal of formsOf(value)) literals.set(literal.text, literal);
    }
    const found = [...literals.values()];
    this.anchors = found.map(toAnchor);
    this.#splittable = found.map(({ text }) => text).filter((text) =>
      /[\s\u2e80-\uffff]/.test(text)
    );
  }

  /**
   * The first place before a position where a value starts that could go on behind it; the
   * position itself when there is none. Only values with spaces, line breaks or ideographs can.
   */
  possibleStart(text: string, at: number): number {
    let first = at;
    for (const literal of this.#splittable) {
      for (let from = Math.max(0, at - literal.length + 1); from < first; from++) {
        if (literal.startsWith(text.slice(from, at))) {
          first = from;
          break;
        }
      }
    }
    return first;
  }
}

function isSecretValue(value: string, pathExists: EnvSecretsOptions["pathExists"]): boolean {
  if (value.length < MIN_VALUE || BOOLEAN_REGEXP.test(value) || REDACTED.includes(value)) {
    return false;
  }
  const isPathLike = /[\\/]/.test(value) && !value.includes("\n");
  return !(isPathLike && pathExists?.(value) === true);
}

function formsOf(value: string): SecretLiteral[] {
  const plain = new Set([value, JSON.stringify(value).slice(1, -1)]);
  for (const encoded of urlForms(value)) plain.add(encoded);
  // A key over many lines is often shown in part.
  for (const line of value.split(/\r?\n/)) {
    if (line.length >= MIN_KEY_LINE && /^[\w+/=-]+$/.test(line)) plain.add(line);
  }
  const forms: SecretLiteral[] = [...plain].map((text) => ({ text, isBase64: false }));
  const bytes = new TextEncoder().encode(value);
  for (let shift = 0; shift < 3; shift++) {
    const text = base64Core(bytes, shift);
    forms.push({ text, isBase64: true });
    const urlSafe = text.replaceAll("+", "-").replaceAll("/", "_");
    if (urlSafe !== text) forms.push({ text: urlSafe, isBase64: true });
  }
  return forms;
}

/** The value as parts of URLs and of forms carry it. */
function urlForms(value: string): string[] {
  if (!value.isWellFormed()) return [];
  const encoded = encodeURIComponent(value);
  const strict = encoded.replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const forms: string[] = [];
  for (const form of [encoded, strict]) {
    const lower = form.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
    forms.push(form, form.replaceAll("%20", "+"), lower, lower.replaceAll("%20", "+"));
  }
  return forms;
}

/**
 * The characters of base64 that depend on the value alone, when `shift` bytes of something else
 * stand before it in its group of three. Every base64 text that holds the value holds one of the
 * three forms.
 */
function base64Core(bytes: Uint8Array, shift: number): string {
  const padded = new Uint8Array(bytes.length + shift);
  padded.set(bytes, shift);
  let binary = "";
  for (const byte of padded) binary += String.fromCharCode(byte);
  const whole = btoa(binary).replace(/=+$/, "");
  // The last character mixes with the next byte unless a group of three ends there.
  const end = padded.length % 3 === 0 ? whole.length : whole.length - 1;
  return whole.slice(shift === 0 ? 0 : shift + 1, end);
}

function toAnchor(literal: SecretLiteral): RedactionAnchor {
  const { text, isBase64 } = literal;
  return {
    literal: text,
    offset: rarestOffset(text),
    visit: (scan, at) => {
      if (isBase64) addBase64(scan, { at, length: text.length });
      else scan.add(at, at + text.length);
    },
  };
}

function addBase64(scan: RedactionScan, found: { at: number; length: number }): void {
  const mask = BASE64 | DASH;
  let start = found.at;
  let end = found.at + found.length;
  if (scan.is(start - 1, mask)) start--;
  for (let more = 0; more < 3 && scan.is(end, mask); more++) end++;
  scan.add(start, end);
}

/** Where the three units stand that occur least in ordinary text: digits, capitals, signs. */
function rarestOffset(text: string): number {
  let best = 0;
  let bestScore = -1;
  for (let at = 0; at + 3 <= text.length && at < 64; at++) {
    let score = 0;
    for (const unit of text.slice(at, at + 3)) {
      score += /[a-z ]/.test(unit) ? 0 : /[0-9A-Z]/.test(unit) ? 2 : 1;
    }
    if (score > bestScore) {
      best = at;
      bestScore = score;
    }
  }
  return best;
}
