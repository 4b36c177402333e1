import { RedactionStream } from "../../core/security/redaction_stream.ts";
import { Redactor } from "../../core/security/redactor.ts";
import { LOOKALIKES } from "../fixtures/redaction/lookalikes.ts";
import { pem, SECRET_SAMPLES } from "../fixtures/redaction/secrets.ts";

/** One measured input. */
export interface RedactionBenchRow {
  readonly name: string;
  /** Time for the smaller and the ten times larger input, medians, in milliseconds. */
  readonly smallMs: number;
  readonly largeMs: number;
  /** Size of the larger input, in UTF-16 units. */
  readonly largeUnits: number;
  /** Growth: time is proportional to size to this power; 1 is linear. */
  readonly exponent: number;
  /** Time against a plain walk over the same number of units. */
  readonly ratio: number;
}

const ROUNDS = 5;

function medianMs(work: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0;
}

/** A text of an exact length without inner ropes, as it comes from a file or a socket. */
function fill(unit: string, units: number): string {
  const text = unit.repeat(Math.ceil(units / unit.length)).slice(0, units);
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function walk(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
  return sum;
}

const PROSE =
  "Compiling is quick when nothing changed; the report lists each step, 12 of 340 done.\n";
const CODE = LOOKALIKES.join("\n");
const SECRETS = SECRET_SAMPLES.map((sample) => sample.text).join("\n");
const HEAD = "-----BEGIN RSA PRIVATE " + "KEY-----";

/** Ordinary texts at 10 MB, and texts made to be slow at 1 MB. */
const INPUTS: readonly (readonly [name: string, unit: string, largeUnits: number])[] = [
  ["prose", PROSE, 10_000_000],
  ["code", CODE, 10_000_000],
  [
    "prose with a secret now and then",
    PROSE.repeat(500) + SECRETS.slice(0, 400) + "\n",
    10_000_000,
  ],
  ["one line of minified code", CODE.replaceAll("\n", ";"), 10_000_000],
  ["base64 in one line", "QkFTRTY0aXNMb25nZXJUaGFuSXRMb29rcy9hbmQrc28vb24", 10_000_000],
  ["base64 in lines of 76", `${"QUJDREVGR0hJSktMTU5PUFFS".repeat(4).slice(0, 76)}\n`, 10_000_000],
  ["nothing but secrets", SECRETS, 1_000_000],
  ["private keys", pem("RSA ") + "\n", 1_000_000],
  ["-----BEGIN", "-----BEGIN", 1_000_000],
  ["begin markers", `${HEAD}\n`, 1_000_000],
  ["begin markers in one line", HEAD, 1_000_000],
  ["end markers", HEAD.replace("BEGIN", "END") + "\nQUJDREVGR0hJSktM\n", 1_000_000],
  ["eyJ", "eyJ", 1_000_000],
  ["eyJ with dots", "eyJhbGciOiJIUzI1NiJ9.", 1_000_000],
  ["AKIA", "AKIA", 1_000_000],
  ["ghp_", "gh" + "p_", 1_000_000],
  ["sk-", "sk-", 1_000_000],
  ["a=", "a=", 1_000_000],
  ["password=", "password=", 1_000_000],
  ["password='", "password='", 1_000_000],
  ['password="${', 'password="${', 1_000_000],
  ['"password" ', '"password" ', 1_000_000],
  ['"password":', '"password":', 1_000_000],
  ['"password":"\\', '"password":"\\', 1_000_000],
  ["password: 1234 ", "password: 1234 ", 1_000_000],
  ["<password>", "<password>", 1_000_000],
  ["password\\", 'password=\\\\\\"', 1_000_000],
  ["api_key =\\n", "api_key =\n", 1_000_000],
  ["://a:", "://a:", 1_000_000],
  ["https://a:b", "https://a:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 1_000_000],
  ["Bearer ", "Bearer ", 1_000_000],
  ["Authorization: ", "Authorization: ", 1_000_000],
  ["login a password ", "login a password ", 1_000_000],
  ["Discord quartets", "MTIzNDU2Nzg5", 1_000_000],
  [":AA", "12345678:AA", 1_000_000],
  ["backslashes", "\\", 1_000_000],
  ["quotes", '"', 1_000_000],
  ["line breaks", "\n", 1_000_000],
];

function measure(name: string, run: (text: string) => unknown, unit: string, largeUnits: number) {
  const small = fill(unit, largeUnits / 10);
  const large = fill(unit, largeUnits);
  run(small);
  const smallMs = medianMs(() => run(small));
  const largeMs = medianMs(() => run(large));
  const walkMs = medianMs(() => walk(large));
  return {
    name,
    smallMs,
    largeMs,
    largeUnits,
    exponent: Math.log10(largeMs / Math.max(smallMs, 0.01)),
    ratio: largeMs / walkMs,
  };
}

/** Measures redaction of whole texts and of streams at n and 10 n. */
export function benchRedaction(): RedactionBenchRow[] {
  const env = Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`SERVICE_${i}_TOKEN`, `q7Zk2mWx9RtY4uVb1NcD${i}`]),
  );
  const redactor = new Redactor();
  const withEnv = new Redactor({ env });
  const streamed = (text: string) => {
    const stream = new RedactionStream(redactor);
    let units = 0;
    for (let at = 0; at < text.length; at += 40) {
      units += stream.push(text.slice(at, at + 40)).length;
    }
    return units + stream.end().length;
  };
  const rows = INPUTS.map(([name, unit, units]) =>
    measure(name, (text) => redactor.redact(text), unit, units)
  );
  rows.push(
    measure("code, ten secret variables", (text) => withEnv.redact(text), CODE, 10_000_000),
  );
  for (
    const [name, unit] of INPUTS.filter(([, , units]) => units <= 1_000_000).concat([
      ["prose", PROSE, 1_000_000],
      ["code", CODE, 1_000_000],
    ])
  ) {
    rows.push(measure(`stream: ${name}`, streamed, unit, 2_000_000));
  }
  return rows;
}

if (import.meta.main) {
  const lines = benchRedaction().map(({ name, smallMs, largeMs, largeUnits, exponent, ratio }) =>
    [
      name.padEnd(36),
      `${(largeUnits / 1e6).toFixed(1)} M`.padStart(7),
      `${smallMs.toFixed(2)} ms`.padStart(11),
      `${largeMs.toFixed(2)} ms`.padStart(11),
      `x^${exponent.toFixed(2)}`.padStart(8),
      `${ratio.toFixed(1)} walks`.padStart(12),
    ].join("")
  );
  Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));
}
