import { ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { linePrefixEnd, linePrefixStart } from "../../../core/security/redaction_line_prefix.ts";
import { RedactionStream } from "../../../core/security/redaction_stream.ts";
import { Redactor } from "../../../core/security/redactor.ts";
import { ANCHOR_LETTERS } from "../../../tools/files/anchors.ts";
import { LINE_PREFIXES, prefixed } from "../../fixtures/redaction/line_prefixes.ts";
import { LOOKALIKES } from "../../fixtures/redaction/lookalikes.ts";
import { pem, SECRET_SAMPLES } from "../../fixtures/redaction/secrets.ts";

const redactor = new Redactor();
const ALL = Object.entries(LINE_PREFIXES);

function streamed(chunks: Iterable<string>, by: Redactor = redactor): string {
  const stream = new RedactionStream(by);
  let result = "";
  for (const chunk of chunks) result += stream.push(chunk);
  return result + stream.end();
}

/** A text itself, in a JSON string, and in a JSON string in a JSON string. */
function wrappings(text: string): string[] {
  const once = JSON.stringify({ content: `first\n${text}\nlast` });
  return [text, once, JSON.stringify({ role: "tool", content: once })];
}

Deno.test("Redactor.redact() finds every secret of the corpus behind every prefix of a line", () => {
  for (const [name, prefix] of ALL) {
    for (const { title, text, secret } of SECRET_SAMPLES) {
      const [plain = "", ...quoted] = wrappings(prefixed(text, prefix));
      const result = redactor.redact(plain);
      ok(!result.includes(secret), `${title} behind ${name}: ${result}`);
      strictEqual(redactor.redact(result), result, `${title} behind ${name} again`);
      for (const json of quoted) {
        const masked = redactor.redact(json);
        JSON.parse(masked);
        if (JSON.stringify(secret).slice(1, -1) !== secret) continue;
        ok(!masked.includes(secret), `${title} behind ${name} in JSON: ${masked}`);
      }
    }
  }
});

Deno.test("Redactor.redact() leaves look-alikes alone behind every prefix of a line", () => {
  for (const [name, prefix] of ALL) {
    for (const lookalike of [...LOOKALIKES, LOOKALIKES.join("\n")]) {
      for (const text of wrappings(prefixed(lookalike, prefix))) {
        strictEqual(redactor.redact(text), text, name);
      }
    }
  }
});

Deno.test("Redactor.redact() keeps the anchors of lines without a secret and of names", () => {
  const text = "host=db\ndb.password=hunter2\n\nx-api-key: q7Zk2mWx9RtY4uVb1NcD\nend";
  const shown = prefixed(text, LINE_PREFIXES["an anchor"] ?? (() => ""));
  const hidden = shown.replace("hunter2", "[REDACTED]").replace(
    "q7Zk2mWx9RtY4uVb1NcD",
    "[REDACTED]",
  );
  strictEqual(redactor.redact(shown), hidden);
});

Deno.test("Redactor.redact() takes a whole key over many lines behind prefixes, and no more", () => {
  for (const [name, prefix] of ALL) {
    const whole = prefixed(`before\n${pem("RSA ", 30)}\nafter`, prefix);
    const lines = whole.split("\n");
    const head = lines[1]?.slice(0, lines[1].indexOf("-----BEGIN")) ?? "";
    const expected = [lines[0], `${head}[REDACTED]`, lines.at(-1)].join("\n");
    strictEqual(redactor.redact(whole), expected, name);
    const rest = lines.slice(5).join("\n");
    const result = redactor.redact(rest);
    ok(!/[A-Za-z0-9+/]{40}/.test(result) && result.endsWith(`[REDACTED]\n${lines.at(-1)}`), name);
  }
});

Deno.test("Redactor.redact() takes a key that a diff removes", () => {
  const removed = pem("RSA ").split("\n").map((line) => `-${line}`).join("\n");
  strictEqual(redactor.redact(`${removed}\n x`), "-[REDACTED]\n x");
  const shown = prefixed(removed, LINE_PREFIXES["an anchor"] ?? (() => ""));
  ok(!/[A-Za-z0-9+/]{30}/.test(redactor.redact(shown)));
});

Deno.test("linePrefixEnd() and linePrefixStart() know the letters of anchors and agree", () => {
  for (const letter of ANCHOR_LETTERS) {
    const anchor = `7#${letter.repeat(4)}:`;
    strictEqual(linePrefixEnd(anchor, 0), anchor.length);
  }
  for (const [name, prefix] of ALL) {
    const text = `x\n${prefix("word", 3)}QUJDREVG`;
    const end = text.length - 8;
    strictEqual(linePrefixEnd(text, 2), end, name);
    strictEqual(linePrefixStart(text, end), 2, name);
  }
  for (const text of ["-----END X-----", "7#ABCD:", "DEK-Info: AES-256-CBC,01", "QUJDREVG\n7:"]) {
    strictEqual(linePrefixEnd(text, 0), 0, text);
  }
});

Deno.test("RedactionStream finds a secret behind a prefix at every split into two chunks", () => {
  for (const [name, prefix] of ALL) {
    for (const { title, text } of SECRET_SAMPLES) {
      const shown = prefixed(text, prefix);
      const whole = redactor.redact(shown);
      const step = Math.max(1, Math.floor(shown.length / 40));
      for (let at = 0; at <= shown.length; at += step) {
        const result = streamed([shown.slice(0, at), shown.slice(at)]);
        strictEqual(result, whole, `${title} behind ${name} split at ${at}`);
      }
    }
  }
});

Deno.test("RedactionStream gives what the whole prefixed text gives, unit by unit", () => {
  for (const [name, prefix] of ALL) {
    for (const { title, text } of SECRET_SAMPLES) {
      for (const shown of wrappings(prefixed(text, prefix))) {
        strictEqual(streamed(shown), redactor.redact(shown), `${title} behind ${name}`);
      }
    }
  }
});

const PIECES = [
  "12#QVKT:",
  "+7#ZPMQ:",
  "\n12#QVKT:",
  "\\n8#HBYJ:",
  "\n-9#TKNS:",
  "src/a b.ts:12:",
  "\nsrc/a b.ts:12:",
  "\nsrc/a b.ts-13-",
  "\\nsrc/a b.ts-13-",
  "\na long folder name with spaces/and a file.pem:7:",
  "\n3:",
  "Makefile-12-",
  "#QVKT:",
  "12",
  "-",
  "+",
  ":",
  "/",
  ".",
  "\n",
  "\\n",
  "\r\n",
  " ",
  '"',
  '\\"',
  "密碼",
  "password",
  "db.password=hunter2",
  "password: hunter2x",
  "pin: 4711",
  "export secret=",
  "DB_PASSWORD=swordfish",
  "const apiKey =",
  '"q7Zk2mWx9RtY4uVb1NcD8eFg6HjK"',
  "AKIAQ7ZK2MWX9RTY4UVB,kQx92mWzR7tY4uVb1NcD8eFg6HjK3pLs5aQoT0iU",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----END RSA PRIVATE KEY-----",
  "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w",
  "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w",
  "Qw7zR1==",
  "DEK-Info: AES-256-CBC,01",
  "some ordinary words that take some room ",
  "word ",
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join(""));

function cuts(text: string, at: readonly number[]): string[] {
  const places = at.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
}

Deno.test("RedactionStream gives what the whole text gives for any prefixed text and splits", () => {
  const shown = fc.tuple(soup, fc.constantFrom(undefined, ...ALL.map(([, prefix]) => prefix)))
    .map(([text, prefix]) => prefix === undefined ? text : prefixed(text, prefix));
  fc.assert(
    fc.property(shown, fc.array(fc.nat(), { maxLength: 12 }), (text, at) => {
      const whole = redactor.redact(text);
      strictEqual(streamed(cuts(text, at)), whole);
      strictEqual(streamed(text), whole);
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("RedactionStream cuts overlong prefixed lines where the whole text does", () => {
  const small = new Redactor({ maxLineUnits: 128 });
  fc.assert(
    fc.property(soup, soup, fc.array(fc.nat(), { maxLength: 12 }), (first, second, at) => {
      const text = `${first}${second.replaceAll("\n", "")}${first}`;
      const whole = small.redact(text);
      strictEqual(streamed(cuts(text, at), small), whole);
      strictEqual(streamed(text, small), whole);
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("Redactor.redact() changes nothing the second time behind prefixes", () => {
  fc.assert(
    fc.property(soup, (text) => {
      const once = redactor.redact(text);
      strictEqual(redactor.redact(once), once);
    }),
    { numRuns: 3_000 },
  );
});
