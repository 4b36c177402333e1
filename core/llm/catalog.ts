import { endpointHost } from "../config/provider.ts";
import CATALOG_TEXT from "./catalog.jsonc" with { type: "text" };
import type { ModelFacts } from "./model_facts.ts";
import { parseJsonc } from "./parse_jsonc.ts";

/** The models of one host. */
export interface CatalogProvider {
  readonly host: string;
  readonly source: string;
  readonly models: Readonly<Record<string, ModelFacts>>;
}

/** What rho knows about well-known models without asking. */
export interface Catalog {
  /** The day of the last check, `YYYY-MM-DD`. */
  readonly checked: string;
  readonly providers: readonly CatalogProvider[];
}

/** The end of an id that names a snapshot, such as `gpt-4o-2024-08-06`. */
const SNAPSHOT_REGEXP = /-\d{4}-\d{2}-\d{2}$/;

let parsed: Catalog | undefined;

/** The built-in catalog; parsed once. */
export function builtInCatalog(): Catalog {
  return parsed ??= parseJsonc(CATALOG_TEXT) as Catalog;
}

/**
 * What the catalog knows about a model of an endpoint: of that very host only, since the same name
 * may be another model, or have another price, elsewhere.
 */
export function catalogFacts(endpoint: string, model: string): ModelFacts | undefined {
  const host = endpointHost(endpoint);
  const models = builtInCatalog().providers.find((provider) => provider.host === host)?.models;
  if (models === undefined) return undefined;
  return ownValue(models, model) ?? ownValue(models, model.replace(SNAPSHOT_REGEXP, ""));
}

function ownValue(models: CatalogProvider["models"], key: string): ModelFacts | undefined {
  return Object.hasOwn(models, key) ? models[key] : undefined;
}
