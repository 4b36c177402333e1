import { isLoopbackEndpoint, type Provider } from "../config/provider.ts";
import type { ModelFacts } from "./model_facts.ts";
import { readUserModels, userFacts } from "./user_models.ts";

/** What is known about a model without asking anybody. */
export interface KnownFacts extends ModelFacts {
  /** Whether the user says what the window is, so that no server need be asked. */
  readonly isWindowTold: boolean;
  /** What of the user's file does not count, one sentence each. */
  readonly problems: readonly string[];
}

/** The catalog's facts about a model with the user's own ones over them. */
export async function knownFacts(
  provider: Provider,
  model: string,
  options: { readonly home: string | undefined },
): Promise<KnownFacts> {
  const user = options.home === undefined
    ? { models: new Map<string, ModelFacts>(), problems: [] }
    : await readUserModels(options.home);
  const own = userFacts(user, { provider: provider.name, model });
  return {
    ...await builtInFacts(provider.endpoint, model),
    ...own,
    isWindowTold: own.contextWindow !== undefined,
    problems: user.problems,
  };
}

async function builtInFacts(endpoint: string, model: string): Promise<ModelFacts | undefined> {
  // What runs on this machine is nobody's product.
  if (isLoopbackEndpoint(endpoint)) return undefined;
  const { catalogFacts } =
    await (import("./catalog.ts" as string) as Promise<typeof import("./catalog.ts")>);
  return catalogFacts(endpoint, model);
}
