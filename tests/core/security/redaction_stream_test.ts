import { ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { RedactionStream } from "../../../core/security/redaction_stream.ts";
import { Redactor } from "../../../core/security/redactor.ts";
import { LOOKALIKES } from "../../fixtures/redaction/lookalikes.ts";
import { pem, SECRET_SAMPLES, TOKENS } from "../../fixtures/redaction/secrets.ts";

const redactor = new Redactor();

function streamed(chunks: Iterable<string>, by: Redactor = redactor): string {
  const stream = new RedactionStream(by);
  let result = "";
  for (const chunk of chunks) result += stream.push(chunk);
  return result + stream.end();
}

Deno.test("B152 RedactionStream finds a secret at every split into two chunks", () => {
  for (const { title, text, secret } of SECRET_SAMPLES) {
    const whole = redactor.redact(text);
    const step = Math.max(1, Math.floor(text.length / 150));
    for (let at = 0; at <= text.length; at += step) {
      const result = streamed([text.slice(0, at), text.slice(at)]);
      strictEqual(result, whole, `${title} split at ${at}`);
      ok(!result.includes(secret), title);
    }
  }
});

Deno.test("B152 RedactionStream gives what the whole text gives, unit by unit", () => {
  for (const { title, text } of SECRET_SAMPLES) {
    strictEqual(streamed(text), redactor.redact(text), title);
  }
  const everything = SECRET_SAMPLES.map(({ text }, i) => `${text}\n${LOOKALIKES[i] ?? ""}\n`).join(
    "",
  );
  strictEqual(streamed(everything), redactor.redact(everything));
});

Deno.test("B152 RedactionStream masks a private key over 30 lines, line by line", () => {
  const text = `Here it is:\n${pem("OPENSSH ", 30)}\nThat was it.\n`;
  const stream = new RedactionStream(redactor);
  let result = "";
  for (const line of text.split(/(?<=\n)/)) {
    result += stream.push(line);
    ok(!/[A-Za-z0-9+/]{30}/.test(result));
  }
  strictEqual(result + stream.end(), "Here it is:\n[REDACTED]\nThat was it.\n");
});

Deno.test("B152 RedactionStream masks the case's own deltas at every split", () => {
  const text = "Here: sk-" + "ant-api03-abcdef1234567890 done";
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const chunks = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      strictEqual(streamed(chunks), "Here: [REDACTED] done");
    }
  }
});

Deno.test("RedactionStream lets words of ordinary prose leave before the line ends", () => {
  const stream = new RedactionStream(redactor);
  const text = "This is a long sentence without anything private in it, still going ";
  strictEqual(stream.push(text), text);
  strictEqual(stream.push("on "), "on ");
  strictEqual(stream.push("and"), "");
  strictEqual(stream.push(" on.\n"), "and on.\n");
  strictEqual(stream.end(), "");
});

Deno.test("RedactionStream starts afresh after its end", () => {
  const stream = new RedactionStream(redactor);
  stream.push("password = ");
  stream.end();
  strictEqual(stream.push("a plain line\n") + stream.end(), "a plain line\n");
});

const PIECES = [
  "password",
  '"',
  "'",
  '\\"',
  "\\n",
  ":",
  "=",
  " = ",
  ",",
  " ",
  "\n",
  "\r\n",
  "\t",
  "{",
  "}",
  "12345678",
  "hunter2x",
  "token: ",
  "secret=",
  "API_KEY=",
  "export ",
  "login me password x1y2z3",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----END RSA PRIVATE KEY-----",
  "-----END ",
  "Bearer ",
  "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w",
  "Qw7zR1==",
  "https://user:",
  "@host",
  "[REDACTED]",
  "--token ",
  "AKIAQ7ZK2MWX9RTY4UVB",
  "kQx92mWzR7tY4uVb1NcD8eFg6HjK3pLs5aQoT0iU",
  "…",
  "密碼是",
  "😀",
  "some ordinary words that take some room ",
  "word ",
  "% X",
  "%3D",
  "12\t",
  "correct horse",
  "battery",
  " staple 9",
  "multi\nline",
  "Proc-Type: 4,ENCRYPTED",
  TOKENS.githubPersonal ?? "",
  TOKENS.jwt ?? "",
  "Private-Lines: 2\n",
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join(""));

function cuts(text: string, at: readonly number[]): string[] {
  const places = at.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
}

Deno.test("RedactionStream gives what the whole text gives for any text and any splits", () => {
  fc.assert(
    fc.property(soup, fc.array(fc.nat(), { maxLength: 12 }), (text, at) => {
      const whole = redactor.redact(text);
      return streamed(cuts(text, at)) === whole && streamed(text) === whole;
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("RedactionStream cuts overlong lines where the whole text does", () => {
  const small = new Redactor({ maxLineUnits: 128 });
  fc.assert(
    fc.property(soup, soup, fc.array(fc.nat(), { maxLength: 12 }), (first, second, at) => {
      const text = `${first}${second.replaceAll("\n", "")}${first}`;
      const whole = small.redact(text);
      return streamed(cuts(text, at), small) === whole && streamed(text, small) === whole;
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("RedactionStream masks values of variables with spaces and line breaks at any split", () => {
  const env = { A_SECRET: "correct horse battery staple 9", B_TOKEN: "multi\nline\nvalue" };
  const withEnv = new Redactor({ env });
  const text = fc.tuple(soup, fc.constantFrom(...Object.values(env)), soup).map((t) => t.join(" "));
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (whole, at) => {
      const expected = withEnv.redact(whole);
      return streamed(cuts(whole, at), withEnv) === expected &&
        streamed(whole, withEnv) === expected;
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("RedactionStream applies patterns of the person's own to whole lines", () => {
  const custom = { replaceAll: (text: string) => text.replace(/CORP \d+/g, () => "[REDACTED]") };
  const withCustom = new Redactor({ customPatterns: [custom] });
  const text = "some words that are long enough to leave early: CORP 1234 was meant\nand CORP 9\n";
  for (let at = 0; at <= text.length; at++) {
    strictEqual(streamed([text.slice(0, at), text.slice(at)], withCustom), withCustom.redact(text));
  }
});

Deno.test("RedactionStream holds back a bounded amount of text", () => {
  for (
    const unit of ["x", "password=", "-----BEGIN RSA PRIVATE KEY-----\n", `${"QUJD".repeat(16)}\n`]
  ) {
    const stream = new RedactionStream(redactor);
    const text = `${pem("RSA ", 3).split("\n").slice(0, 2).join("\n")}\n${
      unit.repeat(400_000 / unit.length)
    }`;
    let sent = 0;
    let left = 0;
    for (let at = 0; at < text.length; at += 997) {
      sent += Math.min(997, text.length - at);
      left += stream.push(text.slice(at, at + 997)).length;
    }
    // What was replaced is shorter than what came, so only the end tells how much was held.
    ok(stream.end().length <= 150_000 && left <= sent, unit);
  }
});
