import type { ProviderAnswer } from "../../agent/model_switch.ts";
import { isLoopbackEndpoint } from "../../config/provider.ts";
import type { RpcContext } from "../rpc_context.ts";
import type {
  ListModelsResult,
  SetModelParams,
  SetModelResult,
  SetReasoningEffortParams,
  SetReasoningEffortResult,
} from "../schema/models.ts";
import type { ListProvidersResult } from "../schema/providers.ts";

/** `setModel`: another model from the next request on. */
export async function setModel(
  params: SetModelParams,
  { agent }: RpcContext,
): Promise<SetModelResult> {
  const { id, provider } = await agent.setModel(params.model);
  return { model: id, provider };
}

/** `setReasoningEffort`: another effort from the next request on. */
export async function setReasoningEffort(
  { effort }: SetReasoningEffortParams,
  { agent }: RpcContext,
): Promise<SetReasoningEffortResult> {
  await agent.setReasoningEffort(effort);
  return { reasoningEffort: agent.config.reasoningEffort ?? null };
}

/** `listModels`: the models of all providers that answer. */
export async function listModels(
  _params: unknown,
  context: RpcContext,
): Promise<ListModelsResult> {
  const answers = await ask(context);
  return {
    models: answers.flatMap(({ provider: { name }, models = [] }) =>
      models.map(({ id, contextWindow }) => ({
        id,
        provider: name,
        ...(contextWindow === undefined ? {} : { contextWindow }),
      }))
    ),
    errors: answers.flatMap(({ provider: { name }, error }) =>
      error === undefined ? [] : [{ provider: name, error }]
    ),
  };
}

/** `listProviders`: every provider, and whether it answers. */
export async function listProviders(
  _params: unknown,
  context: RpcContext,
): Promise<ListProvidersResult> {
  const answers = await ask(context);
  return {
    providers: answers.map(({ provider: { name, endpoint }, isReachable }) => ({
      name,
      isExternal: !isLoopbackEndpoint(endpoint),
      reachable: isReachable,
      active: name === context.agent.model.provider,
    })),
  };
}

async function ask({ agent }: RpcContext): Promise<readonly ProviderAnswer[]> {
  return await (await agent.models())?.ask() ?? [];
}
