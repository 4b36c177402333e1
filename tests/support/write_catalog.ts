/**
 * Brings the numbers of `core/llm/catalog.jsonc` up to date from LiteLLM's public list of models.
 * Models are neither added nor removed, and what the list does not know stays as it is. Needs the
 * network and says so without it.
 */

import { errorMessage } from "../../core/base/errors.ts";
import { builtInCatalog, type Catalog, type CatalogProvider } from "../../core/llm/catalog.ts";
import type { ModelFacts, ModelPrice } from "../../core/llm/model_facts.ts";

const SOURCE =
  "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json";
const FILE = new URL("../../core/llm/catalog.jsonc", import.meta.url);

/** How the list calls the models of a host. */
const PREFIXES: Readonly<Record<string, string>> = {
  "api.openai.com": "",
  "api.groq.com": "groq/",
  "api.z.ai": "zai/",
  "openrouter.ai": "openrouter/",
};

/** Hosts that tell the cost of each response themselves. */
const SELF_PRICED: ReadonlySet<string> = new Set(["openrouter.ai"]);

type Listed = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The catalog with what the list says now. */
export function refreshedCatalog(catalog: Catalog, list: Listed, today: string): Catalog {
  return {
    checked: today,
    providers: catalog.providers.map((provider) => ({
      ...provider,
      models: Object.fromEntries(
        Object.entries(provider.models).map(([id, facts]) => [
          id,
          refreshedFacts(facts, list[`${PREFIXES[provider.host]}${id}`], provider),
        ]),
      ),
    })),
  };
}

function refreshedFacts(
  facts: ModelFacts,
  listed: Listed[string] | undefined,
  { host }: CatalogProvider,
): ModelFacts {
  if (listed === undefined) return facts;
  const contextWindow = tokens(listed["max_input_tokens"]) ?? facts.contextWindow;
  const maxOutputTokens = tokens(listed["max_output_tokens"]) ?? facts.maxOutputTokens;
  const price = SELF_PRICED.has(host) ? undefined : listedPrice(listed) ?? facts.price;
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(price === undefined ? {} : { price }),
  };
}

function listedPrice(listed: Listed[string]): ModelPrice | undefined {
  const input = perMillion(listed["input_cost_per_token"]);
  const output = perMillion(listed["output_cost_per_token"]);
  if (input === undefined || output === undefined) return undefined;
  const cached = perMillion(listed["cache_read_input_token_cost"]);
  const tier = Object.keys(listed)
    .map((key) => /^input_cost_per_token_above_(\d+)k_tokens$/.exec(key)?.[1])
    .find((found) => found !== undefined);
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cached }),
    ...(tier === undefined ? {} : { upToInputTokens: Number(tier) * 1000 }),
  };
}

function tokens(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function perMillion(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0
    ? Number((value * 1_000_000).toPrecision(8))
    : undefined;
}

/** The file's text: its own comment at the top, then the catalog, formatted. */
async function catalogText(catalog: Catalog): Promise<string> {
  const before = await Deno.readTextFile(FILE);
  const comment = before.slice(0, before.indexOf("\n{") + 1);
  const formatter = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", "jsonc", "--line-width", "100", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const input = formatter.stdin.getWriter();
  await input.write(new TextEncoder().encode(`${comment}${JSON.stringify(catalog)}`));
  await input.close();
  return new TextDecoder().decode((await formatter.output()).stdout);
}

async function main(source: string, write: boolean): Promise<string> {
  let list: Listed;
  try {
    const response = await fetch(source, { signal: AbortSignal.timeout(30_000) });
    if (!response.ok) return `Cannot refresh the catalog: ${source} answered ${response.status}`;
    list = await response.json();
  } catch (error) {
    return `Cannot refresh the catalog, which needs the network: ${errorMessage(error)}`;
  }
  const before = builtInCatalog();
  const after = refreshedCatalog(before, list, new Date().toISOString().slice(0, 10));
  if (write) await Deno.writeTextFile(FILE, await catalogText(after));
  const changed = before.providers.flatMap(({ host, models }, at) =>
    Object.keys(models).filter((id) =>
      JSON.stringify(models[id]) !== JSON.stringify(after.providers[at]?.models[id])
    ).map((id) => `${host} ${id}`)
  );
  await say(`Changed: ${changed.join(", ") || "nothing"}`);
  return "";
}

async function say(line: string): Promise<void> {
  await Deno.stderr.write(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  const source = Deno.args.find((arg) => arg.startsWith("http")) ?? SOURCE;
  const failure = await main(source, !Deno.args.includes("--dry-run"));
  if (failure !== "") {
    await say(failure);
    Deno.exit(1);
  }
}
