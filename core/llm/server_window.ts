import type { Provider } from "../config/provider.ts";
import { askServer, type AskServerOptions } from "./http/ask_server.ts";
import { modelsUrl, parseModelList } from "./models.ts";

/** A program that serves models, as far as it can be told. */
export type ServerKind = "ollama" | "llama_cpp" | "lm_studio" | "vllm" | "unknown";

/** What a server told about a model's window. */
export interface ServerWindow {
  readonly kind: ServerKind;
  /** In tokens, when the server tells it. */
  readonly tokens?: number;
}

/** What one question brought; the window in force counts over the largest one possible. */
interface Answer {
  readonly kind: ServerKind;
  readonly inForce?: number | undefined;
  readonly possible?: number | undefined;
}

/** By whom servers say that their models are owned. */
const OWNERS: ReadonlyMap<unknown, ServerKind> = new Map([
  ["library", "ollama"],
  ["llamacpp", "llama_cpp"],
  ["organization_owner", "lm_studio"],
  ["vllm", "vllm"],
]);

/**
 * Asks a local server for the window that a model has there: its model list first, then whatever
 * this kind of server has for it (Ollama `/api/ps` and `/api/show`, llama.cpp `/props`, LM Studio
 * `/api/v0/models`). Failures are no answer. Best asked once the model is loaded.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function serverWindow(
  provider: Provider,
  model: string,
  options: AskServerOptions = {},
): Promise<ServerWindow> {
  const ask = async (url: string | undefined, body?: unknown): Promise<unknown> => {
    if (url === undefined) return undefined;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      return JSON.parse(await askServer(provider, { url, ...sent }, options));
    } catch {
      options.signal?.throwIfAborted();
      return undefined;
    }
  };
  const listed = listAnswer(await ask(modelsUrl(provider)), model);
  const base = serverBase(provider.endpoint);
  if (listed.inForce !== undefined || base === undefined) return conclusion([listed]);
  const { kind } = listed;
  const wants = (one: ServerKind) => kind === one || kind === "unknown";
  const answers = await Promise.all([
    wants("ollama") ? ask(`${base}/api/ps`).then((wire) => runningAnswer(wire, model)) : undefined,
    wants("ollama") ? ask(`${base}/api/show`, { model }).then(shownAnswer) : undefined,
    wants("llama_cpp") ? ask(`${base}/props`).then(propsAnswer) : undefined,
    wants("lm_studio")
      ? ask(`${base}/api/v0/models`).then((wire) => studioAnswer(wire, model))
      : undefined,
  ]);
  return conclusion([...answers.filter((answer) => answer !== undefined), listed]);
}

function conclusion(answers: readonly Answer[]): ServerWindow {
  const found = answers.find(({ inForce }) => inForce !== undefined) ??
    answers.find(({ possible }) => possible !== undefined);
  const tokens = found?.inForce ?? found?.possible;
  const kind = found?.kind ?? answers.find((one) => one.kind !== "unknown")?.kind ?? "unknown";
  return { kind, ...(tokens === undefined ? {} : { tokens }) };
}

/** Where a server's own interface begins: before `/v1/…`. */
function serverBase(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { origin, pathname } = new URL(endpoint);
  return origin + pathname.replace(/(?:\/v1)?\/(?:chat\/completions|responses)\/?$/, "")
    .replace(/\/+$/, "");
}

/** The model list: vLLM tells the window in force, others at most what the model could have. */
function listAnswer(wire: unknown, model: string): Answer {
  const item = items(wire).find((entry) => entry["id"] === model) ?? only(items(wire));
  const kind = OWNERS.get(item?.["owned_by"]) ?? "unknown";
  const inForce = count(item?.["max_model_len"]) ?? count(item?.["loaded_context_length"]) ??
    count(record(item?.["meta"])["n_ctx"]);
  const possible = parseModelList(JSON.stringify(wire) ?? "")?.find(({ id }) => id === model);
  return { kind, inForce, possible: possible?.contextWindow };
}

/** Ollama's list of loaded models. */
function runningAnswer(wire: unknown, model: string): Answer | undefined {
  const names = [model, `${model}:latest`];
  const item = items(wire).find(({ name, model: id }) =>
    names.includes(String(name)) || names.includes(String(id))
  );
  return item && { kind: "ollama", inForce: count(item["context_length"]) };
}

/** Ollama's description of a model: `num_ctx` is set for it, else it could have so much. */
function shownAnswer(wire: unknown): Answer | undefined {
  const shown = record(wire);
  const info = record(shown["model_info"]);
  const key = Object.keys(info).find((name) => name.endsWith(".context_length"));
  const parameters = typeof shown["parameters"] === "string" ? shown["parameters"] : "";
  const set = Number(/^num_ctx +(\d+)/m.exec(parameters)?.[1]);
  if (key === undefined && Number.isNaN(set)) return undefined;
  return { kind: "ollama", inForce: count(set), possible: count(info[key ?? ""]) };
}

/** llama.cpp's settings of one slot. */
function propsAnswer(wire: unknown): Answer | undefined {
  const inForce = count(record(record(wire)["default_generation_settings"])["n_ctx"]);
  return inForce === undefined ? undefined : { kind: "llama_cpp", inForce };
}

/** LM Studio's own model list. */
function studioAnswer(wire: unknown, model: string): Answer | undefined {
  const item = items(wire).find((entry) => entry["id"] === model);
  return item && {
    kind: "lm_studio",
    inForce: count(item["loaded_context_length"]),
    possible: count(item["max_context_length"]),
  };
}

function items(wire: unknown): Readonly<Record<string, unknown>>[] {
  const list = record(wire)["data"] ?? record(wire)["models"];
  return Array.isArray(list) ? list.map(record) : [];
}

function only<Item>(list: readonly Item[]): Item | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? value as Readonly<Record<string, unknown>>
    : {};
}
