import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigError } from "../../../core/config/config_error.ts";
import { parseToml } from "../../../core/config/toml_text.ts";
import { checkText } from "./_config_texts.ts";

function syntaxMessage(text: string): string {
  try {
    parseToml(text, "/c.toml");
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.code, "config_syntax");
    return error.message;
  }
  assert.fail("accepted");
}

const TABLE: readonly (readonly [text: string, message: string])[] = [
  [
    "[agent]\nmodel = = 'x'\n",
    'Cannot read "/c.toml", line 2, column 9: invalid value\n' +
    "  2 | model = = 'x'\n" +
    "              ^",
  ],
  [
    "\r\n[agent\r\n",
    'Cannot read "/c.toml", line 2, column 7: illegal character in key\n' +
    "  2 | [agent\n" +
    "            ^",
  ],
  [
    "\tx = tru\u202ee",
    'Cannot read "/c.toml", line 1, column 6: invalid value\n' +
    "  1 | \tx = tru\\u{202e}e\n" +
    "      \t    ^",
  ],
  [
    "a = 1\na = 2\n",
    'Cannot read "/c.toml", line 2, column 1: trying to redefine an already defined table or value\n' +
    "  2 | a = 2\n" +
    "      ^",
  ],
];

for (const [text, message] of TABLE) {
  Deno.test(`parseToml() shows where ${JSON.stringify(text)} is wrong`, () => {
    assert.equal(syntaxMessage(text), message);
  });
}

Deno.test("parseToml() masks a secret in the line it shows", () => {
  const message = syntaxMessage(`api_key = "sk-${"a1B2".repeat(12)}" x`);
  assert.doesNotMatch(message, /a1B2/);
  assert.match(message, /line 1, column \d+: .*\n {2}1 \| api_key = "\[REDACTED\]" x$/);
});

Deno.test("parseToml() shows a part of a long line, with the place in it", () => {
  const [, line = "", caret = ""] = syntaxMessage(`x = "${"a".repeat(300)}" !${"b".repeat(300)}`)
    .split("\n");
  assert.ok(line.length < 120);
  assert.equal(line[caret.indexOf("^")], "!");
});

Deno.test("parseToml() survives deep nesting", () => {
  assert.match(syntaxMessage(`a = ${"[".repeat(100_000)}`), /excessively nested/);
  parseToml(`${Array.from({ length: 20_000 }, () => "a").join(".")} = 1`, "/c.toml");
});

const WORDS = fc.constantFrom(
  "[agent]",
  "[[providers]]",
  "[provider]",
  "[approval.per_tool]",
  "[extensions.config.x]",
  "[limits]",
  "model",
  "name",
  "preset",
  "endpoint",
  "headers",
  "max_iterations",
  "a.b",
  '"q k"',
  "__proto__",
  "constructor",
  "=",
  "'x'",
  '"\\u0000"',
  "1",
  "-0",
  "1e9",
  "nan",
  "inf",
  "true",
  "[",
  "]",
  "{",
  "}",
  ",",
  ".",
  "\n",
  "\r\n",
  " ",
  "#",
  "2020-01-01",
  '"""',
  "'''",
  "\u202e",
  "\ufeff",
  "\ud800",
);
const ANY_TEXT = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(WORDS, { maxLength: 40 }).map((words) => words.join(" ")),
  fc.array(fc.tuple(WORDS, WORDS), { maxLength: 10 }).map((pairs) =>
    pairs.map(([name, value]) => `${name} = ${value}\n`).join("")
  ),
);

Deno.test("any text is accepted or refused with a ConfigError", () => {
  fc.assert(
    fc.property(ANY_TEXT, (text) => {
      try {
        checkText(text);
      } catch (error) {
        assert.ok(error instanceof ConfigError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});
