import { prefixedIndent } from "./redaction_line_prefix.ts";
import { isScreaming, type SecretNameKind } from "./redaction_names.ts";
import { REDACTED, type RedactionScan } from "./redaction_scan.ts";
import { isPlaceholder, isUuid, looksLikePassword, looksRandom } from "./redaction_values.ts";

/** A name that stands for a secret, and where its value may start. */
export interface Assignment {
  readonly kind: SecretNameKind;
  readonly name: string;
  readonly nameStart: number;
  /** The quote around the name, with its backslashes; empty for a bare name. */
  readonly quote: string;
  /** The quote before the name when there is none behind it: the name opens a string. */
  readonly openQuote: string;
  readonly operator: ":" | "=" | "," | "flag" | "tag";
  /** Whether space stands around the operator. */
  readonly isSpaced: boolean;
  /** First unit of the value. */
  readonly at: number;
  /** Whether a line break lies between operator and value; then only a quoted value counts. */
  readonly isWrapped: boolean;
}

/** How much of a value decides, in UTF-16 units; the whole value goes. */
const MAX_HEAD = 128;

const NUMBER_REGEXP = /[-+]?[0-9]{4,}[0-9.]*(?=[ \t]{0,8}(?:$|[\r\n,;}\])&"'`\\#]|\/\/))/y;

/** Replaces a value without quotes; in JSON the replacement needs the quotes of the name. */
function addBare(
  scan: RedactionScan,
  found: { readonly assignment: Assignment; readonly end: number },
): void {
  const { at, operator, quote: nameQuote } = found.assignment;
  const quote = operator === ":" ? nameQuote : "";
  scan.spans.push({ start: at, end: found.end, replacement: quote + REDACTED + quote });
}

/** A number under a password's name. */
export function redactNumber(scan: RedactionScan, assignment: Assignment): boolean {
  if (assignment.kind !== "password" && assignment.kind !== "pin") return false;
  NUMBER_REGEXP.lastIndex = assignment.at;
  const found = NUMBER_REGEXP.exec(scan.text)?.[0];
  if (found === undefined) return false;
  addBare(scan, { assignment, end: assignment.at + found.length });
  return true;
}

/** Where an unquoted value ends, by what stands around it. */
const BARE_REGEXP = /[^\s"'`\\<>;,)&|\]}]*/y;
/** The start of a value that is a token, whatever stands behind it. */
const PLAIN_REGEXP = /^[A-Za-z0-9+/=_-]{16,}/;
const ENV_REGEXP = /[^\s"'`\\]*/y;

/** Replaces an unquoted value when it is a secret under its name. */
export function redactBare(scan: RedactionScan, assignment: Assignment): void {
  const { text } = scan;
  const { at, kind, name, operator } = assignment;
  const isEnv = operator === "=" && !assignment.isSpaced && isScreaming(name);
  const regexp = isEnv ? ENV_REGEXP : BARE_REGEXP;
  let end = scan.matchEnd(at, regexp);
  if (isEnv) { while (end > at && /[,;)\]}]/.test(text[end - 1] ?? "")) end--; }
  const redacted = text.slice(at, Math.min(end, at + MAX_HEAD)).indexOf(REDACTED);
  if (redacted >= 0) end = at + redacted;
  if (end - at < 4) return;
  const value = text.slice(at, Math.min(end, at + MAX_HEAD));
  const isPlain = isEnv && looksRandom(PLAIN_REGEXP.exec(value)?.[0] ?? "");
  if (!isPlain && (looksLikeCode(value, text[end] ?? "") || isPlaceholder(value))) return;
  const found = { assignment, end };
  if (isPlain && !(kind === "token" && isUuid(value))) addBare(scan, found);
  else if (isSecretBare(scan, { assignment, value, end, isEnv })) addBare(scan, found);
  else if (kind === "pin" && /^[0-9]{4,12}$/.test(value)) addBare(scan, found);
}

