/** What a model costs, in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** For input that came from the server's prompt cache. */
  readonly cached?: number;
  /** Prompts with more tokens cost more than this price says. */
  readonly upToInputTokens?: number;
}

/** What is known about a model before its server is asked. */
export interface ModelFacts {
  /** What a prompt and its reply may use together, in tokens. */
  readonly contextWindow?: number;
  /** The longest reply, in tokens. */
  readonly maxOutputTokens?: number;
  readonly price?: ModelPrice;
}

/** What {@linkcode readModelFacts} makes of a value. */
export interface ReadFacts {
  readonly facts: ModelFacts;
  /** What of it cannot be used and why, one sentence each. */
  readonly problems: readonly string[];
}

const FACT_KEYS: ReadonlySet<string> = new Set(["contextWindow", "maxOutputTokens", "price"]);
const PRICE_KEYS: ReadonlySet<string> = new Set(["input", "output", "cached", "upToInputTokens"]);

/** Takes a model's facts out of a file's value; what is wrong is left out and told. */
export function readModelFacts(value: unknown, name: string): ReadFacts {
  const problems: string[] = [];
  const table = record(value);
  if (table === undefined) return { facts: {}, problems: [`"${name}" must be an object`] };
  problems.push(...unknownKeys(table, FACT_KEYS, name));
  const contextWindow = tokens(table, "contextWindow", { name, problems });
  const maxOutputTokens = tokens(table, "maxOutputTokens", { name, problems });
  const price = readPrice(table["price"], { name, problems });
  return {
    facts: {
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(price === undefined ? {} : { price }),
    },
    problems,
  };
}

interface Reading {
  readonly name: string;
  readonly problems: string[];
}

function readPrice(value: unknown, { name, problems }: Reading): ModelPrice | undefined {
  if (value === undefined) return undefined;
  const table = record(value) ?? {};
  const reading = { name: `${name}.price`, problems };
  problems.push(...unknownKeys(table, PRICE_KEYS, reading.name));
  const input = money(table, "input", reading);
  const output = money(table, "output", reading);
  const cached = money(table, "cached", reading);
  const upToInputTokens = tokens(table, "upToInputTokens", reading);
  if (input === undefined || output === undefined) {
    problems.push(`"${name}.price" needs "input" and "output", US dollars per million tokens`);
    return undefined;
  }
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cached }),
    ...(upToInputTokens === undefined ? {} : { upToInputTokens }),
  };
}

function tokens(
  table: Readonly<Record<string, unknown>>,
  key: string,
  { name, problems }: Reading,
): number | undefined {
  const value = table[key];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  problems.push(`"${name}.${key}" must be a whole number of tokens`);
  return undefined;
}

function money(
  table: Readonly<Record<string, unknown>>,
  key: string,
  { name, problems }: Reading,
): number | undefined {
  const value = table[key];
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 0) return value;
  problems.push(`"${name}.${key}" must be a number from 0`);
  return undefined;
}

function unknownKeys(
  table: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  name: string,
): string[] {
  return Object.keys(table).filter((key) => !known.has(key))
    .map((key) => `"${name}.${key}" is unknown; known are ${[...known].join(", ")}`);
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Readonly<Record<string, unknown>>
    : undefined;
}
