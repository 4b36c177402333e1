import assert from "node:assert/strict";
import { CONFIG_SCHEMA } from "../../../core/config/config_schema.ts";
import { SchemaNode, tableKeys } from "../../../core/config/schema_tree.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../core/config/settings.ts";
import { CONFIG_PAGE, configReference } from "../../support/config_reference.ts";
import { checkText, settingsOf } from "./_config_texts.ts";

/** A key, values that it takes, values that it does not, and where the first one ends up. */
type Row = readonly [
  key: string,
  valid: readonly string[],
  wrong: readonly string[],
  read?: (settings: Settings) => unknown,
  expected?: unknown,
];

const TEXT = ['""', '" "', "3", "true", '["a"]', "{}"];
const FLAG = ['"yes"', "1", "[]"];
const WHOLE = ['"3"', "true", "1.5", "[1]", "nan", "inf"];
const TEXTS = ['"a"', "3", "[1]", '[""]', '[["a"]]', "{}"];

const ROWS: readonly Row[] = [
  ["agent.model", ['"m"', '"a/b:c"'], TEXT, (s) => s.agent.model, "m"],
  ["agent.provider", ['"p"'], TEXT, (s) => s.agent.provider, "p"],
  [
    "agent.max_iterations",
    ["7", "1", "100000"],
    [...WHOLE, "0", "100001", "-1"],
    (s) => s.agent.maxIterations,
    7,
  ],
  ["agent.retry_budget", ["2", "0", "100"], [...WHOLE, "-1", "101"], (s) => s.agent.retryBudget, 2],
  [
    "agent.initial_backoff_ms",
    ["7", "0", "30000"],
    [...WHOLE, "-1", "30001"],
    (s) => s.agent.initialBackoffMs,
    7,
  ],
  [
    "agent.token_budget",
    ["2048", "1024", "100_000_000"],
    [...WHOLE, "0", "1023", "100000001"],
    (s) => s.agent.tokenBudget,
    2048,
  ],
  [
    "agent.completion_reserve",
    ["500", "1"],
    [...WHOLE, "0"],
    (s) => s.agent.completionReserve,
    500,
  ],
  [
    "agent.tool_output_fraction",
    ["0.5", "1", "0.01"],
    ['"0.5"', "0", "1.01", "nan"],
    (s) => s.agent.toolOutputFraction,
    0.5,
  ],
  [
    "agent.stuck_loop_threshold",
    ["5", "0"],
    [...WHOLE, "-1", "1001"],
    (s) => s.agent.stuckLoopThreshold,
    5,
  ],
  [
    "agent.max_consecutive_empty",
    ["2", "0"],
    [...WHOLE, "-1", "1001"],
    (s) => s.agent.maxConsecutiveEmpty,
    2,
  ],
  ["agent.show_reasoning", ["true", "false"], FLAG, (s) => s.agent.showReasoning, true],
  [
    "agent.reasoning_effort",
    ['"high"', '"xhigh-2"'],
    [...TEXT, '"a b"'],
    (s) => s.agent.reasoningEffort,
    "high",
  ],
  [
    "agent.temperature",
    ["0.7", "0", "2"],
    ['"1"', "-0.1", "2.1", "nan"],
    (s) => s.agent.temperature,
    0.7,
  ],
  [
    "agent.auto_compact_threshold",
    ["80", "0", "100"],
    [...WHOLE, "0.8", "101", "-1"],
    (s) => s.agent.autoCompactPercent,
    80,
  ],
  [
    "agent.compaction_mode",
    ['"llm"', '"mechanical"'],
    ['"LLM"', "1"],
    (s) => s.agent.compactionMode,
    "llm",
  ],
  [
    "agent.first_token_timeout_secs",
    ["5", "0", "0.5"],
    ['"5"', "-1", "86401", "inf"],
    (s) => [s.limits.firstTokenTimeoutMs, s.firstTokenTimeoutConfigured],
    [5000, true],
  ],
  [
    "agent.stream_idle_timeout_secs",
    ["0.0001", "0"],
    ['"5"', "-1", "86401"], // A positive limit never becomes "off" by rounding.
    (s) => s.limits.streamIdleTimeoutMs,
    1,
  ],
  [
    "agent.connect_timeout_secs",
    ["5", "0"],
    ['"5"', "-1", "86401"],
    (s) => s.limits.connectTimeoutMs,
    5000,
  ],
  [
    "agent.request_timeout_secs",
    ["5", "0"],
    ['"5"', "-1", "86401"],
    (s) => s.limits.requestTimeoutMs,
    5000,
  ],
  ["providers.name", ['"p"'], TEXT],
  ["providers.preset", ['"ollama"'], TEXT],
  ["providers.endpoint", ['"http://localhost:1/v1"'], [...TEXT, '"localhost:1"', '"ftp://x/"']],
  ["providers.api", ['"responses"', '"chat_completions"'], ['"chat"', "1"]],
  ["providers.api_key_env", ['"MY_KEY"', '"_k1"'], [...TEXT, '"MY-KEY"', '"1A"', '"$A"']],
  ["providers.default_model", ['"m"'], TEXT],
  ["providers.models_endpoint", ['"https://h/models"'], [...TEXT, '"/models"']],
  ["providers.type", ['"openai"'], TEXT],
  ["providers.headers", ["{ x-title = 'rho' }", "{}"], ["'a'", "{ a = 1 }", "{ a = '' }", "[]"]],
  [
    "approval.per_tool",
    ["{ write_file = 'ask', x = 'deny' }", "{}"],
    ["{ a = 'never' }", "{ a = true }", "[]", '"ask"'],
    (s) => s.approvalPerTool,
    { write_file: "ask", x: "deny" },
  ],
  ["approval.commands", ['["cargo test"]', "[]"], TEXTS, (s) => s.approvalCommands, ["cargo test"]],
  ["shell.program", ['"bash"'], TEXT, (s) => s.shell.program, "bash"],
  ["shell.denied_commands", ['["rm"]'], TEXTS, (s) => s.denylist.deniedCommands, ["rm"]],
  [
    "shell.denied_flag_combos",
    ['[["-a", "-b"]]'],
    ['["-a"]', "[[]]", "[[1]]", '"-a"'],
    (s) => s.denylist.deniedFlagCombos,
    [["-a", "-b"]],
  ],
  ["shell.allowed_commands", ['["curl"]'], TEXTS, (s) => s.denylist.allowedCommands, ["curl"]],
  ["shell.pass_env", ['["GITHUB_TOKEN"]'], [...TEXTS, '["A-B"]'], (s) => s.shell.passEnv, [
    "GITHUB_TOKEN",
  ]],
  [
    "shell.on_denied",
    ['"ask"', '"refuse"'],
    ['"allow"', "true"],
    (s) => s.denylist.onDenied,
    "ask",
  ],
  [
    "context.scan_list",
    ['["A.md", "docs/b.md"]', "[]"],
    [...TEXTS, '["../a"]', '["/etc/passwd"]', '["~/a"]', '["a/../../b"]', '["C:\\\\a"]'],
    (s) => s.scanList,
    ["A.md", "docs/b.md"],
  ],
  ["limits.max_cost_usd", ["1.5", "0"], ['"1"', "-1", "nan"], (s) => s.budget.maxCostUsd, 1.5],
  ["limits.max_total_tokens", ["9", "0"], [...WHOLE, "-1"], (s) => s.budget.maxTotalTokens, 9],
  ["limits.max_turn_secs", ["2", "0"], ['"1"', "-1", "604801"], (s) => s.budget.maxTurnMs, 2000],
  ["redaction.enabled", ["false", "true"], FLAG, (s) => s.redaction.enabled, false],
  ["redaction.custom_patterns", ['["x+"]'], TEXTS, (s) => s.redaction.customPatterns, ["x+"]],
  [
    "sessions.fsync",
    ['"entry"', '"turn"', '"never"'],
    ['"always"', "true"],
    (s) => s.fsync,
    "entry",
  ],
  ["memory.enabled", ["true"], FLAG, (s) => s.memory.enabled, true],
  ["system_prompt.extensions", ['["Use Rust."]'], TEXTS, (s) => s.promptExtensions, ["Use Rust."]],
  ["extensions.enabled", ['["hello"]', "[]"], TEXTS, (s) => s.extensions.enabled, ["hello"]],
  ["extensions.disabled", ['["x"]'], TEXTS, (s) => s.extensions.disabled, ["x"]],
  ["extensions.watch", ["true"], FLAG, (s) => s.extensions.watch, true],
  [
    "extensions.on_hook_error",
    ['"block"', '"skip"'],
    ['"x"'],
    (s) => s.extensions.onHookError,
    "block",
  ],
  [
    "extensions.defaults.network",
    ['["docs.rs"]', "true", "false"],
    ['"docs.rs"', "1", "[1]"],
    (s) => s.extensions.defaults.network,
    ["docs.rs"],
  ],
  ["extensions.defaults.commands", ["false"], FLAG, (s) => s.extensions.defaults.commands, false],
  [
    "extensions.defaults.max_memory_mb",
    ["128", "8"],
    [...WHOLE, "7", "65537"],
    (s) => s.extensions.defaults.maxMemoryMb,
    128,
  ],
  [
    "extensions.defaults.max_execution_time_s",
    ["2", "0.1"],
    ['"2"', "0", "3601"],
    (s) => s.extensions.defaults.maxExecutionMs,
    2000,
  ],
  ["extensions.per_extension.x.network", ["false"], ['"a"'], (s) => s.extensions.perExtension, {
    x: { network: false },
  }],
  ["extensions.per_extension.x.commands", ["false"], FLAG, (s) => s.extensions.perExtension, {
    x: { commands: false },
  }],
  ["extensions.per_extension.x.max_memory_mb", ["16"], ["1"], (s) => s.extensions.perExtension, {
    x: { maxMemoryMb: 16 },
  }],
  [
    "extensions.per_extension.x.max_execution_time_s",
    ["1"],
    ["0"],
    (s) => s.extensions.perExtension,
    { x: { maxExecutionMs: 1000 } },
  ],
  [
    "extensions.config.x",
    ["{ a = 1, b = { c = [1979-05-27] } }", "{}"],
    ["1", "[]", `{ a = ${"[".repeat(20)}${"]".repeat(20)} }`],
    (s) => s.extensions.config,
    { x: { a: 1, b: { c: ["1979-05-27"] } } },
  ],
  [
    "trust.extensions",
    ['"auto"', '"review"'],
    ['"never"', "true"],
    (s) => s.extensionTrust,
    "auto",
  ],
  ["consent.providers", ['["openrouter"]'], TEXTS, (s) => s.consentProviders, ["openrouter"]],
];

