import assert from "node:assert/strict";
import fc from "fast-check";
import type { ConfigFile } from "../../../core/config/config_schema.ts";
import { mergeConfig } from "../../../core/config/merge_config.ts";
import type { Settings } from "../../../core/config/settings.ts";
import { settingsFrom } from "../../../core/config/settings_from_config.ts";
import { countingPart } from "../../../core/config/unreviewed_config.ts";
import { checkText } from "./_config_texts.ts";

function merged(user: ConfigFile, project: ConfigFile): { before: Settings; after: Settings } {
  const before = settingsFrom(user, []);
  return { before, after: settingsFrom(mergeConfig(user, countingPart(project, before)), []) };
}

const TABLE: readonly (readonly [user: string, project: string, counting: ConfigFile])[] = [
  ["", "[agent]\nmodel = 'm'\nreasoning_effort = 'low'\nprovider = 'p'\ntemperature = 0", {
    agent: { model: "m", reasoning_effort: "low" },
  }],
  ["", "[agent]\nmax_iterations = 33\ntoken_budget = 40000", {}],
  ["", "[agent]\nmax_iterations = 31\ntoken_budget = 2048", {
    agent: { max_iterations: 31, token_budget: 2048 },
  }],
  ["agent.max_iterations = 10", "agent.max_iterations = 11", {}],
  ["", "limits = { max_cost_usd = 0, max_total_tokens = 5, max_turn_secs = 1 }", {
    limits: { max_cost_usd: 0, max_total_tokens: 5, max_turn_secs: 1 },
  }],
  [
    "limits = { max_cost_usd = 2, max_total_tokens = 5, max_turn_secs = 1 }",
    "limits = { max_cost_usd = 0, max_total_tokens = 6, max_turn_secs = 0.5 }",
    { limits: { max_turn_secs: 0.5 } },
  ],
  ["", "approval.per_tool = { a = 'auto', b = 'ask', c = 'deny' }", {
    approval: { per_tool: { b: "ask", c: "deny" } },
  }],
  [
    "approval.per_tool = { a = 'deny', b = 'ask', c = 'auto' }",
    "approval.per_tool = { a = 'ask', b = 'auto', c = 'ask' }",
    { approval: { per_tool: { c: "ask" } } },
  ],
  ["", "shell = { program = '/tmp/x', denied_commands = ['a'], denied_flag_combos = [['-b']] }", {
    shell: { denied_commands: ["a"], denied_flag_combos: [["-b"]] },
  }],
  ["", "redaction = { custom_patterns = ['x'] }", { redaction: { custom_patterns: ["x"] } }],
  [
    "",
    "context.scan_list = ['x']\nsystem_prompt.extensions = ['x']\nextensions.disabled = ['guard']\n" +
    "memory.enabled = true\nsessions.fsync = 'never'\n[[providers]]\npreset = 'groq'",
    {},
  ],
];

for (const [user, project, counting] of TABLE) {
  Deno.test(`countingPart() of ${JSON.stringify(project)} over ${JSON.stringify(user)}`, () => {
    const before = settingsFrom(checkText(user).config, []);
    assert.deepEqual(countingPart(checkText(project).config, before), counting);
  });
}

const NAME = fc.constantFrom("a", "b", "c", "run_command");
const NAMES = fc.array(NAME, { maxLength: 3 });
const SWITCH = fc.boolean();

/** Leaves most keys out, so that every combination comes up. */
function some<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined });
}

function section<T>(keys: { [Key in keyof T]: fc.Arbitrary<T[Key]> }): fc.Arbitrary<T> {
  return fc.record(keys, { requiredKeys: [] }) as fc.Arbitrary<T>;
}

