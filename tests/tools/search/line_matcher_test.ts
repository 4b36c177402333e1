import { equal, ok, rejects } from "node:assert/strict";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { BadPatternError } from "../../../tools/search/bad_pattern_error.ts";
import { LineMatcher } from "../../../tools/search/line_matcher.ts";

const atom = fc.constantFrom(
  ..."a b c k s S K é . \\w \\W \\d \\s \\S [a-c] [^a] [^\\w] [[:alpha:]] [k-s] [^k] \\b \\B ^ $ \\. \\x61"
    .split(" "),
  "\\Qa.\\E",
  " ",
  "[ab\\-]",
  "[]a]",
  "\\x{e9}",
  "\\t",
  "{",
  "\\A",
  "\\z",
  "(?:a)",
  "(b|c)",
  "(?P<n>a)",
  "\\pL",
);
const quantifier = fc.constantFrom(
  "",
  "",
  "",
  "*",
  "+",
  "?",
  "*?",
  "{2}",
  "{1,3}",
  "{2,}",
  "{0,1}",
);
const piece = fc.tuple(atom, quantifier).map(([a, q]) => a + q);
const simple = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
const pattern = fc.oneof(
  simple,
  fc.tuple(simple, simple).map(([a, b]) => `${a}|${b}`),
  fc.tuple(simple, simple, quantifier).map(([a, b, q]) => `${a}(${b})${q}`),
  simple.map((a) => `(?i)${a}`),
);
const line = fc.array(
  fc.constantFrom(..."aabbcckksSK ,.é-_1{", "ſ", "K", "😀", "\r", "\t", "\u2028", "\v", "\0"),
  { maxLength: 12 },
).map((parts) => parts.join(""));

function valid(source: string): boolean {
  try {
    RE2JS.compile(source);
    return true;
  } catch {
    return false;
  }
}

Deno.test("LineMatcher.find() finds what re2js finds, at the same place", () =>
  fc.assert(
    fc.asyncProperty(
      pattern,
      fc.array(line, { maxLength: 6 }),
      fc.boolean(),
      async (source, lines, ignoreCase) => {
        fc.pre(valid(source));
        const matcher = await LineMatcher.compile(source, { ignoreCase });
        const linear = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
        let some = false;
        for (const each of lines) {
          const match = linear.matcher(each);
          const at = match.find() ? match.start() : -1;
          equal(matcher.find(each), at, `${source} on ${JSON.stringify(each)}`);
          some ||= at >= 0;
        }
        if (some) ok(matcher.mayMatch(lines.join("\n")), source);
        if (some) ok(matcher.mayMatch(lines.join("\r\n")), source);
      },
    ),
    { numRuns: Number(Deno.env.get("RUNS") ?? 1500) },
  ));

Deno.test("LineMatcher.find() finds characters beyond U+FFFF at the end of a line", async () => {
  for (
    const source of ["[^a]$", ".\\z", "x?.$", "^.$", "\\x{1f600}$", "[\\x{1f600}-\\x{1f64f}]{2}$"]
  ) {
    const matcher = await LineMatcher.compile(source, { ignoreCase: false });
    const line = source.includes("{2}") ? "😀😀" : "😀";
    equal(matcher.find(line), 0, source);
    ok(matcher.mayMatch(`a\n${line}\nb`), source);
  }
});

Deno.test("LineMatcher leaves patterns that could blow up to the linear engine", async () => {
  const rows:
    readonly (readonly [pattern: string, shortIsNative: boolean, longIsNative: boolean])[] = [
      ["foo", true, true],
      ["foo|bar|b[ao]z", true, true],
      ["fn\\s+\\w+\\(", true, false],
      ["a.*b", true, false],
      ["(a+)+$", false, false],
      ["(a|b)*c", false, false],
      ["(?:\\s+as\\s+\\w+)?;", true, false],
      ["(x?x?)*y", false, false],
      ["\\pL", false, false],
      ["\\Bfoo", false, false],
      ["(?:a{1,20}){1,20}b", false, false],
    ];
  for (const [source, shortIsNative, longIsNative] of rows) {
    const matcher = await LineMatcher.compile(source, { ignoreCase: false });
    equal(matcher.isNative(100), shortIsNative, source);
    equal(matcher.isNative(100_000), longIsNative, source);
  }
});

Deno.test("LineMatcher takes bounded time on texts made to be slow", async () => {
  const long = "a".repeat(50_000);
  const wide = `${"x=".repeat(120)}\n`.repeat(400);
  for (
    const source of [
      "(a+)+$b",
      "(a|aa)+$b",
      "a.*a.*a.*b",
      "\\w+\\s*=.*;",
      "(.*)*b",
      "x.*=.*=.*;",
      "a*a*a*b",
      "[^;]*=[^;]*;",
    ]
  ) {
    const matcher = await LineMatcher.compile(source, { ignoreCase: false });
    const start = performance.now();
    matcher.find(long);
    matcher.mayMatch(long);
    matcher.mayMatch(wide);
    for (const each of wide.split("\n")) matcher.find(each);
    ok(performance.now() - start < 5000, `${source}: ${performance.now() - start} ms`);
  }
});

Deno.test("LineMatcher.compile() tells where a pattern is wrong", async () => {
  const rows: readonly (readonly [string, number])[] = [
    ["ab(c", 3],
    ["a)b", 2],
    ["a[bc", 2],
    ["ab**", 3],
    ["x(?=a)", 2],
    ["ab\\", 3],
    ["[(]x(", 5],
    ["(a)\\1", 4],
    ["[z-a]", 2],
  ];
  for (const [source, position] of rows) {
    await rejects(LineMatcher.compile(source, { ignoreCase: false }), (error) => {
      ok(error instanceof BadPatternError);
      equal(error.data["position"], position, source);
      ok(error.message.includes(`at character ${position}`));
      return true;
    });
  }
});
