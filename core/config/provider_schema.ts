import type * as v from "valibot";
import { key, oneOf, table, tableOf, text, variableName, webUrl } from "./schema_scalars.ts";

/** One `[[providers]]` entry. */
export const PROVIDER_SCHEMA = table({
  name: key(text(), "What the provider is called; else the preset, the type or the host."),
  preset: key(text(), "A built-in set of endpoint and protocol; see the list below."),
  endpoint: key(webUrl(), "The full URL that requests are posted to; wins over the preset's."),
  api: key(
    oneOf(["chat_completions", "responses"]),
    "The protocol. Without it: the preset's, else Chat Completions.",
  ),
  api_key_env: key(
    variableName(),
    "The environment variable that holds the key. No preset sets it.",
  ),
  default_model: key(text(), "The model when `agent.model` names none."),
  models_endpoint: key(webUrl(), "Where the model list is. Without it: derived from the endpoint."),
  type: key(text(), "A label; it changes nothing."),
  headers: key(
    tableOf(text()),
    "Extra request headers. A value `$NAME` stands for the environment variable `NAME`; secrets " +
      "must be given that way.",
  ),
});

/** One `[[providers]]` entry, checked. */
export type ProviderEntry = v.InferOutput<typeof PROVIDER_SCHEMA>;