const CONFIG = section({
  agent: section({
    model: NAME,
    provider: NAME,
    max_iterations: fc.integer({ min: 1, max: 60 }),
    retry_budget: fc.nat(9),
    token_budget: fc.integer({ min: 1024, max: 60_000 }),
    completion_reserve: fc.integer({ min: 1, max: 9000 }),
    tool_output_fraction: fc.constantFrom(0.1, 0.9),
    stuck_loop_threshold: fc.nat(9),
    max_consecutive_empty: fc.nat(9),
    reasoning_effort: NAME,
    temperature: fc.constantFrom(0, 1),
    compaction_mode: fc.constantFrom("mechanical", "llm"),
    auto_compact_threshold: fc.nat(100),
    first_token_timeout_secs: fc.nat(9),
    request_timeout_secs: fc.nat(9),
  }),
  approval: section({
    per_tool: fc.dictionary(NAME, fc.constantFrom("auto", "ask", "deny")),
    commands: NAMES,
  }),
  shell: section({
    program: NAME,
    denied_commands: NAMES,
    denied_flag_combos: fc.array(fc.array(NAME, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
    allowed_commands: NAMES,
    pass_env: NAMES,
    on_denied: fc.constantFrom("refuse", "ask"),
  }),
  context: section({ scan_list: NAMES }),
  limits: section({
    max_cost_usd: fc.constantFrom(0, 0.0001, 1, 2),
    max_total_tokens: fc.constantFrom(0, 1, 1000),
    max_turn_secs: fc.constantFrom(0, 0.00001, 1, 60),
  }),
  redaction: section({ enabled: SWITCH, custom_patterns: NAMES }),
  sessions: section({ fsync: fc.constantFrom("turn", "entry", "never") }),
  memory: section({ enabled: SWITCH }),
  system_prompt: section({ extensions: NAMES }),
  extensions: section({
    enabled: NAMES,
    disabled: NAMES,
    watch: SWITCH,
    on_hook_error: fc.constantFrom("skip", "block"),
    defaults: section({ network: SWITCH, commands: SWITCH }),
  }),
  trust: section({ extensions: fc.constantFrom("review", "auto") }),
  consent: section({ providers: NAMES }),
}) as fc.Arbitrary<ConfigFile>;

/** Whether a limit is at least as tight, 0 meaning none. */
function isLimitTighter(after: number, before: number): boolean {
  return after === before || (after !== 0 && (before === 0 || after < before));
}

Deno.test("an unreviewed project file never loosens anything", () => {
  fc.assert(
    fc.property(some(CONFIG), CONFIG, (user, project) => {
      const { before, after } = merged(user ?? {}, project);
      const { maxIterations, tokenBudget } = after.agent;
      assert.ok(maxIterations <= before.agent.maxIterations);
      assert.ok(tokenBudget <= before.agent.tokenBudget);
      for (const name of ["maxCostUsd", "maxTotalTokens", "maxTurnMs"] as const) {
        assert.ok(isLimitTighter(after.budget[name], before.budget[name]), name);
      }
      const strict = { auto: 0, ask: 1, deny: 2 };
      for (const tool of ["a", "b", "c", "run_command"]) {
        const was = before.approvalPerTool[tool];
        const is = after.approvalPerTool[tool];
        if (was === undefined) assert.notEqual(is, "auto");
        else assert.ok(is !== undefined && strict[is] >= strict[was]);
      }
      for (const item of before.denylist.deniedCommands) {
        assert.ok(after.denylist.deniedCommands.includes(item));
      }
      const combos = after.denylist.deniedFlagCombos.map((combo) => combo.join());
      for (const item of before.denylist.deniedFlagCombos) assert.ok(combos.includes(item.join()));
      for (const item of before.redaction.customPatterns) {
        assert.ok(after.redaction.customPatterns.includes(item));
      }
      // Everything else is as it was.
      const { model: _m, reasoningEffort: _r, ...agentAfter } = after.agent;
      const { model: _n, reasoningEffort: _s, ...agentBefore } = before.agent;
      const { maxIterations: i, tokenBudget: t } = agentBefore;
      assert.deepEqual({ ...agentAfter, maxIterations: i, tokenBudget: t }, agentBefore);
      const { deniedCommands, deniedFlagCombos } = before.denylist;
      assert.deepEqual(
        {
          ...after,
          agent: before.agent,
          budget: before.budget,
          approvalPerTool: before.approvalPerTool,
          denylist: { ...after.denylist, deniedCommands, deniedFlagCombos },
          redaction: { ...after.redaction, customPatterns: before.redaction.customPatterns },
        },
        before,
      );
    }),
    { numRuns: 500 },
  );
});
