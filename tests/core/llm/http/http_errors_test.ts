import assert from "node:assert/strict";
import { ERROR_RULES, matchErrorRule } from "../../../../core/llm/http/error_rules.ts";
import { errorText } from "../../../../core/llm/http/error_text.ts";
import { httpError, inBandError } from "../../../../core/llm/http/http_errors.ts";
import type { ErrorContext } from "../../../../core/llm/error_context.ts";

const CONTEXT: ErrorContext = {
  provider: {
    name: "acme",
    endpoint: "https://api.acme.test/v1/chat/completions",
    api: "chat_completions",
    apiKeyEnv: "ACME_KEY",
  },
  model: "big-1",
  keyIsSet: false,
  scrub: (text) => text.replaceAll("sk-secret", "[redacted]"),
};

function failure(status: number, body: string, headers: Record<string, string> = {}) {
  return httpError({ status, body, headers: new Headers(headers) }, CONTEXT);
}

Deno.test("every error rule matches its samples, and no rule before it does", () => {
  for (const rule of ERROR_RULES) {
    for (const sample of rule.samples) {
      assert.ok(rule.pattern.test(sample), `${rule.pattern} / ${sample}`);
      assert.equal(matchErrorRule(sample), rule.code, sample);
    }
  }
});

const TABLE: readonly (readonly [number, string, string, boolean])[] = [
  [400, '{"error":{"message":"bad"}}', "bad_request", false],
  [400, "This model's maximum context length is 8192 tokens", "context_length_exceeded", false],
  [400, "foo/bar is not a valid model ID", "model_not_found", false],
  [401, "", "auth_failed", false],
  [402, '{"error":{"message":"pay"}}', "quota_exhausted", false],
  [403, "forbidden", "auth_failed", false],
  [404, '{"error":"model \\"x\\" not found, try pulling it first"}', "model_not_found", false],
  [404, "<html>Not Found</html>", "not_a_model_server", false],
  [405, "", "not_a_model_server", false],
  [408, "", "server_error", true],
  [409, "", "server_error", true],
  [413, "", "context_length_exceeded", false],
  [418, "", "http_error", false],
  [422, '{"detail":"no"}', "bad_request", false],
  [425, "", "server_error", true],
  [429, '{"error":{"message":"Rate limit reached"}}', "rate_limited", true],
  [429, '{"error":{"message":"Too many tokens: prompt is too long"}}', "rate_limited", true],
  [429, '{"error":{"code":"insufficient_quota"}}', "quota_exhausted", false],
  [500, "", "server_error", true],
  [500, "the request exceeds the available context size", "context_length_exceeded", false],
  [503, "loading model", "server_error", true],
  [529, "", "server_error", true],
  [307, "", "http_error", false],
];

for (const [status, body, code, retriable] of TABLE) {
  Deno.test(`HTTP ${status} with "${body.slice(0, 40)}" is ${code}`, () => {
    const error = failure(status, body);
    assert.deepEqual([error.code, error.retriable, error.status], [code, retriable, status]);
  });
}

Deno.test("B14 a quota that is spent fails at once and says when it resets", () => {
  const error = failure(
    429,
    '{"error":{"code":"insufficient_quota","message":"monthly limit"}}',
    { "retry-after": "1382400" },
  );
  assert.deepEqual([error.code, error.retriable, error.retryAfterMs], [
    "quota_exhausted",
    false,
    1_382_400_000,
  ]);
  assert.match(error.message, /it resets at \d{4}-/);
});

Deno.test("B14 a rate limit is waited for as the server asks", () => {
  const seconds = failure(429, "", { "retry-after": "2" });
  assert.deepEqual([seconds.code, seconds.retriable, seconds.retryAfterMs], [
    "rate_limited",
    true,
    2000,
  ]);
  const date = new Date(Date.now() + 30_000).toUTCString();
  const wait = failure(429, "", { "retry-after": date }).retryAfterMs ?? 0;
  assert.ok(wait > 25_000 && wait <= 30_000, String(wait));
  assert.equal(failure(503, "", { "retry-after-ms": "1500" }).retryAfterMs, 1500);
  assert.equal(failure(429, "Please try again in 1.2s.").retryAfterMs, 1200);
});

Deno.test("B14 a rate limit longer than two minutes is not waited for", () => {
  const error = failure(429, "", { "retry-after": "121" });
  assert.deepEqual([error.code, error.retriable], ["rate_limited", false]);
  assert.match(error.message, /it resets at/);
});

Deno.test("messages of refused requests name provider, model, host and what to do", () => {
  for (const status of [400, 401, 403, 404, 422]) {
    const { message } = failure(status, '{"error":{"message":"The model is odd"}}');
    for (const part of ['"acme"', '"big-1"', "api.acme.test", `HTTP ${status}`, "; "]) {
      assert.ok(message.includes(part), `${status}: ${message}`);
    }
  }
  assert.match(failure(401, "").message, /set the environment variable "ACME_KEY"/);
});

Deno.test("B155 bodies and messages of errors are scrubbed", () => {
  const error = failure(401, '{"error":{"message":"Incorrect API key provided: sk-secret"}}');
  assert.ok(!error.message.includes("sk-secret"));
  assert.ok(!error.body?.includes("sk-secret"));
  assert.ok(!JSON.stringify(error.data).includes("sk-secret"));
});

Deno.test("a redirect is not followed, and the message says where it leads", () => {
  const error = failure(302, "", { location: "https://other.test/v1?key=1" });
  assert.match(error.message, /redirect to "other.test"; set "endpoint"/);
});

Deno.test("errors inside a stream take the status that they name", () => {
  assert.equal(inBandError({ code: 401, message: "x" }, CONTEXT).code, "auth_failed");
  assert.equal(inBandError({ code: "429", message: "x" }, CONTEXT).retriable, true);
  assert.equal(inBandError({ code: "server_error" }, CONTEXT).retriable, true);
  assert.equal(inBandError("overloaded", CONTEXT).code, "stream_error");
  assert.equal(inBandError({ type: "invalid_request_error" }, CONTEXT).retriable, false);
});

Deno.test("errorText() finds the words wherever servers put them", () => {
  const table: readonly (readonly [string, string])[] = [
    ['{"error":{"message":"a  b"}}', "a b"],
    ['{"error":"a"}', "a"],
    ['{"message":"a"}', "a"],
    ['{"detail":[{"msg":"a"}]}', "a"],
    ['[{"error":{"message":"a"}}]', "a"],
    [
      '{"error":{"message":"Provider returned error","metadata":{"raw":"{\\"message\\":\\"b\\"}"}}}',
      "Provider returned error: b",
    ],
    ["<html><title>502 Bad Gateway</title><style>x{}</style></html>", "502 Bad Gateway"],
    ["<html><style>x{}</style><h1>Oops</h1></html>", "Oops"],
    ["a\u001b[31mb", "a\\u{1b}[31mb"],
    ["", ""],
  ];
  for (const [body, expected] of table) assert.equal(errorText(body), expected);
  assert.ok(errorText("x".repeat(10_000)).length < 500);
});
