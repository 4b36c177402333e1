import { type Assignment, redactBare, redactNumber } from "./redaction_bare.ts";
import { followsLinePrefix, linePrefixEnd } from "./redaction_line_prefix.ts";
import { secretNameKind } from "./redaction_names.ts";
import { quoteAt, quoteBefore, readQuoted } from "./redaction_quotes.ts";
import { ALNUM, type RedactionAnchor, type RedactionScan, WORD } from "./redaction_scan.ts";
import { isSecretLiteral } from "./redaction_values.ts";

/** Longest name that is looked at, and longest gap around its operator, in UTF-16 units. */
const MAX_NAME = 64, MAX_GAP = 20;
/** How much of a value decides, in UTF-16 units; the whole value goes. */
const MAX_HEAD = 512;

/** Looks at a name in which a telling word was found. */
function visitName(scan: RedactionScan, at: number): void {
  if (at < scan.nameEnd) return;
  const { text } = scan;
  const end = scan.runEnd(at, WORD);
  scan.nameEnd = end;
  scan.trigger(at);
  let start = at;
  while (start > at - MAX_NAME && scan.is(start - 1, WORD)) start--;
  start += fileNameLength(scan, { start, at });
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

const FILE_NAME_REGEXP = /[\w-]{0,63}?-[0-9]{1,7}-/y;

/** The length of the end of `src/file.ts-12-` before a name: its signs are those of names, too. */
function fileNameLength(
  scan: RedactionScan,
  found: { readonly start: number; readonly at: number },
): number {
  const { text } = scan;
  const { start, at } = found;
  if (at - start < 3) return 0;
  const before = text[start - 1] ?? (scan.midLine ? " " : "\n");
  if (!"./\n\\".includes(before)) return 0;
  FILE_NAME_REGEXP.lastIndex = start;
  const length = FILE_NAME_REGEXP.exec(text)?.[0].length ?? 0;
  return start + length <= at ? length : 0;
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
  if (
    before === ":" && (text[start - 2] === ":" || operatorText === ":") &&
    !followsLinePrefix(text, { at: start, midLine: scan.midLine })
  ) {
    return undefined;
  }
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

const WRAP_REGEXP = /(?:\r?\n|\\{1,15}(?:r\\{1,15})?n)/y;
const INDENT_REGEXP = /[ \t]{0,40}/y;

/** The length of a line break, escaped or not, with what stands before the next line; 0 without. */
function wrapLength(text: string, at: number): number {
  WRAP_REGEXP.lastIndex = at;
  const lineBreak = WRAP_REGEXP.exec(text)?.[0].length ?? 0;
  if (lineBreak === 0) return 0;
  INDENT_REGEXP.lastIndex = linePrefixEnd(text, at + lineBreak);
  return INDENT_REGEXP.lastIndex + (INDENT_REGEXP.exec(text)?.[0].length ?? 0) - at;
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
  if (assignment.isWrapped) scan.link(assignment.nameStart, end);
  const value = scan.text.slice(from, Math.min(end, from + MAX_HEAD));
  const kind = assignment.operator === "," && assignment.kind === "password"
    ? "token"
    : assignment.kind;
  if (isSecretLiteral(kind, value)) scan.add(from, end);
}

const TAG_REGEXP = /[^<"\\\r\n]*/y;

function redactTag(scan: RedactionScan, assignment: Assignment): void {
  const { text } = scan;
  const { at } = assignment;
  if (text[at] === "<" || assignment.isWrapped) return;
  const end = scan.matchEnd(at, TAG_REGEXP);
  scan.nameEnd = Math.max(scan.nameEnd, at);
  if (text.startsWith("</", end) && isSecretLiteral(assignment.kind, text.slice(at, end))) {
    scan.add(at, end);
  }
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
