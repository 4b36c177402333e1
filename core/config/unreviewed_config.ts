import type { ConfigFile } from "./config_schema.ts";
import type { ApprovalRule, Settings } from "./settings.ts";

const STRICTNESS: Readonly<Record<ApprovalRule, number>> = { auto: 0, ask: 1, deny: 2 };

/**
 * The part of a project's file that counts before anybody has reviewed it (chapter 80, Trust): what
 * cannot make rho do more than it would without the file.
 *
 * It is a list of what is let through, so a key that is new to the schema stays out.
 *
 * @param user What would hold without the project's file.
 */
export function countingPart(project: ConfigFile, user: Settings): ConfigFile {
  const { agent = {}, approval = {}, shell = {}, limits = {}, redaction = {} } = project;
  return withoutEmpty({
    agent: {
      model: agent.model,
      reasoning_effort: agent.reasoning_effort,
      max_iterations: atMost(agent.max_iterations, user.agent.maxIterations),
      token_budget: atMost(agent.token_budget, user.agent.tokenBudget),
    },
    approval: { per_tool: stricterRules(approval.per_tool ?? {}, user) },
    shell: {
      denied_commands: shell.denied_commands,
      denied_flag_combos: shell.denied_flag_combos,
    },
    limits: {
      max_cost_usd: tighterLimit(limits.max_cost_usd, user.budget.maxCostUsd),
      max_total_tokens: tighterLimit(limits.max_total_tokens, user.budget.maxTotalTokens),
      max_turn_secs: tighterLimit(limits.max_turn_secs, user.budget.maxTurnMs / 1000),
    },
    redaction: { custom_patterns: redaction.custom_patterns },
  });
}

/** `ask` and `deny`, where the user's own rule is not stricter. */
function stricterRules(
  project: Readonly<Record<string, ApprovalRule>>,
  user: Settings,
): Record<string, ApprovalRule> {
  const own = new Map(Object.entries(user.approvalPerTool));
  const kept = Object.entries(project).filter(([tool, rule]) =>
    rule !== "auto" && STRICTNESS[rule] >= STRICTNESS[own.get(tool) ?? "auto"]
  );
  return Object.fromEntries(kept);
}

function atMost(value: number | undefined, limit: number): number | undefined {
  return value !== undefined && value <= limit ? value : undefined;
}

/** A number that is tighter where 0 means no limit at all. */
function tighterLimit(value: number | undefined, limit: number): number | undefined {
  if (value === undefined || value === limit) return value;
  if (value === 0) return undefined;
  return limit === 0 || value < limit ? value : undefined;
}

/** Leaves out what is undefined, and tables that hold nothing. */
function withoutEmpty(config: Readonly<Record<string, unknown>>): ConfigFile {
  const kept = Object.entries(config).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined) return [];
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [[name, value]];
    const inner = withoutEmpty(value as Record<string, unknown>);
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(kept);
}
