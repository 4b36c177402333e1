import { errorMessage, RhoError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import { ConsentError, splitModel } from "../config/model_choice.ts";
import type { Provider } from "../config/provider.ts";
import { type ListedModel, listModels } from "../llm/models.ts";
import { ProviderError } from "../llm/provider_error.ts";
import { type AgentModel, agentModel, type AgentModelDeps } from "./agent_model.ts";

/** A model that no provider is known to have. */
export class ModelUnknownError extends RhoError {
  constructor(message: string, data: Readonly<Record<string, unknown>>) {
    super("model_unknown", message, { data });
  }
}

/** Options of {@linkcode ModelSwitch}. */
export interface ModelSwitchOptions extends AgentModelDeps {
  /** All that can be switched to. */
  readonly providers: readonly Provider[];
  /** The one that bare ids go to first, when flags or configuration name one. */
  readonly preferred?: Provider;
  /** Whether the user agreed that data goes to a provider; loopback ones need no asking. */
  readonly mayUse: (provider: Provider) => boolean;
  /**
   * The longest wait for one provider's list, in milliseconds.
   * @default {3000}
   */
  readonly timeoutMs?: number;
}

const PROBE_TIMEOUT_MS = 3000;

/** What one provider answered when it was asked for its models. */
export interface ProviderAnswer {
  readonly provider: Provider;
  readonly models?: readonly ListedModel[];
  /** Why there is no list. */
  readonly error?: string;
  /** Whether its server answered at all. */
  readonly isReachable: boolean;
}

/** Finds models at the providers that are configured. */
export class ModelSwitch {
  readonly #options: ModelSwitchOptions;

  constructor(options: ModelSwitchOptions) {
    this.#options = options;
  }

  /**
   * The model that a text means. `provider:id` asks nobody. A bare id asks all providers for their
   * lists and goes to one that has it: the preferred one, the one whose `default_model` it is, the
   * one in use, the first. Lists that cannot be had count as empty, but a `default_model` counts
   * without one.
   *
   * @param current The name of the provider in use.
   * @throws {ConsentError} when the provider is external and nobody agreed to it.
   * @throws {ModelUnknownError} when no provider is known to have it; the message says what is.
   */
  async find(
    text: string,
    options: { readonly current: string; readonly signal?: AbortSignal },
  ): Promise<AgentModel> {
    const explicit = splitModel(text, this.#options.providers);
    if (explicit !== undefined) return this.#model(explicit.provider, explicit.model);
    const answers = await this.ask(options.signal);
    const having = answers.filter(({ provider, models }) =>
      provider.defaultModel === text || models?.some(({ id }) => id === text)
    ).map(({ provider }) => provider);
    const chosen = having.find(({ name }) => name === this.#options.preferred?.name) ??
      having.find(({ defaultModel }) => defaultModel === text) ??
      having.find(({ name }) => name === options.current) ?? having[0];
    if (chosen === undefined) throw unknownModel(text, answers);
    return this.#model(chosen, text);
  }

  /** Asks every provider for its models at the same time; the order is the configured one. */
  async ask(signal?: AbortSignal): Promise<ProviderAnswer[]> {
    return await Promise.all(
      this.#options.providers.map((provider) => this.#askOne(provider, signal)),
    );
  }

  async #askOne(provider: Provider, signal: AbortSignal | undefined): Promise<ProviderAnswer> {
    const { mayUse, env, redact, requestLog, timeoutMs } = this.#options;
    if (!mayUse(provider)) {
      const error = "it is external, and nobody agreed to send it anything";
      return { provider, error, isReachable: false };
    }
    try {
      const models = await listModels(provider, {
        ...(env === undefined ? {} : { env }),
        ...(redact === undefined ? {} : { redact }),
        ...(requestLog === undefined ? {} : { requestLog }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(signal === undefined ? {} : { signal }),
      });
      return { provider, models, isReachable: true };
    } catch (error) {
      signal?.throwIfAborted();
      const isReachable = await this.#hasAnswered(provider, error);
      return { provider, error: errorMessage(error), isReachable };
    }
  }

  /** Whether a failure shows that there is a server. */
  async #hasAnswered(provider: Provider, error: unknown): Promise<boolean> {
    if (!(error instanceof ProviderError)) return false;
    if (error.status !== undefined || error.code === "not_a_model_server") return true;
    if (error.code !== "bad_request") return false;
    // There is no list to ask for; whether something listens there can be told all the same.
    const { tcpProbe } = await (import("../llm/http/tcp_probe.ts" as string) as Promise<
      typeof import("../llm/http/tcp_probe.ts")
    >);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.#options.timeoutMs ?? PROBE_TIMEOUT_MS);
    return await tcpProbe(provider.endpoint, limit.signal).finally(() => clearTimeout(timer));
  }

  #model(provider: Provider, id: string): AgentModel {
    if (!this.#options.mayUse(provider)) throw new ConsentError([provider]);
    return agentModel(provider, id, this.#options);
  }
}

function unknownModel(text: string, answers: readonly ProviderAnswer[]): ModelUnknownError {
  const known = answers.flatMap(({ models = [] }) => models.map(({ id }) => id));
  const near = nearestName(text, known);
  const said = answers.map(({ provider: { name }, models, error }) =>
    models === undefined ? `"${name}" gave no list (${error})` : `"${name}" lists ${listed(models)}`
  );
  const first = answers[0]?.provider.name;
  const advice = near !== undefined
    ? `did you mean "${near}"?`
    : `to use it all the same, name its provider: "${first}:${text}"`;
  return new ModelUnknownError(
    `Cannot find the model "${text}": ${said.join("; ")}; ${advice}`,
    {
      models: known,
      errors: answers.flatMap(({ provider: { name }, error }) =>
        error === undefined ? [] : [{ provider: name, error }]
      ),
    },
  );
}

/** How many models of a provider a message names. */
const MAX_NAMED = 8;

function listed(models: readonly ListedModel[]): string {
  if (models.length === 0) return "no model";
  const names = models.slice(0, MAX_NAMED).map(({ id }) => `"${id}"`).join(", ");
  const rest = models.length - MAX_NAMED;
  return rest > 0 ? `${names} and ${rest} more` : names;
}
