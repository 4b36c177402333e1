import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { AgentSettings, ApprovalRule, BudgetSettings } from "../config/settings.ts";
import type { Redactor } from "../security/redactor.ts";
import type { Session } from "../../sessions/session.ts";
import type { SessionStore } from "../../sessions/session_store.ts";
import type { AgentHooks } from "./agent_hooks.ts";
import type { AgentModel } from "./agent_model.ts";
import type { ToolSource } from "./agent_tools.ts";
import type { ApprovalGate } from "./approval_gate.ts";
import type { ApproveMode } from "./approval_policy.ts";
import type { Attachment } from "./attachments.ts";
import type { AgentEventListener } from "./events.ts";
import type { ModelSwitch } from "./model_switch.ts";

/** How an agent behaves: the loop's settings, and who approves what. */
export interface AgentConfig extends AgentSettings {
  /** Rules for single tools, over their risk. */
  readonly approvalPerTool: Readonly<Record<string, ApprovalRule>>;
  /** Who answers what would be asked. */
  readonly approve: ApproveMode;
}

/** Options of {@linkcode createAgent}. */
export interface CreateAgentOptions {
  /** What differs from the defaults. */
  readonly config?: Partial<AgentConfig>;
  /** What a session and a turn may use; no limits when absent. */
  readonly limits?: BudgetSettings;
  readonly model: AgentModel;
  /** Finds other models by name, for {@linkcode Agent.setModel}; called at the first use. */
  readonly models?: () => Promise<ModelSwitch>;
  readonly tools: ToolSource;
  /** What looks at turns and changes calls: extensions. */
  readonly hooks?: AgentHooks | undefined;
  /**
   * The project root: the model's tools reach nothing outside of it.
   * @default {Deno.cwd()}
   */
  readonly root?: string;
  /**
   * Where sessions are kept.
   * @default {new MemoryStore({ root })}
   */
  readonly store?: SessionStore;
  /** A session to go on with; otherwise the store makes one at the first turn. */
  readonly session?: Session;
  /** Replaces the standard system prompt. */
  readonly systemPrompt?: string;
  /**
   * Makes the system prompt of a further session, with the project's files as they are then.
   * @default {the same one again}
   */
  readonly renewSystemPrompt?: () => Promise<string>;
  /**
   * Answers approvals.
   * @default {denyAll}
   */
  readonly gate?: ApprovalGate;
  readonly onEvent?: AgentEventListener;
  /** Aborting it cancels the running turn and every later one. */
  readonly signal?: AbortSignal;
  readonly redactor?: Redactor;
  /**
   * Masks secrets in what the model gets to see.
   * @default {redactor}
   */
  readonly modelRedactor?: Redactor;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** Options of {@linkcode Agent.run}. */
export interface RunOptions {
  /** Text files that go along with the prompt. */
  readonly attachments?: readonly Attachment[];
  /** Aborting it cancels this turn. */
  readonly signal?: AbortSignal;
}
