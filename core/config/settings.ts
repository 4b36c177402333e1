import type { Provider, RequestLimits } from "./provider.ts";

/** What an approval policy may say about a tool. */
export type ApprovalRule = "auto" | "ask" | "deny";

/** How the agent loop behaves. */
export interface AgentSettings {
  readonly model?: string;
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
  readonly reasoningEffort?: string;
  readonly temperature?: number;
}

/** How commands run. */
export interface ShellSettings {
  /** A program name or path, or `auto`. */
  readonly program: string;
  /** Secret variables that commands see all the same. */
  readonly passEnv: readonly string[];
}

/** Everything that rho can be told, complete and checked. */
export interface Settings {
  readonly agent: AgentSettings;
  readonly limits: RequestLimits;
  readonly providers: readonly Provider[];
  readonly approvalPerTool: Readonly<Record<string, ApprovalRule>>;
  readonly shell: ShellSettings;
  /** When session files are synced to disk. */
  readonly fsync: "turn" | "entry" | "never";
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
  },
  limits: {
    connectTimeoutMs: 30_000,
    firstTokenTimeoutMs: 90_000,
    streamIdleTimeoutMs: 60_000,
    requestTimeoutMs: 0,
  },
  providers: [],
  approvalPerTool: {},
  shell: { program: "auto", passEnv: [] },
  fsync: "turn",
};

/** The tokens kept free for the reply. */
export function completionReserve(agent: AgentSettings): number {
  return agent.completionReserve ?? Math.min(8192, Math.floor(agent.tokenBudget / 4));
}
