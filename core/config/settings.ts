import type { Provider, RequestLimits } from "./provider.ts";

/** What an approval policy may say about a tool. */
export type ApprovalRule = "auto" | "ask" | "deny";

/** How the agent loop behaves. */
export interface AgentSettings {
  /** A model id or `provider:id`. */
  readonly model?: string;
  /** The name of the provider that bare model ids go to. */
  readonly provider?: string;
  /** The most model responses of one turn. */
  readonly maxIterations: number;
  /** The most repeated requests of one iteration. */
  readonly retryBudget: number;
  /** The first wait before a repeated request, in milliseconds; doubled each time. */
  readonly initialBackoffMs: number;
  /** The context window, in tokens. */
  readonly tokenBudget: number;
  /** Tokens kept free for the reply; the smaller of 8192 and a quarter of the window if unset. */
  readonly completionReserve?: number;
  /** The part of the prompt budget that one tool result may fill, 0 to 1. */
  readonly toolOutputFraction: number;
  /** Equal calls or texts in a row that count as stuck; 0 turns the check off. */
  readonly stuckLoopThreshold: number;
  /** Empty replies in a row that end a turn; 0 leaves them to `maxIterations`. */
  readonly maxConsecutiveEmpty: number;
  /** Whether `rho run` and `rho demo` show the model's reasoning. */
  readonly showReasoning: boolean;
  readonly reasoningEffort?: string;
  readonly temperature?: number;
  /** Utilisation from which older turns are compacted, in percent of the window; 0 is off. */
  readonly autoCompactPercent: number;
  /** Who writes a compaction's notes: rho from the log, or the model in addition. */
  readonly compactionMode: "mechanical" | "llm";
}

/** How commands run. */
export interface ShellSettings {
  /** A program name or path, or `auto`. */
  readonly program: string;
  /** Secret variables that commands see all the same. */
  readonly passEnv: readonly string[];
}

/** What the command denylist holds besides its built-in rules. */
export interface DenylistSettings {
  readonly deniedCommands: readonly string[];
  /** Flags that are denied when all of a combination are given. */
  readonly deniedFlagCombos: readonly (readonly string[])[];
  /** Built-in rules that do not hold. */
  readonly allowedCommands: readonly string[];
  /** Whether a denied command is refused, or a person may approve that one call. */
  readonly onDenied: "refuse" | "ask";
}

/** What a turn or a session may use; 0 is no limit. */
export interface BudgetSettings {
  readonly maxCostUsd: number;
  /** Of the whole session. */
  readonly maxTotalTokens: number;
  readonly maxTurnMs: number;
}

/** What an extension may do. */
export interface ExtensionLimits {
  /** Whether `fetch` works, or the only hosts that it reaches. */
  readonly network: boolean | readonly string[];
  readonly commands: boolean;
  readonly maxMemoryMb: number;
  readonly maxExecutionMs: number;
}

/** Which extensions load, and what they may do. */
export interface ExtensionSettings {
  /** The only ones that load; all when absent. */
  readonly enabled?: readonly string[];
  readonly disabled: readonly string[];
  /** Whether a saved change reloads. */
  readonly watch: boolean;
  /** What becomes of a call whose hook failed: the hook is skipped, or the call blocked. */
  readonly onHookError: "skip" | "block";
  readonly defaults: ExtensionLimits;
  readonly perExtension: Readonly<Record<string, Partial<ExtensionLimits>>>;
  /** What `rho.getConfig()` returns, by extension: plain JSON. */
  readonly config: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Everything that rho can be told, complete and checked. */
export interface Settings {
  readonly agent: AgentSettings;
  readonly limits: RequestLimits;
  /** Whether somebody chose `limits.firstTokenTimeoutMs`; local models get longer if not. */
  readonly firstTokenTimeoutConfigured: boolean;
  readonly providers: readonly Provider[];
  readonly approvalPerTool: Readonly<Record<string, ApprovalRule>>;
  /** Commands that run unasked. */
  readonly approvalCommands: readonly string[];
  readonly shell: ShellSettings;
  readonly denylist: DenylistSettings;
  /** Project files whose text joins the system prompt, in this order, relative to the root. */
  readonly scanList: readonly string[];
  readonly budget: BudgetSettings;
  readonly redaction: {
    /** Whether secrets are masked in what the model sees; what is stored is always masked. */
    readonly enabled: boolean;
    /** In RE2 syntax, not compiled yet. */
    readonly customPatterns: readonly string[];
  };
  /** When session files are synced to disk. */
  readonly fsync: "turn" | "entry" | "never";
  readonly memory: { readonly enabled: boolean };
  /** Texts that end the system prompt. */
  readonly promptExtensions: readonly string[];
  readonly extensions: ExtensionSettings;
  /** Whether project extensions wait for a review. */
  readonly extensionTrust: "review" | "auto";
  /** External providers that the user agreed to for good, by name. */
  readonly consentProviders: readonly string[];
}

/** What holds when nobody says otherwise (chapter 70 of the specification). */
export const DEFAULT_SETTINGS: Settings = {
  agent: {
    maxIterations: 32,
    retryBudget: 4,
    initialBackoffMs: 500,
    tokenBudget: 32768,
    toolOutputFraction: 0.25,
    stuckLoopThreshold: 3,
    maxConsecutiveEmpty: 5,
    showReasoning: false,
    autoCompactPercent: 0,
    compactionMode: "mechanical",
  },
  limits: {
    connectTimeoutMs: 30_000,
    firstTokenTimeoutMs: 90_000,
    streamIdleTimeoutMs: 60_000,
    requestTimeoutMs: 0,
  },
  firstTokenTimeoutConfigured: false,
  providers: [],
  approvalPerTool: {},
  approvalCommands: [],
  shell: { program: "auto", passEnv: [] },
  denylist: { deniedCommands: [], deniedFlagCombos: [], allowedCommands: [], onDenied: "refuse" },
  scanList: ["AGENTS.md", ".agents.md", "CLAUDE.md", ".cursorrules", ".rho/prompt.md"],
  budget: { maxCostUsd: 0, maxTotalTokens: 0, maxTurnMs: 0 },
  redaction: { enabled: true, customPatterns: [] },
  fsync: "turn",
  memory: { enabled: false },
  promptExtensions: [],
  extensions: {
    disabled: [],
    watch: false,
    onHookError: "skip",
    defaults: { network: true, commands: true, maxMemoryMb: 64, maxExecutionMs: 30_000 },
    perExtension: {},
    config: {},
  },
  extensionTrust: "review",
  consentProviders: [],
};

/**
 * The tokens kept free for the reply. A configured reserve never takes more than half of the
 * window, or a window made small afterwards would leave no room for a prompt.
 */
export function completionReserve(agent: AgentSettings): number {
  const { completionReserve: configured, tokenBudget } = agent;
  return configured === undefined
    ? Math.min(8192, Math.floor(tokenBudget / 4))
    : Math.min(configured, Math.floor(tokenBudget / 2));
}
