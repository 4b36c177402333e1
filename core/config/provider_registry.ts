import { nearestName } from "../base/text.ts";
import type { ConfigNotice } from "./config_notice.ts";
import { type Preset, PRESETS, UNSUPPORTED_TYPES } from "./presets.ts";
import { endpointHost, type Provider } from "./provider.ts";
import type { ProviderEntry } from "./provider_schema.ts";

/** The providers of one file. */
export interface ResolvedProviders {
  readonly providers: readonly Provider[];
  readonly notices: readonly ConfigNotice[];
  /** Why the file cannot be used, one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Makes providers of a file's entries, by the preset rules of chapter 20: what an entry says wins
 * over its preset, the preset's model list counts only for the preset's own endpoint, and a key
 * variable is never filled in.
 */
export function resolveProviders(
  entries: readonly ProviderEntry[],
  file: string,
): ResolvedProviders {
  const providers: Provider[] = [];
  const notices: ConfigNotice[] = [];
  const problems: string[] = [];
  const taken = new Set<string>();
  entries.forEach((entry, index) => {
    const preset = findPreset(entry);
    const endpoint = entry.endpoint ?? preset?.endpoint;
    const name = providerName(entry, { preset, endpoint, index, taken });
    if (taken.has(name)) {
      problems.push(`providers[${index}] is the second one called "${name}"; give it another name`);
      return;
    }
    taken.add(name);
    const label = `Provider "${name}" in "${file}"`;
    const warn = (message: string) =>
      notices.push({ code: "config_provider", level: "warn", message });
    if (entry.preset !== undefined && preset === undefined) {
      warn(`${label} has the unknown preset "${entry.preset}"; ${presetAdvice(entry.preset)}`);
    }
    if (entry.type !== undefined && UNSUPPORTED_TYPES.has(entry.type.toLowerCase())) {
      warn(
        `${label} has the type "${entry.type}", whose own protocol rho does not speak; its ` +
          "endpoint must be compatible with OpenAI's",
      );
    }
    if (endpoint === undefined) {
      warn(`${label} has no endpoint and is left out; set endpoint or a known preset`);
      return;
    }
    if (preset?.usualKeyEnv !== undefined && entry.api_key_env === undefined) {
      notices.push({
        code: "key_variable_hint",
        level: "info",
        message: `${label} names no key variable; add api_key_env = "${preset.usualKeyEnv}"`,
      });
    }
    providers.push(toProvider(entry, { name, endpoint, preset }));
  });
  return { providers, notices, problems };
}

/**
 * Puts a project's providers over the user's: one of the same name takes the other's place whole,
 * new ones follow.
 */
export function mergeProviders(
  user: readonly Provider[],
  project: readonly Provider[],
): readonly Provider[] {
  const byName = new Map(user.map((provider) => [provider.name, provider]));
  for (const provider of project) byName.set(provider.name, provider);
  return [...byName.values()];
}

/** A preset as a provider under its own name. */
export function presetProvider(
  name: string,
  preset: Preset,
  more: Pick<Provider, "apiKeyEnv"> = {},
): Provider {
  const { usualKeyEnv: _, ...rest } = preset;
  return { name, ...rest, ...more };
}

function findPreset(entry: ProviderEntry): Preset | undefined {
  return entry.preset === undefined ? undefined : PRESETS.get(entry.preset);
}

function providerName(
  entry: ProviderEntry,
  known: {
    readonly preset: Preset | undefined;
    readonly endpoint: string | undefined;
    readonly index: number;
    readonly taken: ReadonlySet<string>;
  },
): string {
  const { preset, endpoint, index, taken } = known;
  if (entry.name !== undefined) return entry.name;
  if (entry.preset !== undefined && preset !== undefined) return entry.preset;
  const host = endpoint === undefined ? undefined : endpointHost(endpoint);
  const free = [entry.type, host].find((name) => name !== undefined && !taken.has(name));
  return free ?? `provider-${index + 1}`;
}

function toProvider(
  entry: ProviderEntry,
  known: {
    readonly name: string;
    readonly endpoint: string;
    readonly preset: Preset | undefined;
  },
): Provider {
  const { name, endpoint, preset } = known;
  const isPresetsOwn = endpoint === preset?.endpoint;
  const modelsEndpoint = entry.models_endpoint ??
    (isPresetsOwn ? preset?.modelsEndpoint : undefined);
  const { api_key_env: apiKeyEnv, default_model: defaultModel, headers } = entry;
  return {
    name,
    endpoint,
    api: entry.api ?? preset?.api ?? "chat_completions",
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(defaultModel === undefined ? {} : { defaultModel }),
    ...(modelsEndpoint === undefined ? {} : { modelsEndpoint }),
    ...(headers === undefined ? {} : { headers }),
  };
}

function presetAdvice(name: string): string {
  const near = nearestName(name, PRESETS.keys());
  return near === undefined
    ? `known are ${[...PRESETS.keys()].join(", ")}`
    : `did you mean "${near}"?`;
}
