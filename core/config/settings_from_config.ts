import type { ConfigFile } from "./config_schema.ts";
import type { Provider } from "./provider.ts";
import { isTable } from "./schema_scalars.ts";
import {
  type AgentSettings,
  DEFAULT_SETTINGS,
  type ExtensionLimits,
  type ExtensionSettings,
  type Settings,
} from "./settings.ts";

type Agent = NonNullable<ConfigFile["agent"]>;
type Extensions = NonNullable<ConfigFile["extensions"]>;

/** What may be undefined beside what counts. */
type Loose<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** The complete settings: what the files say over the defaults. */
export function settingsFrom(config: ConfigFile, providers: readonly Provider[]): Settings {
  const { agent = {}, approval = {}, shell = {}, limits = {}, redaction = {} } = config;
  const base = DEFAULT_SETTINGS;
  return {
    agent: agentSettings(agent),
    limits: over(base.limits, {
      connectTimeoutMs: milliseconds(agent.connect_timeout_secs),
      firstTokenTimeoutMs: milliseconds(agent.first_token_timeout_secs),
      streamIdleTimeoutMs: milliseconds(agent.stream_idle_timeout_secs),
      requestTimeoutMs: milliseconds(agent.request_timeout_secs),
    }),
    firstTokenTimeoutConfigured: agent.first_token_timeout_secs !== undefined,
    providers,
    approvalPerTool: approval.per_tool ?? base.approvalPerTool,
    approvalCommands: approval.commands ?? base.approvalCommands,
    shell: over(base.shell, { program: shell.program, passEnv: shell.pass_env }),
    denylist: over(base.denylist, {
      deniedCommands: shell.denied_commands,
      deniedFlagCombos: shell.denied_flag_combos,
      allowedCommands: shell.allowed_commands,
      onDenied: shell.on_denied,
    }),
    scanList: config.context?.scan_list ?? base.scanList,
    budget: over(base.budget, {
      maxCostUsd: limits.max_cost_usd,
      maxTotalTokens: limits.max_total_tokens,
      maxTurnMs: milliseconds(limits.max_turn_secs),
    }),
    redaction: over(base.redaction, {
      enabled: redaction.enabled,
      customPatterns: redaction.custom_patterns,
    }),
    fsync: config.sessions?.fsync ?? base.fsync,
    memory: over(base.memory, { enabled: config.memory?.enabled }),
    promptExtensions: config.system_prompt?.extensions ?? base.promptExtensions,
    extensions: extensionSettings(config.extensions ?? {}),
    extensionTrust: config.trust?.extensions ?? base.extensionTrust,
    consentProviders: config.consent?.providers ?? base.consentProviders,
  };
}

function agentSettings(agent: Agent): AgentSettings {
  return over(DEFAULT_SETTINGS.agent, {
    model: agent.model,
    provider: agent.provider,
    maxIterations: agent.max_iterations,
    retryBudget: agent.retry_budget,
    initialBackoffMs: agent.initial_backoff_ms,
    tokenBudget: agent.token_budget,
    completionReserve: agent.completion_reserve,
    toolOutputFraction: agent.tool_output_fraction,
    stuckLoopThreshold: agent.stuck_loop_threshold,
    maxConsecutiveEmpty: agent.max_consecutive_empty,
    showReasoning: agent.show_reasoning,
    reasoningEffort: agent.reasoning_effort,
    temperature: agent.temperature,
    autoCompactPercent: agent.auto_compact_threshold,
    compactionMode: agent.compaction_mode,
  });
}

function extensionSettings(extensions: Extensions): ExtensionSettings {
  const base = DEFAULT_SETTINGS.extensions;
  const { enabled, disabled, watch, on_hook_error: onHookError } = extensions;
  return {
    ...over(base, { enabled, disabled, watch, onHookError }),
    defaults: over(base.defaults, limitsOf(extensions.defaults ?? {})),
    perExtension: mapValues(
      extensions.per_extension ?? {},
      (limits) => over<Partial<ExtensionLimits>>({}, limitsOf(limits)),
    ),
    config: mapValues(extensions.config ?? {}, (table) => mapValues(table, plainJson)),
  };
}

function limitsOf(limits: NonNullable<Extensions["defaults"]>): Loose<ExtensionLimits> {
  return {
    network: limits.network,
    commands: limits.commands,
    maxMemoryMb: limits.max_memory_mb,
    maxExecutionMs: milliseconds(limits.max_execution_time_s),
  };
}

/** The base with every value replaced that is there. */
function over<T extends object>(base: T, values: Loose<T>): T {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(given) };
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** TOML's dates as text, since settings of extensions travel as JSON. */
function plainJson(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainJson);
  return isTable(value) ? mapValues(value, plainJson) : value;
}

function milliseconds(secs: number | undefined): number | undefined {
  if (secs === undefined || secs === 0) return secs;
  // Never rounded to 0, which would turn a limit off.
  return Math.max(1, Math.round(secs * 1000));
}
