import type { RpcContext } from "../rpc_context.ts";
import type { ListToolsResult } from "../schema/list_tools.ts";

/** `listTools`: the tools in the order in which the model sees them. */
export async function listTools(_params: unknown, context: RpcContext): Promise<ListToolsResult> {
  const { registry, llmTools } = await context.agent.tools();
  const parameters = new Map(llmTools.map((tool) => [tool.name, tool.parameters]));
  return {
    tools: registry.list().map((tool) => ({
      name: tool.name,
      description: tool.description,
      risk: tool.highestRisk,
      parameters: { ...parameters.get(tool.name) },
      source: tool.source,
    })),
  };
}

/** `rpc.discover`: the OpenRPC document. */
export async function discover(
  _params: unknown,
  context: RpcContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { openRpcDocument } =
    await (import("../openrpc.ts" as string) as Promise<typeof import("../openrpc.ts")>);
  return openRpcDocument(context.version);
}
