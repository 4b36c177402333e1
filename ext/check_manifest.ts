import { headUnits, nearestName } from "../core/base/text.ts";
import type { ToolRisk } from "../tools/tool.ts";
import {
  HOOK_NAMES,
  type HookName,
  type Manifest,
  type ManifestCommand,
  type ManifestTool,
} from "./manifest.ts";
import { toolSchema } from "./tool_parameters.ts";

/** A checked manifest, or everything that is wrong with it, each with its path. */
export type ManifestCheck =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly problems: readonly string[] };

const TOOL_NAME_REGEXP = /^[A-Za-z0-9_-]{1,64}$/;
const RISKS: readonly ToolRisk[] = ["read", "write", "destructive", "network"];
const MANIFEST_KEYS = ["name", "version", "description", "tools", "hooks", "commands"];
const TOOL_KEYS = ["name", "description", "risk", "parameters", "execute", "executeJson"];
const COMMAND_KEYS = ["name", "description", "handler"];
const MAX_ITEMS = 100;

type Json = Readonly<Record<string, unknown>>;

/** Extension names are compared as file names are written: `_` and `-` are one, case counts not. */
export function comparableName(name: string): string {
  return name.replaceAll("_", "-").toLowerCase();
}

/**
 * Checks what an extension exports, as its worker describes it.
 *
 * @param fileName The name of its file or folder, which the manifest's must equal.
 */
export function checkManifest(text: string, fileName: string): ManifestCheck {
  const value: unknown = JSON.parse(text);
  const problems: string[] = [];
  const problem = (path: string, message: string) => void problems.push(`${path} ${message}`);
  if (!isRecord(value)) {
    return { ok: false, problems: [`The manifest must be an object, not ${shown(value)}`] };
  }
  checkKeys(value, { path: "", known: MANIFEST_KEYS, problem });
  const name = textAt(value, "name", { path: "name", problem });
  if (name !== "" && comparableName(name) !== comparableName(fileName)) {
    problem("name", `must be that of the file or folder, "${fileName}", not "${name}"`);
  }
  const manifest = {
    name,
    version: textAt(value, "version", { path: "version", problem }),
    tools: listAt(value, "tools", problem).map((tool, i) =>
      checkTool(tool, `tools[${i}]`, problem)
    ),
    hooks: checkHooks(value["hooks"], problem),
    commands: listAt(value, "commands", problem).map((command, i) =>
      checkCommand(command, `commands[${i}]`, problem)
    ),
  };
  for (
    const [key, items] of [["tools", manifest.tools], ["commands", manifest.commands]] as const
  ) {
    const names = items.map((item) => item.name);
    const twice = names.find((one, index) => one !== "" && names.indexOf(one) !== index);
    if (twice !== undefined) problem(key, `has two of the name "${twice}"`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, manifest };
}

type Problem = (path: string, message: string) => void;

function checkTool(value: unknown, path: string, problem: Problem): ManifestTool {
  const tool = isRecord(value) ? value : {};
  if (!isRecord(value)) problem(path, `must be an object, not ${shown(value)}`);
  checkKeys(tool, { path, known: TOOL_KEYS, problem });
  const name = textAt(tool, "name", { path: `${path}.name`, problem });
  if (name !== "" && !TOOL_NAME_REGEXP.test(name)) {
    problem(`${path}.name`, `must have 1 to 64 letters, digits, _ or -, not "${name}"`);
  }
  const { risk = "destructive" } = tool;
  const knownRisk = RISKS.find((one) => one === risk);
  if (knownRisk === undefined) {
    problem(`${path}.risk`, `must be one of ${quoted(RISKS)}, not ${shown(risk)}`);
  }
  if (!isFunction(tool["execute"]) && !isFunction(tool["executeJson"])) {
    problem(`${path}.execute`, "must be a function (or give executeJson)");
  }
  const schema = toolSchema(tool["parameters"] ?? {}, `${path}.parameters`);
  for (const { path: at, message } of schema.problems) problem(at, message);
  return {
    name,
    description: textAt(tool, "description", { path: `${path}.description`, problem }),
    risk: knownRisk ?? "destructive",
    parameters: schema.schema,
  };
}

function checkCommand(value: unknown, path: string, problem: Problem): ManifestCommand {
  const command = isRecord(value) ? value : {};
  if (!isRecord(value)) problem(path, `must be an object, not ${shown(value)}`);
  checkKeys(command, { path, known: COMMAND_KEYS, problem });
  if (!isFunction(command["handler"])) problem(`${path}.handler`, "must be a function");
  return {
    name: textAt(command, "name", { path: `${path}.name`, problem }),
    description: textAt(command, "description", { path: `${path}.description`, problem }),
  };
}

function checkHooks(value: unknown, problem: Problem): HookName[] {
  if (value === undefined) return [];
  if (!isRecord(value)) {
    problem("hooks", `must be an object of functions, not ${shown(value)}`);
    return [];
  }
  checkKeys(value, { path: "hooks", known: HOOK_NAMES, problem });
  return HOOK_NAMES.filter((name) => {
    if (value[name] === undefined) return false;
    if (isFunction(value[name])) return true;
    problem(`hooks.${name}`, `must be a function, not ${shown(value[name])}`);
    return false;
  });
}

function checkKeys(
  value: Json,
  { path, known, problem }: { path: string; known: readonly string[]; problem: Problem },
): void {
  for (const key of Object.keys(value).filter((one) => !known.includes(one))) {
    const near = nearestName(key, known);
    const hint = near === undefined
      ? `the known ones are ${quoted(known)}`
      : `did you mean "${near}"?`;
    problem(path === "" ? key : `${path}.${key}`, `is not known; ${hint}`);
  }
}

function textAt(value: Json, key: string, to: { path: string; problem: Problem }): string {
  const text = value[key];
  if (typeof text === "string" && text.trim() !== "") return text;
  to.problem(
    to.path,
    `must be a text, ${text === undefined ? "but is missing" : `not ${shown(text)}`}`,
  );
  return "";
}

function listAt(value: Json, key: string, problem: Problem): readonly unknown[] {
  const list = value[key];
  if (list === undefined) return [];
  if (Array.isArray(list) && list.length <= MAX_ITEMS) return list;
  problem(
    key,
    Array.isArray(list) ? `has more than ${MAX_ITEMS}` : `must be a list, not ${shown(list)}`,
  );
  return [];
}

function isFunction(value: unknown): boolean {
  return isRecord(value) && value["function"] === true;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function shown(value: unknown): string {
  return isFunction(value) ? "a function" : headUnits(JSON.stringify(value) ?? "nothing", 60);
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
