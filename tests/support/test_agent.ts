/** An agent in a temporary project, with everything it says recorded. */

import * as v from "valibot";
import { type Agent, createAgent } from "../../core/agent/agent.ts";
import type { CreateAgentOptions } from "../../core/agent/agent_options.ts";
import type { AgentEvent, AgentEventMap, AgentEventType } from "../../core/agent/events.ts";
import type { Tool, ToolContext, ToolResult, ToolRisk } from "../../tools/tool.ts";
import { type ScriptedAnswer, ScriptedModel } from "./scripted_model.ts";

/** A test's own tool. */
export interface TestToolOptions {
  readonly name: string;
  readonly risk?: ToolRisk;
  readonly run?: (
    args: { text?: string | undefined; count?: number | undefined },
    context: ToolContext,
  ) =>
    | ToolResult
    | Promise<ToolResult>;
  readonly guard?: Tool["guard"];
  readonly preview?: Tool["preview"];
}

const SCHEMA = v.object({ text: v.optional(v.string()), count: v.optional(v.number()) });

/** Makes a tool; by default it answers `ran <name>`. */
export function testTool(options: TestToolOptions): Tool {
  const { name, risk = "read", run, guard, preview } = options;
  const tool: Tool<v.InferOutput<typeof SCHEMA>> = {
    name,
    description: `Test tool ${name}`,
    schema: SCHEMA,
    risk,
    highestRisk: risk,
    source: "test",
    execute: async (args, context) =>
      await run?.(args, context) ?? { output: `ran ${name}`, isError: false },
    ...(guard === undefined ? {} : { guard }),
    ...(preview === undefined ? {} : { preview }),
  };
  return tool;
}

/** An agent with its model and everything that it told. */
export interface TestAgent extends AsyncDisposable {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly events: AgentEvent[];
  readonly root: string;
  /** The params of all events of a type. */
  of<Type extends AgentEventType>(type: Type): AgentEventMap[Type][];
}

/** Starts a test agent; retries do not wait. */
export async function startTestAgent(
  answers: readonly ScriptedAnswer[],
  options: Partial<CreateAgentOptions> = {},
): Promise<TestAgent> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "rho ägent " }));
  const model = new ScriptedModel(answers);
  const events: AgentEvent[] = [];
  const agent = createAgent({
    tools: [],
    root,
    onEvent: (event) => {
      events.push(event);
    },
    ...options,
    model: { id: "m", provider: "test", service: model },
    config: { initialBackoffMs: 1, ...options.config },
  });
  return {
    agent,
    model,
    events,
    root,
    of: (type) =>
      events.filter((event) => event.type === type).map((event) => event.params) as never,
    [Symbol.asyncDispose]: async () => {
      await agent.close("test");
      await Deno.remove(root, { recursive: true });
    },
  };
}
