import assert from "node:assert/strict";
import { ConfigError } from "../../../core/config/config_error.ts";
import { checkText, FILE } from "./_config_texts.ts";

function problemsOf(text: string): string {
  try {
    checkText(text);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.code, "config_invalid");
    assert.equal(error.file, FILE);
    return error.message;
  }
  assert.fail(`accepted: ${text}`);
}

Deno.test("checkConfig() names every problem of a file on a line of its own", () => {
  const text = `
agent = { max_iterations = "many", temperature = 3 }
providers = [{ endpoint = "localhost", headers = { "x y" = 1 } }]
limits = []
[approval.per_tool]
write_file = "sometimes"
[shell]
denied_flag_combos = [["-a"], []]
pass_env = 2020-01-01
`;
  assert.equal(
    problemsOf(text),
    `Cannot use "${FILE}":
  agent.max_iterations is "many"; it must be a whole number from 1 to 100000
  agent.temperature is 3; it must be a number from 0 to 2
  providers[0].endpoint is "localhost"; it must be a URL that starts with "http://" or "https://"
  providers[0].headers."x y" is 1; it must be a text that is not empty
  approval.per_tool.write_file is "sometimes"; it must be "auto", "ask" or "deny"
  shell.denied_flag_combos[1] is a list; it must be a list of texts that is not empty
  shell.pass_env is a date; it must be a list of names of environment variables
  limits is a list; it must be a table`,
  );
});

Deno.test("checkConfig() says how a list of tables is written", () => {
  assert.match(
    problemsOf('[providers]\npreset = "ollama"\n'),
    /providers is a table; it must be a list of tables, each under its own \[\[providers\]\]$/,
  );
});

Deno.test("checkConfig() never shows a secret, and makes the invisible visible", () => {
  const key = `sk-${"a1B2".repeat(12)}`;
  const message = problemsOf(`[agent]\nmax_iterations = "${key}"\nmodel = 3\n`);
  assert.doesNotMatch(message, /a1B2/);
  assert.match(
    problemsOf('[sessions]\nfsync = "\\u001b[31m\\u202e"\n'),
    /"\\u\{1b\}\[31m\\u\{202e\}"/,
  );
  assert.match(problemsOf(`[sessions]\nfsync = "${"x".repeat(500)}"\n`), /"x{60}…"/);
});

const SECRET = "gsk_abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqr";

const SECRETS: readonly (readonly [entry: string, message: string])[] = [
  [
    `api_key = "${SECRET}"`,
    "providers[0].api_key must not be in a file; put it in an environment variable and name that " +
    "with api_key_env",
  ],
  [
    'api_key = "lm-studio"',
    "providers[0].api_key must not be in a file; put it in an environment variable and name that " +
    "with api_key_env",
  ],
  [
    'apiKey = "x"',
    "providers[0].apiKey must not be in a file; put it in an environment variable and name that " +
    "with api_key_env",
  ],
  [
    `api_key_env = "${SECRET}"`,
    "providers[0].api_key_env holds a key itself; put it in an environment variable and name that " +
    "here",
  ],
  [
    `headers = { x-api-key = "${SECRET}" }`,
    "providers[0].headers.x-api-key holds a secret; put it in an environment variable and name " +
    "that here as $NAME",
  ],
  [
    'headers = { "X-Api-Key" = "abc123def456" }',
    "providers[0].headers.X-Api-Key holds a secret; put it in an environment variable and name " +
    "that here as $NAME",
  ],
  [
    'headers = { Authorization = "Bearer abcdefghijklmnopqrstuv123" }',
    "providers[0].headers.Authorization holds a secret; put it in an environment variable and " +
    "name that here as $NAME",
  ],
  [
    'endpoint = "https://u:p4ssw0rd@h.example/v1"',
    "providers[0].endpoint holds a secret; put it in an environment variable and name that with " +
    "api_key_env or in a header as $NAME",
  ],
];

for (const [entry, message] of SECRETS) {
  Deno.test(`checkConfig() refuses the literal secret in ${entry.slice(0, 40)}`, () => {
    const problems = problemsOf(`[[providers]]\n${entry}\n`);
    assert.ok(problems.split("\n").includes(`  ${message}`), problems);
    assert.doesNotMatch(problems, /gsk_|p4ssw0rd|abcdef|abc123/);
    const old = problemsOf(`[provider]\n${entry}\n`);
    assert.ok(old.split("\n").includes(`  ${message.replace("providers[0]", "provider")}`), old);
  });
}

Deno.test("checkConfig() lets harmless headers and named variables pass", () => {
  const { config } = checkText(`[[providers]]
endpoint = "http://localhost:1/v1?x=1"
api_key_env = "GROQ_API_KEY2"
headers = { Authorization = "$MY_TOKEN", HTTP-Referer = "https://rho.example", X-Title = "rho" }
`);
  assert.equal(config.providers?.[0]?.headers?.Authorization, "$MY_TOKEN");
});

const UNKNOWN: readonly (readonly [text: string, message: string])[] = [
  ["[agent]\nmodle = 'x'", `Unknown key "agent.modle" in "${FILE}"; did you mean "model"?`],
  ["[agnet]\nmodel = 'x'", `Unknown key "agnet" in "${FILE}"; did you mean "agent"?`],
  ["model = 'x'", `Unknown key "model" in "${FILE}"; did you mean "agent.model"?`],
  [
    "[agent]\nfsync = 'turn'",
    `Unknown key "agent.fsync" in "${FILE}"; did you mean "sessions.fsync"?`,
  ],
  [
    "[[providers]]\nbase_url = 'x'",
    `Unknown key "providers[0].base_url" in "${FILE}" has no effect`,
  ],
  [
    "[[providers]]\ndefault_modle = 'x'",
    `Unknown key "providers[0].default_modle" in "${FILE}"; did you mean "default_model"?`,
  ],
  [
    "[extensions.per_extension.x]\nnetwrk = true",
    `Unknown key "extensions.per_extension.x.netwrk" in "${FILE}"; did you mean "network"?`,
  ],
  ['"\\u001b]0;x\\u0007" = 1', `Unknown key ""\\\\u{1b}]0;x\\\\u{7}"" in "${FILE}" has no effect`],
  ["__proto__ = 1", `Unknown key "__proto__" in "${FILE}" has no effect`],
  ["toString = 1", `Unknown key "toString" in "${FILE}" has no effect`],
];

for (const [text, message] of UNKNOWN) {
  Deno.test(`checkConfig() warns about the unknown key of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(checkText(text).notices, [
      { code: "config_unknown_key", level: "warn", message },
    ]);
  });
}

Deno.test("checkConfig() keeps the warnings about a file full of unknown keys few", () => {
  const text = Array.from({ length: 500 }, (_, index) => `zz${index} = 1\n`).join("");
  const { notices } = checkText(text);
  assert.equal(notices.length, 21);
  assert.match(notices.at(-1)?.message ?? "", /^480 more unknown keys in /);
});

Deno.test("checkConfig() lets extensions have any configuration", () => {
  assert.deepEqual(
    checkText("[extensions.config.x]\nanything = { goes = [1, 2.5] }\n").notices,
    [],
  );
});