/** A file that sets one key; entries of providers go under their own heading. */
function fileWith(key: string, value: string): string {
  const [section, ...names] = key.split(".");
  const heading = section === "providers" ? "[[providers]]" : `[${section}]`;
  return `${heading}\n${names.join(".")} = ${value}\n`;
}

for (const [key, valid, wrong, read, expected] of ROWS) {
  Deno.test(`the key ${key} takes what it shall and nothing else`, () => {
    for (const value of valid) assert.deepEqual(checkText(fileWith(key, value)).notices, [], value);
    if (read !== undefined) {
      assert.deepEqual(read(settingsOf(fileWith(key, valid[0] ?? ""))), expected);
    }
    for (const value of wrong) {
      assert.throws(() => checkText(fileWith(key, value)), { code: "config_invalid" }, value);
      if (!key.startsWith("providers.")) continue;
      const old = fileWith(key, value).replace("[[providers]]", "[provider]");
      assert.throws(() => checkText(old), { code: "config_invalid" }, value);
    }
  });
}

function leafKeys(node: SchemaNode, above: readonly string[] = []): string[] {
  const { shape } = node;
  const path = above.join(".");
  if (shape.type === "value") return [path];
  if (shape.type === "list") {
    return shape.each.shape.type === "table" ? leafKeys(shape.each, above) : [path];
  }
  if (shape.type === "map") {
    const isNamed = path.startsWith("extensions.");
    return isNamed ? leafKeys(shape.each, [...above, "x"]) : [path];
  }
  return tableKeys(node).flatMap(([name, inner]) => leafKeys(inner, [...above, name]));
}

