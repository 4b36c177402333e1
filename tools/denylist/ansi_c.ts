const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const ESCAPE_REGEXP =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|c(.)|([^]))/g;

/** The text of a `$'…'` string, and of what `echo -e` and `printf` print. */
export function decodeAnsiC(text: string): string {
  return text.replace(
    ESCAPE_REGEXP,
    (whole, hex?: string, short?: string, long?: string, octal?: string, control?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCode(parseInt(code, 16));
      if (octal !== undefined) return fromCode(parseInt(octal, 8) & 0xff);
      if (control !== undefined) return fromCode(control.charCodeAt(0) & 0x1f);
      const char = whole.slice(1);
      if (Object.hasOwn(SIMPLE, char)) return SIMPLE[char] ?? char;
      return "\\'\"?".includes(char) ? char : whole;
    },
  );
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
