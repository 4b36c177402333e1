import assert from "node:assert/strict";
import type { ConfigFile } from "../../../core/config/config_schema.ts";
import { mergeConfig } from "../../../core/config/merge_config.ts";
import { checkText } from "./_config_texts.ts";

const TABLE: readonly (readonly [user: string, project: string, merged: ConfigFile])[] = [
  ["agent.model = 'u'\nagent.retry_budget = 1", "agent.model = 'p'", {
    agent: { model: "p", retry_budget: 1 },
  }],
  ["context.scan_list = ['u']", "context.scan_list = ['p']", { context: { scan_list: ["p"] } }],
  ["context.scan_list = ['u']", "context.scan_list = []", { context: { scan_list: [] } }],
  ["shell.denied_commands = ['u', 'b']", "shell.denied_commands = ['b', 'p']", {
    shell: { denied_commands: ["u", "b", "p"] },
  }],
  ["shell.denied_commands = ['u']", "shell.denied_commands = []", {
    shell: { denied_commands: ["u"] },
  }],
  [
    "shell.denied_flag_combos = [['-a', '-b']]",
    "shell.denied_flag_combos = [['-a', '-b'], ['-c']]",
    { shell: { denied_flag_combos: [["-a", "-b"], ["-c"]] } },
  ],
  ["redaction.custom_patterns = ['u']", "redaction.custom_patterns = ['p']", {
    redaction: { custom_patterns: ["u", "p"] },
  }],
  ["approval.per_tool = { a = 'deny', b = 'ask' }", "approval.per_tool = { b = 'auto' }", {
    approval: { per_tool: { a: "deny", b: "auto" } },
  }],
  [
    "extensions.per_extension.x = { network = ['a'], commands = false }",
    "extensions.per_extension = { x = { network = ['b'] }, y = { commands = true } }",
    {
      extensions: {
        per_extension: { x: { network: ["b"], commands: false }, y: { commands: true } },
      },
    },
  ],
  ["extensions.config.x = { a = { b = 1, c = 2 } }", "extensions.config.x.a.c = [3]", {
    extensions: { config: { x: { a: { b: 1, c: [3] } } } },
  }],
  ["", "sessions.fsync = 'entry'", { sessions: { fsync: "entry" } }],
  ["sessions.fsync = 'entry'", "", { sessions: { fsync: "entry" } }],
];

for (const [user, project, merged] of TABLE) {
  Deno.test(`mergeConfig() puts ${JSON.stringify(project)} over ${JSON.stringify(user)}`, () => {
    const result = mergeConfig(checkText(user).config, checkText(project).config);
    assert.deepEqual(JSON.parse(JSON.stringify(result)), merged);
  });
}

Deno.test("mergeConfig() takes a key called __proto__ for a name like others", () => {
  const result = mergeConfig(
    checkText("[extensions.config.x.inner]\n").config,
    checkText("[extensions.config.x.inner]\n__proto__ = { polluted = true }\n").config,
  );
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  const inner = result.extensions?.config?.x?.inner as Record<string, unknown>;
  assert.deepEqual(Object.keys(inner), ["__proto__"]);
});
