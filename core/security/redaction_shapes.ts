import { looksRandom } from "./redaction_values.ts";
import {
  ALNUM,
  DIGIT,
  DOT,
  EQUAL,
  type RedactionAnchor,
  type RedactionScan,
  SLASH,
  WORD,
} from "./redaction_scan.ts";

/** JSON web tokens (RFC 7519; `eyJ` is base64 of `{"`), signed with three parts, encrypted with five. */
function visitJwt(scan: RedactionScan, at: number): void {
  const { text } = scan;
  let end = scan.runEnd(at, WORD);
  if (end - at < 16 || text[end] !== ".") return;
  const second = end + 1;
  const secondEnd = scan.runEnd(second, WORD);
  const isClaims = text.startsWith("eyJ", second) && secondEnd - second >= 10;
  let parts = 1;
  while (parts < 5 && text[end] === ".") {
    end = scan.runEnd(end + 1, WORD);
    parts++;
  }
  if (text[end - 1] === ".") end--;
  if (isClaims || (parts >= 3 && end - second >= 40)) scan.add(at, end);
}

/** Telegram bot tokens: the bot's number, a colon, 35 units that start with `AA` (core.telegram.org). */
function visitTelegram(scan: RedactionScan, at: number): void {
  const end = scan.runEnd(at + 1, WORD);
  if (end - at - 1 < 34 || end - at - 1 > 37) return;
  let start = at;
  while (start > at - 11 && scan.is(start - 1, DIGIT)) start--;
  if (at - start >= 8 && at - start <= 10) scan.add(start, end);
}

/**
 * Discord bot tokens: base64 of the bot's id (decimal digits), six units of time, the signature
 * (discord.com/developers, "authentication").
 */
const DISCORD_REGEXP =
  /(?:[MNO][DTjz][AEIMQUYcgk][wxyz0-5]){5,6}[\w-]{0,3}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/y;

function visitDiscord(scan: RedactionScan, at: number): void {
  if (!scan.isWordStart(at)) return;
  DISCORD_REGEXP.lastIndex = at;
  const found = DISCORD_REGEXP.exec(scan.text);
  if (found !== null) scan.add(at, at + found[0].length);
}

