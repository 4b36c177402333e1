import * as v from "valibot";

/**
 * Building blocks of the configuration's schema. The message of each schema says what is wanted,
 * as it ends the sentence "it must be …"; errors and the reference page print it.
 */

/** What the schema knows about a key besides its type. */
export interface KeyFacts {
  /** The default as TOML text; absent when the key has none. */
  readonly default?: string;
  /** Whether the key counts in the user's own file only. */
  readonly userFileOnly?: true;
}

/** A parsed TOML table: neither list nor date. */
export type TomlTable = Readonly<Record<string, unknown>>;

/** Whether a parsed value is a table. */
export function isTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Date);
}

/** A key that may be absent. */
export function key<Schema extends v.GenericSchema>(
  schema: Schema,
  about: string,
  facts: KeyFacts = {},
): v.ExactOptionalSchema<Schema, undefined> {
  const described = v.pipe(
    schema as v.GenericSchema,
    v.description(about),
    v.metadata({ ...facts }),
  );
  return v.exactOptional(described as unknown as Schema);
}

/** A table with fixed keys. */
export function table<Entries extends v.ObjectEntries>(entries: Entries) {
  const wanted = "a table";
  return v.pipe(v.custom<TomlTable>(isTable, wanted), v.object(entries, wanted));
}

/** A table whose keys people choose. */
export function tableOf<Value extends v.GenericSchema>(value: Value) {
  const wanted = "a table";
  return v.pipe(v.custom<TomlTable>(isTable, wanted), v.record(v.string(), value, wanted));
}

/** A whole number in a range. */
export function wholeNumber(min: number, max: number) {
  const wanted = `a whole number from ${min} to ${max}`;
  return v.pipe(
    v.number(wanted),
    v.integer(wanted),
    v.minValue(min, wanted),
    v.maxValue(max, wanted),
  );
}

/** A number in a range. */
export function number(min: number, max: number) {
  const wanted = `a number from ${min} to ${max}`;
  return v.pipe(v.number(wanted), v.minValue(min, wanted), v.maxValue(max, wanted));
}

/** True or false. */
export function flag() {
  return v.boolean("true or false");
}

/** One of some words. */
export function oneOf<const Choices extends readonly string[]>(choices: Choices) {
  const quoted = choices.map((choice) => `"${choice}"`);
  return v.picklist(choices, `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`);
}

/** A text that is not blank. */
export function text() {
  return textThat(() => true, "a text that is not empty");
}

/** A text of a certain form. */
export function textThat(accepts: (text: string) => boolean, wanted: string) {
  return v.pipe(
    v.string(wanted),
    v.check((value) => value.trim() !== "" && value.length <= 100_000 && accepts(value), wanted),
  );
}

/** A list. */
export function list<Item extends v.GenericSchema>(item: Item, wanted: string) {
  return v.array(item, wanted);
}

/** A list that is not empty. */
export function nonEmpty(items: ReturnType<typeof texts>, wanted: string) {
  return v.pipe(items, v.minLength(1, wanted));
}

/** A list of texts that are not blank. */
export function texts() {
  return list(text(), "a list of texts");
}

/** A web address. */
export function webUrl() {
  return textThat(
    (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
    'a URL that starts with "http://" or "https://"',
  );
}

/** The name of an environment variable. */
export function variableName() {
  return textThat(
    (value) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(value),
    "the name of an environment variable, never a key itself",
  );
}
