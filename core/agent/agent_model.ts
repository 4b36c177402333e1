import type { LlmService } from "../llm/types.ts";

/** A model that an agent talks to. */
export interface AgentModel {
  /** The model's id as the server knows it. */
  readonly id: string;
  /** The provider's name, for messages. */
  readonly provider: string;
  readonly service: LlmService;
}
