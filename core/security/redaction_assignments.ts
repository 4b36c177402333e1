import { isScreaming, type SecretNameKind, secretNameKind } from "./redaction_names.ts";
import { isPlaceholder, isUuid, looksLikePassword, looksRandom } from "./redaction_values.ts";
import { quoteAt, quoteBefore, readQuoted } from "./redaction_quotes.ts";
import {
  ALNUM,
  REDACTED,
  type RedactionAnchor,
  type RedactionScan,
  WORD,
} from "./redaction_scan.ts";

/** Longest name that is looked at, and longest gap around its operator, in UTF-16 units. */
const MAX_NAME = 64, MAX_GAP = 20;
/** How much of a value decides; the whole value goes. */
const MAX_HEAD = 512;

/** A name that stands for a secret, and where its value may start. */
interface Assignment {
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

/** Looks at a name in which a telling word was found. */
function visitName(scan: RedactionScan, at: number): void {
  if (at < scan.nameEnd) return;
  const { text } = scan;
  const end = scan.runEnd(at, WORD);
  scan.nameEnd = end;
  scan.trigger(at);
  let start = at;
  while (start > at - MAX_NAME && scan.is(start - 1, WORD)) start--;
  if (end - start > MAX_NAME || text[end - 1] === "-") return;
  // In JSON text the letter of an escape such as \n touches the name.
  if (text[start - 1] === "\\" && start < at && "nrtbf".includes(text[start] ?? "")) start++;
  const assignment = readOperator(scan, { start, end });
  if (assignment === undefined) return;
  if (assignment.operator === "tag") return redactTag(scan, assignment);
  const quote = quoteAt(text, valueQuote(scan, assignment));
  if (quote !== undefined) return redactQuoted(scan, { assignment, quote });
  if (assignment.isWrapped || assignment.operator === ",") return;
  if (redactNumber(scan, assignment)) return;
  redactBare(scan, assignment);
}

const OPERATOR_REGEXP = /[?!]?:(?![:=])|(?:\?\?|\|\||[?:!+])?={1,3}>?|,|>/y;

function readOperator(
  scan: RedactionScan,
  found: { readonly start: number; readonly end: number },
): Assignment | undefined {
  const { text } = scan;
  let start = found.start;
  let dashes = 0;
  for (; text[start] === "-"; start++) dashes++;
  const name = text.slice(start, found.end);
  let at = found.end;
  const after = quoteAt(text, at);
  const before = text[start - 1] ?? "";
  let openQuote = "";
  if (after !== undefined) at += after.text.length;
  else openQuote = quoteBefore(text, start);
  if (after !== undefined && text[at] === "]") at++;
  else if (text[at] === "[") at += arrayLength(text, at);
  const operatorGap = skipBlanks(text, at);
  OPERATOR_REGEXP.lastIndex = operatorGap;
  const operatorText = OPERATOR_REGEXP.exec(text)?.[0] ?? "";
  const isFlag = dashes === 2 && operatorText === "" && operatorGap > at;
  if (operatorText === "" && !isFlag) return undefined;
  if (operatorText === ">" && !(/[<:]/.test(before) && operatorGap === at)) return undefined;
  // A pair as in `set("api_key", "…")`, not two items in the middle of a list.
  if (
    operatorText === "," &&
    (after === undefined || !/[([{]\\{0,31}["'`]$/.test(text.slice(Math.max(0, start - 33), start)))
  ) {
    return undefined;
  }
  // Types such as `AWS::IAM::AccessKey`, parts of paths such as `arn:…:secret:name`.
  if (before === ":" && (text[start - 2] === ":" || operatorText === ":")) return undefined;
  const kind = secretNameKind(name);
  if (kind === undefined) return undefined;
  const afterOperator = operatorGap + operatorText.length;
  let valueAt = skipBlanks(text, afterOperator);
  let isWrapped = false;
  if (operatorText !== "" && operatorText !== ">") {
    const wrap = wrapLength(text, valueAt);
    if (wrap > 0) {
      isWrapped = true;
      valueAt += wrap;
      if (scan.lineEnd(valueAt) >= text.length) scan.open(found.start);
    }
  }
  return {
    kind,
    name,
    nameStart: start,
    quote: after?.text ?? "",
    openQuote,
    operator: isFlag
      ? "flag"
      : operatorText === ">"
      ? "tag"
      : operatorText === ","
      ? ","
      : operatorText.endsWith(":")
      ? ":"
      : "=",
    isSpaced: operatorGap > at || valueAt > afterOperator,
    at: valueAt,
    isWrapped,
  };
}

const ARRAY_REGEXP = /\[\d{0,6}\]/y;

const WRAP_REGEXP = /(?:\r?\n|\\{1,15}(?:r\\{1,15})?n)[ \t]{0,40}/y;

/** The length of a line break, escaped or not, and the indentation behind it; 0 without. */
function wrapLength(text: string, at: number): number {
  WRAP_REGEXP.lastIndex = at;
  return WRAP_REGEXP.exec(text)?.[0].length ?? 0;
}

/** The length of `[16]` behind the name of an array in C. */
function arrayLength(text: string, at: number): number {
  ARRAY_REGEXP.lastIndex = at;
  return ARRAY_REGEXP.exec(text)?.[0].length ?? 0;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < from + MAX_GAP && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

const TYPED_REGEXP = /[A-Za-z_&][\w&'<>[\]|.? ]{0,40}=[ \t]{0,8}/y;
const STRING_PREFIX_REGEXP = /(?:[A-Za-z]{1,2}#?|[@$&]{1,2})(?=\\{0,31}["'`])/y;

/** Where the value's quote stands: behind a type annotation, behind the letters of `b"…"`. */
function valueQuote(scan: RedactionScan, assignment: Assignment): number {
  const { text } = scan;
  let { at } = assignment;
  if (
    assignment.operator === ":" && !assignment.isWrapped && scan.is(at, ALNUM) || text[at] === "&"
  ) {
    TYPED_REGEXP.lastIndex = at;
    const typed = TYPED_REGEXP.exec(text)?.[0];
    if (typed !== undefined && !typed.includes("  ")) at += typed.length;
  }
  STRING_PREFIX_REGEXP.lastIndex = at;
  return at + (STRING_PREFIX_REGEXP.exec(text)?.[0].length ?? 0);
}

function redactQuoted(
  scan: RedactionScan,
  found: { readonly assignment: Assignment; readonly quote: { text: string; at: number } },
): void {
  const { assignment, quote } = found;
  // The quote that closes the string in which the name stands opens nothing.
  const { openQuote } = assignment;
  if (openQuote.endsWith(quote.text.slice(-1)) && quote.text.length <= openQuote.length) return;
  const from = quote.at + quote.text.length;
  const end = readQuoted(scan, { from, quote: quote.text });
  const value = scan.text.slice(from, Math.min(end, from + MAX_HEAD));
  const kind = assignment.operator === "," && assignment.kind === "password"
    ? "token"
    : assignment.kind;
  if (isSecretLiteral(kind, value)) scan.add(from, end, assignment.nameStart);
}

/** Whether a literal under a name of some kind is a secret. */
export function isSecretLiteral(kind: SecretNameKind, value: string): boolean {
  switch (kind) {
    case "password":
      return looksLikePassword(value);
    case "pin":
      return /^[0-9]{4,12}$/.test(value);
    case "key":
      return looksRandom(value) && !isPlaceholder(value);
    case "token":
      return looksRandom(value) && !isPlaceholder(value) && !isUuid(value);
  }
}

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
function redactNumber(scan: RedactionScan, assignment: Assignment): boolean {
  if (assignment.kind !== "password" && assignment.kind !== "pin") return false;
  NUMBER_REGEXP.lastIndex = assignment.at;
  const found = NUMBER_REGEXP.exec(scan.text)?.[0];
  if (found === undefined) return false;
  addBare(scan, { assignment, end: assignment.at + found.length });
  return true;
}

function redactTag(scan: RedactionScan, assignment: Assignment): void {
  const { text } = scan;
  const { at } = assignment;
  if (text[at] === "<" || assignment.isWrapped) return;
  let end = at;
  while (end < text.length && !/[<"\\\r\n]/.test(text[end] ?? "")) end++;
  scan.nameEnd = Math.max(scan.nameEnd, at);
  if (text.startsWith("</", end) && isSecretLiteral(assignment.kind, text.slice(at, end))) {
    scan.add(at, end);
  }
}

/** Where an unquoted value ends, by what stands around it. */
const BARE_REGEXP = /[^\s"'`\\<>;,)&|\]}]*/y;
/** The start of a value that is a token, whatever stands behind it. */
const PLAIN_REGEXP = /^[A-Za-z0-9+/=_-]{16,}/;
const ENV_REGEXP = /[^\s"'`\\]*/y;

function redactBare(scan: RedactionScan, assignment: Assignment): void {
  const { text } = scan;
  const { at, kind, name, operator } = assignment;
  const isEnv = operator === "=" && !assignment.isSpaced && isScreaming(name);
  const regexp = isEnv ? ENV_REGEXP : BARE_REGEXP;
  regexp.lastIndex = at;
  let end = at + (regexp.exec(text)?.[0].length ?? 0);
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
  const from = Math.max(0, nameStart - 128);
  const found = LINE_START_REGEXP.exec(scan.text.slice(from, nameStart));
  if (found === null) return undefined;
  // The start of the slice is the start of a line only at the start of the text.
  const isStart = found.index > 0 || /^[\n"'`\\]/.test(found[0]) || (from === 0 && !scan.midLine);
  return isStart ? found[1] : undefined;
}

/** The anchors of names: the telling words, in the three cases in which they are written. */
export function nameAnchors(): RedactionAnchor[] {
  const words = ["password", "passwd", "passphrase", "passwort", "pass", "pwd", "secret", "token"];
  words.push("credential", "pin", "passcode", "otp", "key", "_auth");
  const anchors: RedactionAnchor[] = [];
  const literals = new Set<string>();
  for (const word of words) {
    const capital = word.charAt(0).toUpperCase() + word.slice(1);
    for (const literal of [word, capital, word.toUpperCase()]) literals.add(literal.slice(0, 4));
  }
  for (const literal of literals) anchors.push({ literal, visit: visitName });
  return anchors;
}
