import { errorMessage } from "../base/errors.ts";
import { joinPath } from "../base/paths.ts";
import { type ModelFacts, readModelFacts } from "./model_facts.ts";
import { parseJsonc } from "./parse_jsonc.ts";

/** The user's own facts about models. */
export interface UserModels {
  /** By `provider:id` or by id. */
  readonly models: ReadonlyMap<string, ModelFacts>;
  /** What of the file does not count, one sentence each. */
  readonly problems: readonly string[];
}

/** The largest file that is read, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Where the user's facts about models are kept. */
export function userModelsFile(home: string): string {
  return joinPath(home, "models.jsonc");
}

/** Reads the user's facts; a missing file holds none, a broken one is told and holds none. */
export async function readUserModels(home: string): Promise<UserModels> {
  const file = userModelsFile(home);
  const models = new Map<string, ModelFacts>();
  const problems: string[] = [];
  try {
    const { isFile, size } = await Deno.stat(file);
    if (!isFile || size > MAX_BYTES) {
      return { models, problems: [`Cannot use "${file}": it is no file of at most 1 MiB`] };
    }
    const value = parseJsonc(await Deno.readTextFile(file));
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return { models, problems: [`Cannot use "${file}": it must hold one object`] };
    }
    for (const [name, entry] of Object.entries(value)) {
      const read = readModelFacts(entry, name);
      models.set(name, read.facts);
      problems.push(...read.problems.map((problem) => `In "${file}": ${problem}`));
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { models, problems };
    problems.push(`Cannot use "${file}": ${errorMessage(error)}`);
  }
  return { models, problems };
}

/** The user's facts about a model: those of `provider:id` over those of the id alone. */
export function userFacts(
  { models }: UserModels,
  target: { readonly provider: string; readonly model: string },
): ModelFacts {
  return { ...models.get(target.model), ...models.get(`${target.provider}:${target.model}`) };
}