Deno.test("every key of the schema has a row here and a description", () => {
  const known = leafKeys(new SchemaNode(CONFIG_SCHEMA)).filter((key) =>
    !key.startsWith("provider.")
  );
  assert.deepEqual(ROWS.map(([key]) => key).sort(), known.sort());
  const undescribed = (node: SchemaNode): string[] =>
    node.shape.type !== "table" ? [] : tableKeys(node).flatMap(([name, inner]) => [
      ...(inner.about === "" ? [name] : []),
      ...undescribed(inner),
    ]);
  assert.deepEqual(undescribed(new SchemaNode(CONFIG_SCHEMA)), []);
});

Deno.test("the defaults of the schema are those of DEFAULT_SETTINGS", () => {
  assert.deepEqual(settingsOf(""), DEFAULT_SETTINGS);
  const defaults = (node: SchemaNode, path: readonly string[]): string[] =>
    node.shape.type !== "table" || path[0] === "provider"
      ? node.facts?.default === undefined ? [] : [`${path.join(".")} = ${node.facts.default}\n`]
      : tableKeys(node).flatMap(([name, inner]) => defaults(inner, [...path, name]));
  const lines = [...new Map(
    defaults(new SchemaNode(CONFIG_SCHEMA), []).map((line) => [line.split(" =")[0], line]),
  ).values()];
  assert.ok(lines.length > 30);
  assert.deepEqual(settingsOf(lines.join("")), DEFAULT_SETTINGS);
});

Deno.test("docs/configuration.md is made from the schema", async () => {
  assert.equal(await Deno.readTextFile(CONFIG_PAGE), await configReference());
});
