/**
 * Parses JSON with comments and trailing commas. Both are blanked out in place, so the positions in
 * an error are those of the text.
 *
 * @throws {SyntaxError} where it is no JSON beyond that.
 */
export function parseJsonc(text: string): unknown {
  return JSON.parse(plainJson(text));
}

function plainJson(text: string): string {
  let plain = "";
  for (let at = 0; at < text.length;) {
    const end = tokenEnd(text, at);
    const token = text.slice(at, end);
    plain += isComment(token) ? token.replace(/[^\n]/g, " ") : token;
    at = end;
  }
  return withoutTrailingCommas(plain);
}

function isComment(token: string): boolean {
  return token.startsWith("//") || token.startsWith("/*");
}

/** Where the string, the comment or the stretch of anything else ends that begins here. */
function tokenEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  if (text.startsWith("//", start)) {
    const end = text.indexOf("\n", start);
    return end < 0 ? text.length : end;
  }
  if (text.startsWith("/*", start)) {
    const end = text.indexOf("*/", start + 2);
    return end < 0 ? text.length : end + 2;
  }
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== "/") at += 1;
  return at;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function withoutTrailingCommas(plain: string): string {
  let clean = "";
  for (let at = 0; at < plain.length;) {
    if (plain[at] === '"') {
      const end = stringEnd(plain, at);
      clean += plain.slice(at, end);
      at = end;
    } else {
      clean += plain[at] === "," && closesNext(plain, at + 1) ? " " : plain[at];
      at += 1;
    }
  }
  return clean;
}

function closesNext(text: string, start: number): boolean {
  let at = start;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
  return text[at] === "}" || text[at] === "]";
}
