import { RhoError, StartupError } from "../base/errors.ts";
import { PRESETS } from "./presets.ts";
import { endpointHost, isLoopbackEndpoint, type Provider } from "./provider.ts";
import type { ReadEnv } from "./rho_home.ts";

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
}

/** The model that rho starts with. */
export interface ModelChoice {
  readonly model: string;
  readonly provider: Provider;
}

/** The user has not agreed to send data to an external provider; rho exits with 3. */
export class ConsentError extends RhoError {
  constructor(provider: Provider) {
    const host = endpointHost(provider.endpoint);
    super(
      "consent_missing",
      `Provider "${provider.name}" is external: your prompts, the files that rho reads and the ` +
        `output of commands would be sent to ${host}. Start with --accept-external-provider to ` +
        "agree, or use a local server with --endpoint and --model",
      { data: { provider: provider.name, host } },
    );
  }
}

/** The model when nobody names one. */
const BUILT_IN_MODEL = "anthropic/claude-sonnet-4";

/**
 * Chooses model and provider: `--model`, else `RHO_MODEL`, else the built-in model on OpenRouter.
 * With `--endpoint` the provider is named after its host; a bare id without one goes to LM Studio's
 * usual place. Nothing is contacted.
 *
 * @throws {StartupError} when `--endpoint` is given and nobody names a model.
 * @throws {ConsentError} when the provider is external and nobody agreed.
 */
export function chooseModel(question: ModelQuestion): ModelChoice {
  const named = question.model ?? nonEmpty(question.env("RHO_MODEL"));
  const provider = withKey(chooseProvider(question, named), question.apiKeyEnv);
  if (question.endpoint !== undefined && named === undefined) {
    throw new StartupError(
      `Cannot choose a model for "${provider.name}": pass --model <id> or set RHO_MODEL`,
    );
  }
  const isAgreed = question.endpoint !== undefined || question.acceptExternal;
  if (!isAgreed && !isLoopbackEndpoint(provider.endpoint)) throw new ConsentError(provider);
  return { model: named ?? BUILT_IN_MODEL, provider };
}

function chooseProvider(question: ModelQuestion, named: string | undefined): Provider {
  const { endpoint } = question;
  if (endpoint !== undefined) {
    return { name: endpointHost(endpoint), endpoint, api: "chat_completions" };
  }
  return fromPreset(named === undefined ? "openrouter" : "lm-studio");
}

function fromPreset(id: string): Provider {
  const preset = PRESETS.get(id);
  if (preset === undefined) throw new StartupError(`There is no preset "${id}"`);
  const { usualKeyEnv, ...rest } = preset;
  return { name: id, ...rest, ...(usualKeyEnv === undefined ? {} : { apiKeyEnv: usualKeyEnv }) };
}

function withKey(provider: Provider, apiKeyEnv: string | undefined): Provider {
  return apiKeyEnv === undefined ? provider : { ...provider, apiKeyEnv };
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}
