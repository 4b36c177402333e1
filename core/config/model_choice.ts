import { RhoError, StartupError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import { presetProvider } from "./provider_registry.ts";
import { PRESETS } from "./presets.ts";
import { endpointHost, findProvider, isLoopbackEndpoint, type Provider } from "./provider.ts";
import type { ReadEnv } from "./rho_home.ts";
import { DEFAULT_SETTINGS, type Settings } from "./settings.ts";

/** What the model is chosen from. */
export interface ModelQuestion {
  /** `--model`. */
  readonly model?: string;
  /** `--endpoint`; giving it is consent. */
  readonly endpoint?: string;
  /** `--api-key-env`. */
  readonly apiKeyEnv?: string;
  /** `--accept-external-provider`. */
  readonly acceptExternal: boolean;
  readonly env: ReadEnv;
  /** @default {DEFAULT_SETTINGS} */
  readonly settings?: Pick<Settings, "agent" | "providers" | "consentProviders">;
}

/** The model that rho starts with. */
export interface ModelChoice {
  readonly model: string;
  readonly provider: Provider;
  /** All that can be switched to, the chosen one included; the one of `--endpoint` comes first. */
  readonly providers: readonly Provider[];
  /** The provider that bare model ids go to, when flags or configuration name one. */
  readonly preferred?: Provider;
}

/** The user has not agreed to send data to external providers; rho exits with 3. */
export class ConsentError extends RhoError {
  /** @param hint What else to say: why the provider was chosen, how to add a local one. */
  constructor(providers: readonly Provider[], hint = "") {
    const named = providers.map(({ name, endpoint }) => ({ name, host: endpointHost(endpoint) }));
    const names = named.map(({ name }) => `"${name}"`);
    const isOne = named.length === 1;
    const where = isOne
      ? named.map(({ host }) => host)
      : named.map(({ name, host }) => `${host} ("${name}")`);
    super(
      "consent_missing",
      `${isOne ? "Provider" : "Providers"} ${inWords(names)} ${isOne ? "is" : "are"} external: ` +
        "your prompts, the files that rho reads and the output of commands would be sent to " +
        `${inWords(where)}. ${hint}Start with --accept-external-provider to agree, write ` +
        `providers = [${names.join(", ")}] under [consent] in your own config.toml to agree for ` +
        "good, or use a local server with --endpoint and --model",
      { data: { providers: named } },
    );
  }
}

/** The model when nobody names one. */
const BUILT_IN_MODEL = "anthropic/claude-sonnet-4";

const ADD_LOCAL = "No local provider is configured; to add one, write [[providers]] and below it " +
  'preset = "lm-studio" (or "ollama", "llama-cpp", "vllm") in your config.toml. ';

/**
 * Chooses model and provider by the six steps of chapter 20: `--model`, `agent.model`, the
 * `default_model` of `agent.provider`, that of the first provider, `RHO_MODEL`, the built-in model
 * on OpenRouter. Each may be `provider:id`. Nothing is contacted.
 *
 * @throws {StartupError} when the provider that is meant does not exist, or nobody names a model
 * for it.
 * @throws {ConsentError} when external providers are configured or chosen and nobody agreed.
 */
export function chooseModel(question: ModelQuestion): ModelChoice {
  const { agent, providers: configured } = question.settings ?? DEFAULT_SETTINGS;
  const own = endpointProvider(question.endpoint);
  const known = own === undefined
    ? configured
    : [own, ...configured.filter(({ name }) => name !== own.name)];
  const candidates = known.length === 0 ? [fromPreset("lm-studio")] : known;
  const preferred = () => own ?? configuredProvider(candidates, agent.provider);
  const named = nonEmpty(question.model) ?? agent.model ??
    (preferred() ?? known[0])?.defaultModel ?? known[0]?.defaultModel ??
    nonEmpty(question.env("RHO_MODEL"));
  const target = named === undefined
    ? builtInTarget(known, preferred())
    : targetOf(named, { candidates, preferred });
  const provider = withKey(target.provider, question.apiKeyEnv);
  const providers = known.some(({ name }) => name === provider.name)
    ? known.map((other) => other.name === provider.name ? provider : other)
    : [...known, provider];
  checkConsent(question, { providers, provider, isNamed: named !== undefined });
  const first = own ??
    (agent.provider === undefined ? undefined : findProvider(providers, agent.provider));
  return {
    model: target.model,
    provider,
    providers,
    ...(first === undefined ? {} : { preferred: first.name === provider.name ? provider : first }),
  };
}

interface Target {
  readonly model: string;
  readonly provider: Provider;
}

function targetOf(
  text: string,
  { candidates, preferred }: {
    readonly candidates: readonly Provider[];
    readonly preferred: () => Provider | undefined;
  },
): Target {
  const explicit = splitModel(text, candidates);
  if (explicit !== undefined) return explicit;
  const provider = preferred() ??
    candidates.find(({ defaultModel }) => defaultModel === text) ?? candidates[0];
  if (provider === undefined) throw new StartupError("There is no provider");
  return { model: text, provider };
}

/**
 * Takes `provider:id` apart when a provider of that name exists. Names and ids may hold colons
 * (`localhost:1234`, `qwen3:8b`), so the longest name that fits counts.
 */
export function splitModel(text: string, providers: readonly Provider[]): Target | undefined {
  const names = [...providers.map(({ name }) => name), "zai"]
    .filter((name) => text.startsWith(`${name}:`) && text.length > name.length + 1)
    .sort((a, b) => b.length - a.length);
  for (const name of names) {
    const provider = findProvider(providers, name);
    if (provider !== undefined) return { model: text.slice(name.length + 1), provider };
  }
  return undefined;
}

/** Step 6. A provider that somebody chose by name gets no model of another one. */
function builtInTarget(known: readonly Provider[], preferred: Provider | undefined): Target {
  if (preferred !== undefined && preferred.name !== "openrouter") {
    throw new StartupError(
      `Cannot choose a model for "${preferred.name}": pass --model <id> or set RHO_MODEL, ` +
        "agent.model or the provider's default_model",
    );
  }
  const provider = findProvider(known, "openrouter") ??
    fromPreset("openrouter", "OPENROUTER_API_KEY");
  return { model: BUILT_IN_MODEL, provider };
}

function endpointProvider(endpoint: string | undefined): Provider | undefined {
  return endpoint === undefined
    ? undefined
    : { name: endpointHost(endpoint), endpoint, api: "chat_completions" };
}

function configuredProvider(
  candidates: readonly Provider[],
  name: string | undefined,
): Provider | undefined {
  if (name === undefined) return undefined;
  const provider = findProvider(candidates, name);
  if (provider !== undefined) return provider;
  const near = nearestName(name, candidates.map((other) => other.name));
  const advice = PRESETS.has(name)
    ? `write [[providers]] and below it preset = "${name}" in your config.toml`
    : near === undefined
    ? `there is only ${inWords(candidates.map((other) => `"${other.name}"`))}`
    : `did you mean "${near}"?`;
  throw new StartupError(`Cannot find the provider "${name}" of agent.provider: ${advice}`);
}

/**
 * `--endpoint` agrees to its own provider and to those that are merely configured; should the
 * configuration send the model elsewhere all the same, that takes an agreement of its own.
 */
function checkConsent(
  question: ModelQuestion,
  chosen: {
    readonly providers: readonly Provider[];
    readonly provider: Provider;
    readonly isNamed: boolean;
  },
): void {
  if (question.acceptExternal) return;
  const { providers, provider, isNamed } = chosen;
  const agreed = new Set(question.settings?.consentProviders);
  const isOpen = ({ name, endpoint }: Provider) =>
    !isLoopbackEndpoint(endpoint) && !agreed.has(name) && endpoint !== question.endpoint;
  const asked = question.endpoint === undefined ? providers : [provider];
  const open = asked.filter(isOpen);
  if (open.length === 0) return;
  const hints = [
    isNamed ? "" : `Nobody names a model, so it would be "${BUILT_IN_MODEL}". `,
    providers.some(({ endpoint }) => isLoopbackEndpoint(endpoint)) ? "" : ADD_LOCAL,
  ];
  throw new ConsentError(open, hints.join(""));
}

function fromPreset(id: string, apiKeyEnv?: string): Provider {
  const preset = PRESETS.get(id);
  if (preset === undefined) throw new StartupError(`There is no preset "${id}"`);
  return presetProvider(id, preset, apiKeyEnv === undefined ? {} : { apiKeyEnv });
}

function withKey(provider: Provider, apiKeyEnv: string | undefined): Provider {
  return apiKeyEnv === undefined ? provider : { ...provider, apiKeyEnv };
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}

function inWords(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