const USER_END_REGEXP = /[^\s/?#"'`<>@:\\\u2e80-\uffff]{0,256}/y;
const PASSWORD_END_REGEXP = /[^\s/?#"'`<>@\\\u2e80-\uffff]{1,512}(?=@)/y;

/** URLs with a password or a long random user name before the host (RFC 3986, 3.2.1). */
function visitUrl(scan: RedactionScan, at: number): void {
  const { text } = scan;
  if (!scan.is(at - 1, ALNUM)) return;
  const from = at + 3;
  USER_END_REGEXP.lastIndex = from;
  const userEnd = from + (USER_END_REGEXP.exec(text)?.[0].length ?? 0);
  if (text[userEnd] === "@") {
    const user = text.slice(from, userEnd);
    if (user.length >= 20 && looksRandom(user)) scan.add(from, userEnd);
    return;
  }
  if (text[userEnd] !== ":") return;
  PASSWORD_END_REGEXP.lastIndex = userEnd + 1;
  const password = PASSWORD_END_REGEXP.exec(text)?.[0];
  if (password === undefined || isUrlTemplate(password)) return;
  scan.add(userEnd + 1, userEnd + 1 + password.length);
}

/** `${PASS}`, `{pass}`, `$PASS`, `%s`, `***` and what was redacted before are not passwords. */
function isUrlTemplate(password: string): boolean {
  return /^(?:\$?[{[(].*[}\])]|\$\w+|%[sdv]|[*.x]+)$/.test(password) || password.includes("${");
}

const CREDENTIAL = WORD | DOT | SLASH | EQUAL;

/** `Bearer …` (RFC 6750) wherever it stands. */
function visitBearer(scan: RedactionScan, at: number): void {
  scan.trigger(at);
  const { text } = scan;
  let from = at + 6;
  while (from < at + 10 && (text[from] === " " || text[from] === "\t")) from++;
  if (from === at + 6) {
    if (!text.startsWith("%20", from)) return;
    from += 3;
  }
  visitCredential(scan, { from, min: 8 });
}

const AUTHORIZATION_REGEXP =
  /uthorization(?:\\{0,31}["'`])?\]?[ \t]{0,8}(?:[:=,]|=>)[ \t]{0,8}(?:\\{0,31}["'`])?(?:([A-Za-z][A-Za-z0-9-]{2,19})[ \t]{1,4})?/iy;

/** The value of an `Authorization` or `Proxy-Authorization` header, whatever its scheme. */
function visitAuthorization(scan: RedactionScan, at: number): void {
  scan.trigger(at);
  if (scan.is(at - 2, ALNUM) && !scan.isWordStart(at - 1)) return;
  AUTHORIZATION_REGEXP.lastIndex = at;
  const found = AUTHORIZATION_REGEXP.exec(scan.text);
  if (found === null) return;
  const from = at + found[0].length;
  if (found[1]?.toLowerCase() === "basic") {
    const end = scan.runEnd(from, CREDENTIAL);
    const value = scan.text.slice(from, Math.min(end, from + 256));
    if (end - from >= 8 && (/[0-9=]/.test(value) || /[a-z][A-Z]/.test(value))) scan.add(from, end);
  } else visitCredential(scan, { from, min: 8 });
}

function visitCredential(scan: RedactionScan, options: { from: number; min: number }): void {
  const { from } = options;
  let end = scan.runEnd(from, CREDENTIAL);
  while (scan.text[end - 1] === ".") end--;
  if (end - from < options.min) return;
  const value = scan.text.slice(from, Math.min(end, from + 256));
  if (looksRandom(value) || /^[a-z]{18,}$/.test(value)) scan.add(from, end);
}

const NETRC_REGEXP =
  /login[ \t]{1,8}[^\s"'\\]{1,64}[ \t]{1,8}password[ \t]{1,8}([^\s"'\\]{1,256})/y;

/** The line of a `.netrc` file. */
function visitNetrc(scan: RedactionScan, at: number): void {
  scan.trigger(at);
  NETRC_REGEXP.lastIndex = at;
  const found = NETRC_REGEXP.exec(scan.text);
  const value = found?.[1];
  if (found === null || value === undefined || /^[<$[{]/.test(value)) return;
  const end = at + found[0].length;
  scan.add(end - value.length, end);
}

/** `?key=` and signatures in the query of a URL; other names are in redaction_assignments.ts. */
function visitQuery(scan: RedactionScan, from: number): void {
  const end = scan.runEnd(from, WORD | DOT | SLASH | EQUAL);
  const value = scan.text.slice(from, Math.min(end, from + 256));
  if (end - from >= 12 && looksRandom(value)) scan.add(from, end);
}

/** The anchors of secrets that are known by their shape. */
export function shapeAnchors(): RedactionAnchor[] {
  const anchors: RedactionAnchor[] = [
    { literal: "eyJ", visit: visitJwt },
    { literal: ":AA", visit: visitTelegram },
    { literal: "://", visit: visitUrl },
    { literal: "Bearer", visit: visitBearer },
    { literal: "bearer", visit: visitBearer },
    { literal: "BEARER", visit: visitBearer },
    { literal: "uthorization", visit: visitAuthorization },
    { literal: "UTHORIZATION", visit: visitAuthorization },
    { literal: "login ", visit: visitNetrc },
  ];
  for (
    const name of ["key=", "sig=", "X-Amz-Signature=", "X-Amz-Credential=", "x-goog-signature="]
  ) {
    for (const sign of "?&") {
      const literal = sign + name;
      anchors.push({ literal, visit: (scan, at) => visitQuery(scan, at + literal.length) });
    }
  }
  for (const first of "MNO") {
    for (const second of "DTjz") {
      for (const third of "AEIMQUYcgk") {
        anchors.push({ literal: first + second + third, visit: visitDiscord });
      }
    }
  }
  return anchors;
}