/** Variables, properties, calls, generics, regular expressions, paths: what code puts there. */
function looksLikeCode(value: string, next: string): boolean {
  if (/^[$%<{[(@&*/!|]|^[\d.]+$/.test(value) && !/^[@&*!%$][^\s{(]*[0-9]/.test(value)) return true;
  if (/^\$[A-Za-z_{(]/.test(value)) return true;
  const call = /[({[]/.exec(value);
  if (next === "(" || (call !== null && !looksRandom(value.slice(0, call.index)))) return true;
  if (/^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)+[!?]?$/.test(value)) return true;
  return /::|=>|\?\./.test(value);
}

function isSecretBare(
  scan: RedactionScan,
  found: { assignment: Assignment; value: string; end: number; isEnv: boolean },
): boolean {
  const { assignment, value, isEnv } = found;
  const { kind, operator } = assignment;
  if (kind === "pin") return false;
  const isRandom = looksRandom(value) && !(kind === "token" && isUuid(value));
  const isIdentifier = /^[A-Za-z_]\w*$/.test(value);
  if (kind !== "password") {
    if (isEnv) return isRandom || /^[a-z]{20,}$/.test(value);
    // Code assigns variables with digits in their names, too.
    return isRandom && (!assignment.isSpaced || value.length >= 16) &&
      !(isIdentifier && value.length < 16 && operator !== "flag");
  }
  if (isEnv || operator === "flag") return looksLikePassword(value);
  const hasSigns = /[0-9]/.test(value.replace(/^[A-Za-z_]+[0-9]$/, "")) || /[!@#$%^*]/.test(value);
  if (operator === ":") {
    return (hasSigns || isRandom) && !/[,;{(]/.test(scan.text[found.end] ?? "") &&
      looksLikePassword(value) &&
      isTechnicalFree(value) && endsLine(scan.text, found.end) &&
      (lineIndent(scan, assignment) !== undefined || assignment.openQuote !== "" || isRandom);
  }
  if (!assignment.isSpaced && /[?&;]/.test(scan.text[assignment.nameStart - 1] ?? "")) {
    return looksLikePassword(value);
  }
  if (!assignment.isSpaced && /^[+-]?$/.test(lineIndent(scan, assignment) ?? " ")) {
    return looksLikePassword(value);
  }
  return hasSigns && looksLikePassword(value) && isTechnicalFree(value) &&
    (!isIdentifier || (isRandom && !assignment.isSpaced));
}

/** Whether a value still has a digit or sign when technical words and type names are taken out. */
function isTechnicalFree(value: string): boolean {
  return looksRandom(value) || /[!@#$%^*]/.test(value) || /^[a-z]+[0-9]+[a-z0-9]*$/.test(value) &&
      !/^(?:u?int|float|[uif]|uuid|base|sha|utf|md|argon)\d+$/.test(value);
}

function endsLine(text: string, at: number): boolean {
  return /^[ \t]{0,8}(?:$|[\r\n"'`\\#])/.test(text.slice(at, at + 10));
}

const LINE_START_REGEXP =
  /(?:^|[\n"'`]|\\n)([ \t+-]{0,40})(?:(?:export|set|env|ENV|ARG)[ \t]{1,4})?[\w.:/@-]{0,64}$/;

/**
 * The indentation of the line or string that starts with the name, a keyword such as `export` or a
 * dotted prefix left out; `undefined` when something else stands before the name.
 */
function lineIndent(scan: RedactionScan, assignment: Assignment): string | undefined {
  const { nameStart } = assignment;
  const prefixed = prefixedIndent(scan.text, nameStart);
  if (prefixed !== undefined) return prefixed;
  const from = Math.max(0, nameStart - 128);
  const found = LINE_START_REGEXP.exec(scan.text.slice(from, nameStart));
  if (found === null) return undefined;
  // The start of the slice is the start of a line only at the start of the text.
  const isStart = found.index > 0 || /^[\n"'`\\]/.test(found[0]) || (from === 0 && !scan.midLine);
  return isStart ? found[1] : undefined;
}
